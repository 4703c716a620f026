"""Agreement on every measure, whole or by group, and the raw table that reproduces it."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from generation.core.registry import SUBTASKS
from review.core.agreement.bootstrap import RESAMPLES
from review.core.agreement.calibration import Calibration, calibration
from review.core.agreement.summary import Agreement, agreement_of
from review.core.agreement.table import Rating, RatingTable
from review.core.agreement.worst import Disagreement, worst_items
from review.models import Decision, FindingVerdictValue, OptionVerdictValue
from review.services.votes import (
    SCALES,
    Measure,
    Question,
    Votes,
    independent_reviews,
    most_choices,
    pseudonym,
)

_LABELS: Mapping[Measure, Sequence[Hashable]] = {
    Measure.MATCHES_GOLD: ("yes", "no"),
    Measure.DECISION: Decision.values,
    Measure.WELL_SPECIFIED: range(4),
    Measure.GOLD_QUALITY: range(4),
    Measure.DISTRACTOR_VERDICT: OptionVerdictValue.values,
    Measure.FINDING_VERDICT: FindingVerdictValue.values,
}
RAW_COLUMNS = (
    "item",
    "revision",
    "reviewer",
    "field",
    "value",
    "subtask",
    "scenario",
    "ability",
    "language",
    "week",
)


class By(StrEnum):
    """What agreement can be split by."""

    SUBTASK = "subtask"
    SCENARIO = "scenario"
    ABILITY = "ability"
    LANGUAGE = "language"
    REVIEWER = "reviewer"
    WEEK = "week"


def table_of(votes: Votes, measure: Measure) -> RatingTable:
    """Return the ratings of one measure, with the labels that the schema declares.

    Those of blind answers are as many as the most options that a subtask among them declares;
    sets of options have no fixed list.
    """
    ratings = votes.ratings[measure]
    return RatingTable.of(ratings, labels=_declared(votes, measure, ratings))


def _declared(
    votes: Votes, measure: Measure, ratings: Sequence[Rating]
) -> Sequence[Hashable] | None:
    if measure is Measure.CITATION_ANSWER:
        return None
    if measure is not Measure.BLIND_ANSWER:
        return _LABELS[measure]
    subtasks = {votes.questions[_revision(rating)].subtask for rating in ratings}
    declared = max((most_choices(SUBTASKS[name]) for name in subtasks), default=0)
    given = max((int(str(rating.label)) + 1 for rating in ratings), default=0)
    return [str(number) for number in range(max(declared, given))]


def agreements(votes: Votes, *, seed: int, resamples: int = RESAMPLES) -> dict[Measure, Agreement]:
    """Return the agreement on every measure; those without labels say so."""
    return {
        measure: agreement_of(
            table_of(votes, measure), SCALES[measure], seed=seed, resamples=resamples
        )
        for measure in Measure
    }


def worst_of(
    votes: Votes, measure: Measure, *, limit: int | None = None
) -> tuple[Disagreement, ...]:
    """Return the revisions (by key) on which reviewers disagree, farthest apart first."""
    return worst_items(table_of(votes, measure), SCALES[measure], limit=limit)


def split(votes: Votes, by: By) -> dict[str, Votes]:
    """Return the votes of every group, groups in the order of their names.

    A reviewer's group is all that anybody says of the revisions that the reviewer reviewed.
    """
    groups: dict[str, dict[Measure, list[Rating]]] = defaultdict(
        lambda: {measure: [] for measure in Measure}
    )
    members = _members(votes, by)
    for measure, ratings in votes.ratings.items():
        for rating in ratings:
            for name in members[_revision(rating)]:
                groups[name][measure].append(rating)
    return {name: Votes(votes.questions, groups[name]) for name in sorted(groups)}


def _members(votes: Votes, by: By) -> Mapping[int, Sequence[str]]:
    """Return the names of the groups that each revision is in."""
    if by is not By.REVIEWER:
        return {pk: (_group(question, by),) for pk, question in votes.questions.items()}
    reviewers: dict[int, dict[str, None]] = defaultdict(dict)
    for ratings in votes.ratings.values():
        for rating in ratings:
            reviewers[_revision(rating)][rating.rater] = None
    return {pk: tuple(names) for pk, names in reviewers.items()}


def _group(question: Question, by: By) -> str:
    match by:
        case By.SCENARIO:
            return SUBTASKS[question.subtask].scenario
        case By.ABILITY:
            return SUBTASKS[question.subtask].ability
        case By.LANGUAGE:
            return question.language
        case By.WEEK:
            return question.week
    return question.subtask


def calibrations(*, named: bool = False) -> dict[str, tuple[Calibration, ...]]:
    """Return, by reviewer, how often blind answers are right at each confidence given."""
    rows = independent_reviews().values_list(
        "assignment__reviewer_id",
        "assignment__reviewer__username",
        "assignment__blind_answer__confidence",
        "assignment__blind_answer__matches_gold",
    )
    return calibration(
        (username if named else pseudonym(pk), confidence, is_right)
        for pk, username, confidence, is_right in rows.order_by("pk")
    )


def raw_rows(votes: Votes) -> Iterator[dict[str, Any]]:
    """Yield the raw table: a row a label, with ``RAW_COLUMNS``.

    ``item`` is the candidate's key, ``revision`` its number. ``field`` is the measure, followed
    by ``.`` and the part where it is said of a part (the option's id, the finding's key); item,
    revision and field together are a unit. A set is a list of its members in order.
    """
    for measure in Measure:
        for rating in votes.ratings[measure]:
            question = votes.questions[_revision(rating)]
            subtask = SUBTASKS[question.subtask]
            part = rating.unit[1] if isinstance(rating.unit, tuple) else ""
            label = rating.label
            yield {
                "item": question.item,
                "revision": question.revision,
                "reviewer": rating.rater,
                "field": f"{measure}.{part}" if part else str(measure),
                "value": sorted(label) if isinstance(label, frozenset) else label,
                "subtask": question.subtask,
                "scenario": str(subtask.scenario),
                "ability": str(subtask.ability),
                "language": question.language,
                "week": question.week,
            }


def _revision(rating: Rating) -> int:
    """Return the key of the revision that a rating is of: it is the rating's item."""
    if not isinstance(rating.item, int):
        msg = f"{rating} is of no revision"
        raise TypeError(msg)
    return rating.item
