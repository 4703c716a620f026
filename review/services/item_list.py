"""Reads the rows of the item list for leads: a page at a time, in a fixed number of queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Max

from generation.models import Candidate, Finding, Revision
from review.models import Review
from review.services.item_access import openable

_COLUMNS = (
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


def item_rows(keys: Sequence[int], *, lead: User) -> list[ItemRow]:
    """Return the rows of these candidates in the order of the keys; in five queries."""
    read = {row["pk"]: row for row in Candidate.objects.filter(pk__in=keys).values(*_COLUMNS)}
    candidates = [read[key] for key in keys if key in read]
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
