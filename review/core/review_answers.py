"""What a reviewer fills in, and the rules it must keep before it is stored."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

EXPLANATION_LENGTH = 20
DECISIONS = ("approve", "reject")
OPTION_VERDICTS = ("valid", "also_correct", "too_easy", "malformed", "duplicate")
FINDING_VERDICTS = ("confirmed", "dismissed")


@dataclass(frozen=True, slots=True)
class ReviewAnswers:
    """The open phase of a review as sent.

    Ratings go from 0 (no problem) to 3 (unusable); ``option_verdicts`` are by option position
    in the given order, ``finding_verdicts`` (verdict, word) by the finding's id.
    """

    decision: str
    well_specified: int
    gold_quality: int
    well_specified_why: str = ""
    gold_quality_why: str = ""
    same_meaning: bool = False
    source_is_success: bool | None = None
    reject_reason: str = ""
    comment: str = ""
    active_seconds: float = 0.0
    option_verdicts: Mapping[int, str] = field(default_factory=dict)
    finding_verdicts: Mapping[int, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the page asked about: distractor positions, findings that need a word, the source.

    ``may_mean_the_same``: the reviewer wrote an answer in words, which may say gold otherwise.
    """

    distractors: Collection[int]
    findings: Collection[int]
    blocking: Collection[int]
    source_is_unconfirmed: bool
    reject_reasons: Collection[str]
    may_mean_the_same: bool = False


def problems(answers: ReviewAnswers, asked: Asked) -> dict[str, str]:
    """Return what is wrong with a review, a sentence by field; empty when it can be stored."""
    found: dict[str, str] = {}
    if answers.decision not in DECISIONS:
        found["decision"] = "Decide: approve or reject."
    for name in ("well_specified", "gold_quality"):
        rating, why = getattr(answers, name), getattr(answers, f"{name}_why")
        if not 0 <= rating <= 3:
            found[name] = "Say how bad: 0 (no problem) to 3 (unusable)."
        elif rating >= 2 and len(why.strip()) < EXPLANATION_LENGTH:
            found[f"{name}_why"] = f"Say why in at least {EXPLANATION_LENGTH} characters."
    for position in asked.distractors:
        if answers.option_verdicts.get(position) not in OPTION_VERDICTS:
            found[f"option_{position}"] = "Judge this distractor."
    for finding in asked.findings:
        if answers.finding_verdicts.get(finding, ("",))[0] not in FINDING_VERDICTS:
            found[f"finding_{finding}"] = "Confirm or dismiss this finding."
    if answers.same_meaning and not asked.may_mean_the_same:
        found["same_meaning"] = "Only an answer written in words can mean the same as gold."
    if answers.decision == "reject":
        if answers.reject_reason not in asked.reject_reasons:
            found["reject_reason"] = "Choose the reason."
        elif answers.reject_reason == "other" and not answers.comment.strip():
            found["comment"] = "Say what the other reason is."
    if answers.decision == "approve":
        found |= _against_approval(answers, asked)
    return found


def _against_approval(answers: ReviewAnswers, asked: Asked) -> dict[str, str]:
    """Return what forbids an approval: a confirmed blocking finding, or a run not confirmed."""
    found: dict[str, str] = {}
    for finding in asked.blocking:
        if answers.finding_verdicts.get(finding, ("",))[0] == "confirmed":
            found[f"finding_{finding}"] = "A confirmed severity-3 finding can't be approved."
    if asked.source_is_unconfirmed and answers.source_is_success is None:
        found["source_is_success"] = "Say whether the run solves its task."
    elif asked.source_is_unconfirmed and not answers.source_is_success:
        found["source_is_success"] = "Approve only a run that you see solve its task."
    return found
