"""The controls of the labelling configuration: one list for what is written and what is read."""

import re
from enum import StrEnum

from review.core.review_answers import DECISIONS, FINDING_VERDICTS, OPTION_VERDICTS


class Phase(StrEnum):
    """What people are asked for in Label Studio.

    ``BLIND`` shows neither gold nor findings and takes answers; ``OPEN`` shows both and takes
    judgements of people who have answered; ``REVIEWS`` shows both, with every review as an
    annotation, to look at.
    """

    BLIND = "blind"
    OPEN = "open"
    REVIEWS = "reviews"


# The object that every control belongs to, and the field of a task's data that it shows.
SHOWN = "prompt"
KEY = "key"

ANSWER = "answer"
NOT_DETERMINED = "not_determined"
CONFIDENCE = "confidence"
SUCCESS = "source_is_success"
SAME_MEANING = "same_meaning"
RATINGS = ("well_specified", "gold_quality")
DECISION = "decision"
REASON = "reject_reason"
COMMENT = "comment"
REVIEWER = "reviewer"
REVIEWED_AT = "reviewed_at"

YES, NO = "yes", "no"
IS_NOT_DETERMINED = "not determined by the prompt"
MEANS_THE_SAME = "my answer means the same as gold"
RATING_VALUES = ("0", "1", "2", "3")
DECISION_VALUES = DECISIONS
OPTION_VALUES = OPTION_VERDICTS
FINDING_VALUES = FINDING_VERDICTS


_NAME = re.compile(
    "answer|not_determined|confidence|source_is_success|same_meaning|decision|reject_reason"
    "|comment|reviewer|reviewed_at|(?:well_specified|gold_quality)(?:_why)?"
    "|option_[A-Z]|finding_[0-9]+(?:_word)?"
)


def is_control(name: str) -> bool:
    """Return whether a control of the configuration has this name."""
    return _NAME.fullmatch(name) is not None


def why(rating: str) -> str:
    """Return the name of the text that explains a rating."""
    return f"{rating}_why"


def option(label: str) -> str:
    """Return the name of the verdict on an option, by its label in the task."""
    return f"option_{label}"


def finding(number: int) -> str:
    """Return the name of the verdict on the finding of that 1-based number in the task."""
    return f"finding_{number}"


def finding_word(number: int) -> str:
    """Return the name of the word that goes with a verdict on a finding."""
    return f"finding_{number}_word"
