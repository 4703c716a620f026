"""Computes what changed with the guidelines: control items' results, agreement, reasons to reject."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Min, Q

from review.core.agreement.as_json import agreement_json
from review.core.agreement.summary import agreement_of
from review.core.agreement.table import Rating
from review.core.charts.drawing import in_tokens
from review.core.charts.over_time import Moment, over_time
from review.core.shares import Share
from review.models import Control, Decision, GuidelineVersion, Purpose, Review
from review.services.agreement import table_of
from review.services.guideline_changes import (
    Change,
    guideline_changes,
    guideline_marks,
    version_at,
)
from review.services.places import counting_reviews
from review.services.votes import SCALES, Measure, Votes, independent_reviews, read_votes

SEED = 0


def learning_seen() -> str:
    """Return what the page depends on, in short."""
    reviews = Review.objects.aggregate(
        n=Count("pk"), last=Max("pk"), undone=Count("pk", filter=Q(undone_at__isnull=False))
    )
    controls = Control.objects.aggregate(last=Max("pk"))["last"]
    version = GuidelineVersion.objects.aggregate(last=Max("pk"))["last"]
    return (
        f"{reviews['n']}/{reviews['last'] or 0}-{reviews['undone']}; "
        f"controls {controls or 0}; guidelines {version or 0}"
    )


def measure_learning(report: Callable[[int, int], None]) -> dict[str, Any]:
    """Return the page's data: ``periods`` between changes, ``controls``, ``chart``, ``straddling``.

    ``report`` is told of each part that is ready.
    """
    changes = guideline_changes()
    total = len(changes) + 2
    results = list(_control_results())
    report(1, total)
    by_period, straddling = _agreement_by_period(changes)
    periods = []
    for number in range(len(changes) + 1):
        periods.append(_period(changes, number, results, by_period.get(number)))
        report(number + 2, total)
    weeks = _weeks(results)
    return {
        "periods": periods,
        "straddling": straddling,
        "people": _people(results, changes),
        "items": _items(results, changes),
        "weeks": weeks,
        "chart": _chart(weeks, changes),
    }


@dataclass(frozen=True, slots=True)
class _Result:
    """A review of a control item."""

    user: int
    name: str
    purpose: str
    candidate: int
    subtask: str
    known: str
    decision: str
    knew: bool
    at: datetime

    @property
    def is_right(self) -> bool:
        return self.decision == self.known


def _control_results() -> Iterator[_Result]:
    """Yield the reviews of control items, as ``control_results`` counts them, oldest first."""
    rows = Review.objects.filter(
        assignment__purpose__in=(Purpose.CONTROL, Purpose.QUALIFICATION),
        assignment__revision__superseded_at=None,
        assignment__revision__candidate__control__isnull=False,
        undone_at=None,
    ).values_list(
        "assignment__reviewer_id",
        "assignment__reviewer__username",
        "assignment__purpose",
        "assignment__revision__candidate_id",
        "assignment__revision__candidate__subtask",
        "assignment__revision__candidate__control__decision",
        "decision",
        "assignment__blind_answer__matches_gold",
        "created_at",
    )
    for row in rows.order_by("created_at", "pk").iterator(chunk_size=5_000):
        yield _Result(*row)


def _counts(results: Sequence[_Result]) -> list[int]:
    """Return how many decided as known, of how many, and how many blind answers match gold."""
    right = sum(result.is_right for result in results)
    return [right, len(results), sum(result.knew for result in results)]


def _by_version(results: Sequence[_Result], changes: Sequence[Change]) -> list[list[Any]]:
    """Return (number of versions, label, right, n) of each version that some were done under."""
    groups: dict[int, list[_Result]] = defaultdict(list)
    for result in results:
        groups[version_at(changes, result.at)].append(result)
    return [
        [number, _label(changes, number), *_counts(groups[number])[:2]] for number in sorted(groups)
    ]


def _label(changes: Sequence[Change], number: int) -> str:
    return changes[number - 1].label if number else ""


def _people(results: Sequence[_Result], changes: Sequence[Change]) -> list[dict[str, Any]]:
    groups: dict[tuple[str, int, str], list[_Result]] = defaultdict(list)
    for result in results:
        groups[result.name, result.user, result.purpose].append(result)
    return [
        {
            "name": name,
            "user": user,
            "purpose": purpose,
            "counts": _counts(own),
            "versions": _by_version(own, changes),
        }
        for (name, user, purpose), own in sorted(groups.items())
    ]


def _items(results: Sequence[_Result], changes: Sequence[Change]) -> list[dict[str, Any]]:
    groups: dict[int, list[_Result]] = defaultdict(list)
    for result in results:
        groups[result.candidate].append(result)
    return [
        {
            "candidate": candidate,
            "subtask": own[0].subtask,
            "known": own[0].known,
            "counts": _counts(own),
            "versions": _by_version(own, changes),
        }
        for candidate, own in sorted(groups.items())
    ]


def _weeks(results: Sequence[_Result]) -> list[list[Any]]:
    """Return (Monday, right, n) of each week with results; UTC."""
    groups: dict[str, list[_Result]] = defaultdict(list)
    for result in results:
        day = result.at.astimezone(UTC).date()
        groups[(day - timedelta(days=day.weekday())).isoformat()].append(result)
    return [[monday, *_counts(groups[monday])[:2]] for monday in sorted(groups)]


def _chart(weeks: Sequence[Sequence[Any]], changes: Sequence[Change]) -> str:
    """Return the SVG of the share of right decisions by week; empty where there are none."""
    if not weeks:
        return ""
    moments = []
    for monday, right, n in weeks:
        share = Share(right, n)
        low, high = share.interval or (None, None)
        moments.append(Moment(monday, share.value, low, high))
    marks = guideline_marks(changes, since=weeks[0][0])
    return in_tokens(over_time(moments, title="0–1", marks=marks))


def _agreement_by_period(changes: Sequence[Change]) -> tuple[dict[int, dict[str, Any]], int]:
    """Return the agreement on decisions by period, and how many items were left out of it.

    Left out are items whose reviews lie in more than one period: they belong to none.
    """
    votes = read_votes(measures={Measure.DECISION})
    spans = (
        independent_reviews()
        .order_by()
        .values_list("assignment__revision")
        .annotate(first=Min("created_at"), last=Max("created_at"))
    )
    period: dict[int, int] = {}
    straddling = 0
    for revision, first, last in spans:
        number = version_at(changes, first)
        if number == version_at(changes, last):
            period[revision] = number
        else:
            straddling += 1
    groups: dict[int, list[Rating]] = defaultdict(list)
    for rating in votes.ratings[Measure.DECISION]:
        if isinstance(rating.item, int) and rating.item in period:
            groups[period[rating.item]].append(rating)
    return {number: _entry(votes, ratings) for number, ratings in groups.items()}, straddling


def _entry(votes: Votes, ratings: list[Rating]) -> dict[str, Any]:
    own = Votes(votes.questions, {Measure.DECISION: ratings})
    found = agreement_of(table_of(own, Measure.DECISION), SCALES[Measure.DECISION], seed=SEED)
    interval = found.raw_interval
    return {
        **{key: value for key, value in agreement_json(found).items() if key != "pairs"},
        "raw_low": interval.low if interval else None,
        "raw_high": interval.high if interval else None,
    }


def _period(
    changes: Sequence[Change],
    number: int,
    results: Sequence[_Result],
    agreement: dict[str, Any] | None,
) -> dict[str, Any]:
    """Return what was seen from one version until the next; 0 is before the first."""
    change = changes[number - 1] if number else None
    until = changes[number].at if number < len(changes) else None
    reviews = counting_reviews().filter(assignment__revision__candidate__is_control=False)
    if change:
        reviews = reviews.filter(created_at__gte=change.at)
    if until:
        reviews = reviews.filter(created_at__lt=until)
    counted = reviews.order_by().values_list("decision", "reject_reason").annotate(n=Count("pk"))
    decisions: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for decision, reason, n in counted:
        decisions[decision] += n
        if decision == Decision.REJECT:
            reasons[reason] += n
    return {
        "label": _label(changes, number),
        "language": change.language if change else "",
        "number": change.number if change else 0,
        "note": change.note if change else "",
        "since": change.at.isoformat() if change else None,
        "until": until.isoformat() if until else None,
        "reviews": decisions.total(),
        "rejected": decisions[Decision.REJECT],
        "reasons": dict(reasons.most_common()),
        "controls": _counts([r for r in results if version_at(changes, r.at) == number]),
        "agreement": agreement,
    }
