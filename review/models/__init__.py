"""The tables of people, assignments, reviews, settlements and releases."""

from review.models.adjudication import (
    Adjudication,
    FindingVerdict,
    FindingVerdictValue,
    Outcome,
)
from review.models.assignment import Assignment
from review.models.profile import Profile, Role
from review.models.release import ItemRole, Release, ReleaseItem, Validation
from review.models.review import (
    BlindAnswer,
    Decision,
    OptionVerdict,
    OptionVerdictValue,
    RejectReason,
    Review,
)

__all__ = [
    "Adjudication",
    "Assignment",
    "BlindAnswer",
    "Decision",
    "FindingVerdict",
    "FindingVerdictValue",
    "ItemRole",
    "OptionVerdict",
    "OptionVerdictValue",
    "Outcome",
    "Profile",
    "RejectReason",
    "Release",
    "ReleaseItem",
    "Review",
    "Role",
    "Validation",
]
