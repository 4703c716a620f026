"""Reads reviews as ratings: what independent people said of the same revision, and no more."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from zlib import crc32

from django.contrib.auth.models import User
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat, Subtask
from review.core.agreement.alpha import Scale
from review.core.agreement.table import Rating
from review.models import Adjudication, FindingVerdict, OptionVerdict, Review
from review.services.item_access import openable


class Measure(StrEnum):
    """What people can agree on."""

    BLIND_ANSWER = "blind_answer"
    CITATION_ANSWER = "citation_answer"
    MATCHES_GOLD = "matches_gold"
    DECISION = "decision"
    WELL_SPECIFIED = "well_specified"
    GOLD_QUALITY = "gold_quality"
    DISTRACTOR_VERDICT = "distractor_verdict"
    FINDING_VERDICT = "finding_verdict"


ALL_MEASURES = frozenset(Measure)
SCALES: Mapping[Measure, Scale] = dict.fromkeys(Measure, Scale.NOMINAL) | {
    Measure.WELL_SPECIFIED: Scale.ORDINAL,
    Measure.GOLD_QUALITY: Scale.ORDINAL,
    Measure.CITATION_ANSWER: Scale.SETS,
}


@dataclass(frozen=True, slots=True)
class Question:
    """The revision that ratings are of: item and revision number, and what groups it.

    ``week`` is the ISO week (UTC) of its last independent review, so that an item's labels stay
    together.
    """

    item: int
    revision: int
    subtask: str
    language: str
    week: str


@dataclass(frozen=True, slots=True)
class Votes:
    """Ratings by measure, and their questions by revision.

    A rating's unit is (revision key, part): the part is a distractor's option id or a finding's
    key, "" for what is said of the whole; its item is the revision's key.
    """

    questions: Mapping[int, Question]
    ratings: Mapping[Measure, list[Rating]]


def independent_reviews() -> QuerySet[Review]:
    """Return the reviews that agreement is measured on.

    Left out are reviews taken back, extra ones, those of superseded revisions and of control
    items, and those of people who knew more: who wrote the revision, or had decided a dispute
    about the item before they reviewed it. Reviews of a round that a lead returned stay: they
    judged the same text as independently, and to drop only what was disputed would flatter.
    """
    decided_before = Adjudication.objects.filter(
        lead=OuterRef("assignment__reviewer"),
        revision__candidate=OuterRef("assignment__revision__candidate"),
        created_at__lt=OuterRef("created_at"),
    )
    return Review.objects.filter(
        Q(assignment__revision__author=None)
        | ~Q(assignment__revision__author=F("assignment__reviewer")),
        ~Exists(decided_before),
        is_counted=True,
        undone_at=None,
        assignment__revision__superseded_at=None,
        assignment__revision__candidate__is_control=False,
    )


def pseudonym(user_pk: int) -> str:
    """Return what a reviewer is called outside the lead's pages."""
    return f"reviewer-{user_pk}"


def option_id(revision_pk: int, position: int, *, choices: int) -> str:
    """Return an option's id, "0" up to ``choices`` - 1, the same for every reviewer.

    Options are turned by a number of the revision: gold often stands first in the given order,
    and ids that mean "right" would make chance agreement of all who answer right look high.
    """
    if position >= choices:  # an imported question may have more options than is declared
        return str(position)
    return str((position + crc32(str(revision_pk).encode())) % choices)


def most_choices(subtask: Subtask) -> int:
    """Return the highest number of options that a subtask declares, 0 for completion."""
    return subtask.choices.stop - 1 if subtask.choices else 0


def read_votes(
    *,
    named: bool = False,
    measures: Collection[Measure] = ALL_MEASURES,
    reader: User | None = None,
) -> Votes:
    """Return what independent reviews say, in at most three queries.

    Reviewers are user names where ``named``, else pseudonyms. With a ``reader``, a lead to whom
    rows are shown one by one, what they may still review is left out.
    """
    reviews = independent_reviews()
    if reader is not None:
        reviews = reviews.filter(assignment__revision__candidate__in=openable(reader).values("pk"))
    turns: dict[tuple[int, int], str] = {}
    last: dict[int, datetime] = {}
    seen: dict[int, tuple[int, int, str, str]] = {}
    ratings: dict[Measure, list[Rating]] = {measure: [] for measure in Measure}
    for row in _review_rows(reviews):
        name = row.username if named else pseudonym(row.reviewer)
        turns[row.revision, row.reviewer] = name
        seen[row.revision] = (row.candidate, row.number, row.subtask, row.language)
        last[row.revision] = max(last.get(row.revision, row.created_at), row.created_at)
        for measure, label in _labels(row):
            if measure in measures:
                rating = Rating((row.revision, ""), name, label, row.revision)
                ratings[measure].append(rating)
    questions = {pk: Question(*seen[pk], week_of(last[pk])) for pk in seen}
    if Measure.DISTRACTOR_VERDICT in measures:
        ratings[Measure.DISTRACTOR_VERDICT] = list(_option_ratings(turns, questions))
    if Measure.FINDING_VERDICT in measures:
        ratings[Measure.FINDING_VERDICT] = list(_finding_ratings(turns))
    return Votes(questions, ratings)


def week_of(moment: datetime) -> str:
    """Return the ISO week of a moment, in UTC, as in ``2026-W09``."""
    year, week, _ = moment.astimezone(UTC).isocalendar()
    return f"{year}-W{week:02d}"


@dataclass(frozen=True, slots=True)
class _Row:
    reviewer: int
    username: str
    revision: int
    candidate: int
    number: int
    subtask: str
    language: str
    created_at: datetime
    decision: str
    well_specified: int
    gold_quality: int
    positions: list[int]
    matches_gold: bool


def _review_rows(reviews: QuerySet[Review]) -> Iterator[_Row]:
    rows = reviews.values_list(
        "assignment__reviewer_id",
        "assignment__reviewer__username",
        "assignment__revision_id",
        "assignment__revision__candidate_id",
        "assignment__revision__number",
        "assignment__revision__candidate__subtask",
        "assignment__revision__candidate__source__language",
        "created_at",
        "decision",
        "well_specified",
        "gold_quality",
        "assignment__blind_answer__positions",
        "assignment__blind_answer__matches_gold",
    )
    for row in rows.order_by("pk").iterator(chunk_size=5000):
        yield _Row(*row)


def _labels(row: _Row) -> Iterator[tuple[Measure, Any]]:
    """Yield what a review says of the whole revision.

    Of several options chosen where one is right, only whether they match gold can be compared.
    """
    subtask = SUBTASKS[row.subtask]
    choices = most_choices(subtask)
    if choices:
        ids = [option_id(row.revision, position, choices=choices) for position in row.positions]
        if subtask.answer_format is AnswerFormat.CHOICES:
            yield Measure.CITATION_ANSWER, frozenset(ids)
        elif len(ids) == 1:
            yield Measure.BLIND_ANSWER, ids[0]
    yield Measure.MATCHES_GOLD, "yes" if row.matches_gold else "no"
    yield Measure.DECISION, row.decision
    yield Measure.WELL_SPECIFIED, row.well_specified
    yield Measure.GOLD_QUALITY, row.gold_quality


# Turns name the reviews that were read first: one that came in since is left to the next reading.
Turns = Mapping[tuple[int, int], str]


def _option_ratings(turns: Turns, questions: Mapping[int, Question]) -> Iterator[Rating]:
    rows = OptionVerdict.objects.filter(review__in=independent_reviews()).values_list(
        "review__assignment__revision_id",
        "review__assignment__reviewer_id",
        "option__position",
        "verdict",
    )
    for revision, reviewer, position, verdict in rows.order_by("pk").iterator(chunk_size=5000):
        if name := turns.get((revision, reviewer)):
            choices = most_choices(SUBTASKS[questions[revision].subtask])
            part = option_id(revision, position, choices=choices)
            yield Rating((revision, part), name, verdict, revision)


def _finding_ratings(turns: Turns) -> Iterator[Rating]:
    rows = FindingVerdict.objects.filter(review__in=independent_reviews()).values_list(
        "review__assignment__revision_id",
        "review__assignment__reviewer_id",
        "finding_id",
        "verdict",
    )
    for revision, reviewer, finding, verdict in rows.order_by("pk").iterator(chunk_size=5000):
        if name := turns.get((revision, reviewer)):
            yield Rating((revision, str(finding)), name, verdict, revision)
