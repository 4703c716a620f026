"""Computes what a reviewer's page shows, for everybody at once: own work, and closed items alone.

What a person may see of themselves is counted so that it tells nothing of other people's answers
to an item that they could still judge, nor which of their items were control items: accuracy and
agreement look at settled items only, whose own review can't be undone any more, and all other
counts take control items for work.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any

from django.db.models import Count, Max, Q
from django.utils import timezone

from generation.models import Candidate, CandidateState
from review.models import Adjudication, Outcome, Profile, Purpose, ReturnedEdit, Review
from review.services.places import counting_reviews
from review.services.undo import UNDO_MINUTES
from review.services.votes import independent_reviews

MOST_LISTED = 10
CLOSED = (CandidateState.APPROVED, CandidateState.REJECTED)


def reviewers_seen() -> str:
    """Return what the numbers depend on, in short."""
    reviews = Review.objects.aggregate(
        n=Count("pk"), last=Max("pk"), undone=Count("pk", filter=Q(undone_at__isnull=False))
    )
    closed = Candidate.objects.filter(state__in=CLOSED).count()
    decided = Adjudication.objects.aggregate(last=Max("pk"))["last"]
    returned = ReturnedEdit.objects.aggregate(n=Count("pk"), closed=Count("closed_at"))
    return (
        f"{reviews['n']}/{reviews['last'] or 0}-{reviews['undone']}; {closed}; {decided or 0}; "
        f"{returned['n']}-{returned['closed']}"
    )


def measure_reviewers(report: Callable[[int, int], None]) -> dict[str, Any]:
    """Return the data of all pages: ``people`` by the key of the user, as text.

    ``report`` is told of each part that is ready.
    """
    people: dict[int, _Own] = defaultdict(_Own)
    together: dict[int, list[_Said]] = defaultdict(list)
    limit = timezone.now() - timedelta(minutes=UNDO_MINUTES)
    independent = set(independent_reviews().values_list("pk", flat=True))
    report(1, 4)
    for row in _rows():
        own = people[row.reviewer]
        own.add(row)
        if not _is_closed(row, limit):
            continue
        own.add_closed(row)
        if row.review in independent:
            together[row.revision].append(_Said(row.reviewer, row.decision))
    report(2, 4)
    for said in together.values():
        _compare(said, people)
    report(3, 4)
    _add_overturned(people)
    _add_returned(people)
    report(4, 4)
    members = dict(Profile.objects.values_list("user_id", "user__username"))
    data = {
        str(user): {"name": members[user], **people[user].as_json()}
        for user in sorted(people, key=lambda user: members.get(user, ""))
        if user in members
    }
    return {"people": data}


@dataclass(frozen=True, slots=True)
class _Row:
    """A standing review with its turn."""

    review: int
    reviewer: int
    turn: int
    purpose: str
    is_counted: bool
    decision: str
    reason: str
    open_seconds: float
    blind_seconds: float
    confidence: int
    matches_gold: bool
    created_at: datetime
    submitted_at: datetime | None
    revision: int
    superseded_at: datetime | None
    candidate: int
    subtask: str
    state: str
    known: str | None


@dataclass(frozen=True, slots=True)
class _Said:
    reviewer: int
    decision: str


def _rows() -> Iterator[_Row]:
    rows = Review.objects.filter(
        undone_at=None, assignment__blind_answer__isnull=False
    ).values_list(
        "pk",
        "assignment__reviewer_id",
        "assignment_id",
        "assignment__purpose",
        "is_counted",
        "decision",
        "reject_reason",
        "active_seconds",
        "assignment__blind_answer__active_seconds",
        "assignment__blind_answer__confidence",
        "assignment__blind_answer__matches_gold",
        "created_at",
        "assignment__submitted_at",
        "assignment__revision_id",
        "assignment__revision__superseded_at",
        "assignment__revision__candidate_id",
        "assignment__revision__candidate__subtask",
        "assignment__revision__candidate__state",
        "assignment__revision__candidate__control__decision",
    )
    for row in rows.order_by("pk").iterator(chunk_size=5_000):
        yield _Row(*row)


def _is_closed(row: _Row, limit: datetime) -> bool:
    """Return whether the item is settled at the text that was reviewed, and the review is final."""
    is_final = (row.submitted_at or row.created_at) <= limit
    is_work = row.purpose == Purpose.WORK and row.is_counted
    return is_work and is_final and row.superseded_at is None and row.state in CLOSED


@dataclass(slots=True)
class _Own:
    """What one person did, as it is added up."""

    reviews: int = 0
    extra: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    blind: list[float] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)
    weeks: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    right: int = 0
    closed: int = 0
    levels: Counter[tuple[int, bool]] = field(default_factory=Counter)
    missed: list[list[Any]] = field(default_factory=list)
    as_i_did: float = 0.0
    compared: int = 0
    others: set[int] = field(default_factory=set)
    controls: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0, 0]))
    settled: int = 0
    against: int = 0
    overturned: list[list[Any]] = field(default_factory=list)
    returned: int = 0
    waiting: int = 0

    def add(self, row: _Row) -> None:
        """Count a review: of the round apart, of control items as work and apart besides."""
        if row.purpose != Purpose.WORK and row.superseded_at is None and row.known:
            counts = self.controls[row.purpose]
            counts[0] += row.decision == row.known
            counts[1] += 1
            counts[2] += row.matches_gold
        if row.purpose == Purpose.QUALIFICATION:
            return
        self.reviews += 1
        self.extra += not row.is_counted and row.purpose == Purpose.WORK
        self.decisions[row.decision] += 1
        if row.reason:
            self.reasons[row.reason] += 1
        self.blind.append(row.blind_seconds)
        self.opened.append(row.open_seconds)
        day = row.created_at.astimezone(UTC).date()
        monday = (day - timedelta(days=day.weekday())).isoformat()
        self.weeks[monday].append(row.blind_seconds + row.open_seconds)

    def add_closed(self, row: _Row) -> None:
        """Count the blind answer to an item that is closed."""
        self.closed += 1
        self.right += row.matches_gold
        self.levels[row.confidence, row.matches_gold] += 1
        if not row.matches_gold:
            self.missed.append([row.turn, row.candidate, row.subtask])

    def as_json(self) -> dict[str, Any]:
        """Return the numbers as they are stored; shares are [part, n]."""
        both = [one + other for one, other in zip(self.blind, self.opened, strict=True)]
        return {
            "reviews": self.reviews,
            "extra": self.extra,
            "decisions": dict(self.decisions),
            "reasons": dict(self.reasons.most_common()),
            "seconds": {
                "blind": median(self.blind) if self.blind else None,
                "open": median(self.opened) if self.opened else None,
                "both": median(both) if both else None,
            },
            "active": sum(both),
            "weeks": [
                [monday, len(seconds), median(seconds)]
                for monday, seconds in sorted(self.weeks.items())
            ],
            "blind": [self.right, self.closed],
            "calibration": [
                [level, self.levels[level, True], self.levels[level, True] + wrong]
                for level in range(1, 6)
                if (wrong := self.levels[level, False]) or self.levels[level, True]
            ],
            "agreement": [self.as_i_did, self.compared],
            "others": len(self.others),
            "controls": {purpose: list(counts) for purpose, counts in self.controls.items()},
            "overturned": [self.against, self.settled],
            "returned": self.returned,
            "waiting": self.waiting,
            "missed": self.missed[: -MOST_LISTED - 1 : -1],
            "against": self.overturned[: -MOST_LISTED - 1 : -1],
        }


def _compare(said: list[_Said], people: dict[int, _Own]) -> None:
    """Add to each reviewer of one item the share of the others who decided the same."""
    counts = Counter(one.decision for one in said)
    for one in said if len(said) > 1 else ():
        own = people[one.reviewer]
        own.as_i_did += (counts[one.decision] - 1) / (len(said) - 1)
        own.compared += 1
        own.others.update(other.reviewer for other in said if other.reviewer != one.reviewer)


def _add_overturned(people: dict[int, _Own]) -> None:
    """Add the disputes that leads settled, as ``overturned_reviewers`` counts them."""
    outcome = "assignment__revision__adjudications__outcome"
    rows = (
        counting_reviews()
        .filter(**{f"{outcome}__in": (Outcome.APPROVE, Outcome.REJECT)})
        .values_list(
            "assignment__reviewer_id",
            "assignment_id",
            "assignment__revision__candidate_id",
            "assignment__revision__candidate__subtask",
            "decision",
            outcome,
        )
    )
    for reviewer, turn, candidate, subtask, decision, decided in rows.order_by("pk"):
        own = people[reviewer]
        own.settled += 1
        if decision != decided:
            own.against += 1
            own.overturned.append([turn, candidate, subtask])


def _add_returned(people: dict[int, _Own]) -> None:
    """Add the edits that were given back to their authors."""
    rows = (
        ReturnedEdit.objects.filter(revision__author__isnull=False)
        .order_by()
        .values_list("revision__author")
        .annotate(n=Count("pk"), waiting=Count("pk", filter=Q(closed_at=None)))
    )
    for author, n, waiting in rows:
        people[author].returned, people[author].waiting = n, waiting
