"""Reads the rows of the item list for leads: a page at a time, in a fixed number of queries."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import (
    Case,
    Count,
    F,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from generation.models import Candidate, Finding, Revision
from review.models import Review
from review.services.item_access import openable

COLUMNS = (
    "pk",
    "subtask",
    "cut",
    "state",
    "is_control",
    "created_at",
    "source__kind",
    "source__external_id",
    "source__language",
)

_ORDERS = {
    "number": ("pk",),
    "subtask": ("subtask", "pk"),
    "state": ("state", "pk"),
    "source": ("source__kind", "source__external_id", "cut", "pk"),
    "step": ("cut", "pk"),
    "language": ("source__language", "pk"),
}


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item of the list; ``severity`` is the highest of its current findings, None without one.

    ``reviews`` are those of the current revision that stand, extra ones included. ``reviews``,
    ``findings`` and ``severity`` are None where the lead may still review the item.
    """

    pk: int
    subtask: str
    cut: int
    state: str
    is_control: bool
    created_at: datetime
    source: str
    external_id: str
    language: str
    revision: int
    findings: int | None
    severity: int | None
    reviews: int | None


def in_order(rows: QuerySet[Candidate], order: str, *, lead: User) -> QuerySet[Candidate]:
    """Return the rows sorted by a column, downwards where ``order`` begins with a minus.

    By number where there is no such column. What the lead may not know of an item has no part in
    the order: by reviews or findings such items come last.
    """
    name, is_down = order.removeprefix("-"), order.startswith("-")
    fields = _ORDERS.get(name, _ORDERS["number"])
    if counted := _COUNTS.get(name):
        rows, fields = rows.annotate(sorted_by=counted(lead)), ("sorted_by", "pk")
    keys = [F(field) for field in fields]
    if not is_down:
        return rows.order_by(*(key.asc(nulls_last=True) for key in keys))
    return rows.order_by(*(key.desc(nulls_last=True) for key in keys))


def _number(_lead: User) -> Subquery:
    return Subquery(Revision.objects.current().filter(candidate=OuterRef("pk")).values("number"))


def _of_reviews(lead: User) -> Case:
    reviews = Review.objects.filter(
        assignment__revision__candidate=OuterRef("pk"),
        assignment__revision__superseded_at=None,
        undone_at=None,
    )
    return _known(lead, reviews.order_by().values("assignment__revision__candidate"))


def _of_findings(lead: User) -> Case:
    findings = Finding.objects.filter(
        revision__candidate=OuterRef("pk"), revision__superseded_at=None
    )
    return _known(lead, findings.order_by().values("revision__candidate"))


def _known(lead: User, grouped: QuerySet[Any, Any]) -> Case:
    """Return the number of rows where the lead may know it, else nothing."""
    counted = Coalesce(Subquery(grouped.annotate(n=Count("pk")).values("n")), Value(0))
    is_open = Q(pk__in=openable(lead).values("pk"))
    return Case(When(is_open, then=counted), output_field=IntegerField())


_COUNTS: Mapping[str, Callable[[User], Case | Subquery]] = {
    "revision": _number,
    "reviews": _of_reviews,
    "findings": _of_findings,
}


def item_rows(candidates: Sequence[Mapping[str, Any]], *, lead: User) -> list[ItemRow]:
    """Return the rows of candidates read as the values of ``COLUMNS``; in four queries."""
    keys = [candidate["pk"] for candidate in candidates]
    opened = set(openable(lead).filter(pk__in=keys).values_list("pk", flat=True))
    current = Revision.objects.current().filter(candidate__in=keys)
    numbers = dict(current.values_list("candidate_id", "number"))
    findings = (
        Finding.objects.filter(revision__superseded_at=None, revision__candidate__in=keys)
        .order_by()
        .values_list("revision__candidate_id")
        .annotate(n=Count("pk"), highest=Max("severity"))
    )
    found = {pk: (n, highest) for pk, n, highest in findings}
    reviews = (
        Review.objects.filter(
            assignment__revision__superseded_at=None,
            assignment__revision__candidate__in=keys,
            undone_at=None,
        )
        .order_by()
        .values_list("assignment__revision__candidate_id")
        .annotate(n=Count("pk"))
    )
    counted = dict(reviews)
    return [
        _row(row, numbers.get(row["pk"], 0), found.get(row["pk"], (0, None)), counted)
        if row["pk"] in opened
        else _row(row, numbers.get(row["pk"], 0), (None, None), None)
        for row in candidates
    ]


def _row(
    row: Mapping[str, Any],
    revision: int,
    found: tuple[int | None, int | None],
    reviews: Mapping[int, int] | None,
) -> ItemRow:
    return ItemRow(
        pk=row["pk"],
        subtask=row["subtask"],
        cut=row["cut"],
        state=row["state"],
        is_control=row["is_control"],
        created_at=row["created_at"],
        source=row["source__kind"],
        external_id=row["source__external_id"],
        language=row["source__language"],
        revision=revision,
        findings=found[0],
        severity=found[1],
        reviews=None if reviews is None else reviews.get(row["pk"], 0),
    )
