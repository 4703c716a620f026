"""The tables of people, the queue, reviews, settlements and releases."""

from review.models.access import ApiToken, Invitation, Scope
from review.models.adjudication import (
    Adjudication,
    FindingVerdict,
    FindingVerdictValue,
    Outcome,
)
from review.models.assignment import Assignment, Purpose
from review.models.bulk import BulkAction, BulkItem, BulkKind, BulkOutcome
from review.models.control import Control, ControlUse
from review.models.guideline import GuidelineVersion
from review.models.measurement import Measurement
from review.models.profile import Profile, Role
from review.models.project import Project
from review.models.release import ItemRole, Release, ReleaseItem, Validation
from review.models.remarks import Note, Question, ReturnedEdit
from review.models.review import (
    BlindAnswer,
    Decision,
    OptionVerdict,
    OptionVerdictValue,
    RejectReason,
    Review,
)
from review.models.source_look import SourceLook

__all__ = [
    "Adjudication",
    "ApiToken",
    "Assignment",
    "BlindAnswer",
    "BulkAction",
    "BulkItem",
    "BulkKind",
    "BulkOutcome",
    "Control",
    "ControlUse",
    "Decision",
    "FindingVerdict",
    "FindingVerdictValue",
    "GuidelineVersion",
    "Invitation",
    "ItemRole",
    "Measurement",
    "Note",
    "OptionVerdict",
    "OptionVerdictValue",
    "Outcome",
    "Profile",
    "Project",
    "Purpose",
    "Question",
    "RejectReason",
    "Release",
    "ReleaseItem",
    "ReturnedEdit",
    "Review",
    "Role",
    "Scope",
    "SourceLook",
    "Validation",
]
