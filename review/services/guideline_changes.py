"""When the guidelines changed: what to mark in charts over time, and which version held when."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from review.core.charts.over_time import Mark
from review.models import GuidelineVersion


@dataclass(frozen=True, slots=True)
class Change:
    """A new version of the guidelines; ``label`` names it in few letters."""

    language: str
    number: int
    label: str
    at: datetime
    note: str


def guideline_changes() -> list[Change]:
    """Return all new versions, oldest first; in one query.

    The label has the language too, where leads keep more than one.
    """
    rows = list(
        GuidelineVersion.objects.order_by("created_at", "pk").values_list(
            "language", "number", "created_at", "note"
        )
    )
    several = len({language for language, *_rest in rows}) > 1
    return [
        Change(
            language, number, f"{language} v{number}" if several else f"v{number}", created_at, note
        )
        for language, number, created_at, note in rows
    ]


def guideline_marks(changes: Sequence[Change], *, since: str = "") -> list[Mark]:
    """Return a mark a day on which they changed, from the ISO date ``since`` on; UTC."""
    days = [(f"{change.at.astimezone(UTC):%Y-%m-%d}", change.label) for change in changes]
    return [
        Mark(day, ", ".join(label for _day, label in some))
        for day, some in groupby(days, key=lambda pair: pair[0])
        if day >= since
    ]


def version_at(changes: Sequence[Change], moment: datetime) -> int:
    """Return how many versions there were at a moment: 0 before leads saved the first."""
    return bisect_right([change.at for change in changes], moment)
