"""Computes long measurements away from the pages: a row holds the result, the message only its name.

A message may be lost or come twice: the row says whether a result is wanted and who is at it, and
a sweep takes up what was lost.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from generation.services import audit
from review.models import Measurement
from review.services.agreement_pages import agreement_in_parts, reviews_seen
from review.services.learning import learning_seen, measure_learning
from review.services.progress import measure_progress, progress_seen
from review.services.reviewer_pages import measure_reviewers, reviewers_seen

LEASE = timedelta(minutes=15)

Progress = Callable[[int, int], None]
"""Takes how many parts are done, and of how many."""


class UnknownMeasurement(Exception):
    """There is no measurement of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no measurement {name!r}: there are {', '.join(COMPUTATIONS)}")


COMPUTATIONS: Mapping[str, tuple[Callable[[], str], Callable[[Progress], dict[str, Any]]]] = {
    "agreement": (reviews_seen, agreement_in_parts),
    "learning": (learning_seen, measure_learning),
    "progress": (progress_seen, measure_progress),
    "reviewers": (reviewers_seen, measure_reviewers),
}
"""By name: what the result depends on, in short, and the computation.

What a computation returns under ``parts`` is stored in rows of its own: see ``part_of``.
"""


def measurement(name: str) -> Measurement:
    """Return the row of a measurement; not stored yet where it was never asked for.

    Raises:
        UnknownMeasurement: there is none of that name.
    """
    if name not in COMPUTATIONS:
        raise UnknownMeasurement(name)
    return Measurement.objects.filter(name=name).first() or Measurement(name=name)


def part_of(row: Measurement, part: str) -> dict[str, Any]:
    """Return a part of a result that is kept apart; empty where a newer result has replaced it."""
    rows = Measurement.objects.filter(name=f"{row.name}/{part}", made_at=row.made_at)
    return rows.values_list("data", flat=True).first() or {}


def is_stale(row: Measurement) -> bool:
    """Return whether what the result depends on has changed since it was made."""
    seen, _compute = COMPUTATIONS[row.name]
    return row.made_at is not None and row.seen != seen()


@transaction.atomic
def ask_for(*, name: str, actor: User | None, now: datetime) -> Measurement:
    """Note that a new result is wanted; one that is already asked for stays asked.

    Raises:
        UnknownMeasurement: there is none of that name.
    """
    if name not in COMPUTATIONS:
        raise UnknownMeasurement(name)
    Measurement.objects.get_or_create(name=name)
    row = Measurement.objects.select_for_update().get(name=name)
    if row.asked_at is None:
        row.asked_at, row.asked_by, row.failure, row.done, row.total = now, actor, "", 0, 0
        row.save(update_fields=["asked_at", "asked_by", "failure", "done", "total"])
        audit.record("measurement.asked", row, actor=actor, detail=name)
    return row


def compute(name: str) -> bool:
    """Compute a result that is asked for and store it; False where there is nothing to do.

    Raises:
        UnknownMeasurement: there is none of that name.
    """
    row = measurement(name)
    if not _begin(name):
        return False
    seen, compute_it = COMPUTATIONS[name]
    before, started = seen(), monotonic()
    data = compute_it(lambda done, total: _report(name, done, total))
    parts = data.pop("parts", {})
    with transaction.atomic():
        row = Measurement.objects.select_for_update().get(name=name)
        row.data, row.seen, row.made_at = data, before, timezone.now()
        row.seconds = monotonic() - started
        row.asked_at = row.asked_by = row.leased_until = None
        row.save()
        Measurement.objects.filter(name__startswith=f"{name}/").delete()
        Measurement.objects.bulk_create(
            Measurement(name=f"{name}/{part}", data=found, made_at=row.made_at)
            for part, found in parts.items()
        )
        audit.record("measurement.made", row, after=before, detail=name)
    return True


@transaction.atomic
def _begin(name: str) -> bool:
    """Take the lease of a row that is asked for; False where another holds it."""
    now = timezone.now()
    row = Measurement.objects.select_for_update().filter(name=name).first()
    if row is None or row.asked_at is None or (row.leased_until and row.leased_until > now):
        return False
    row.leased_until = now + LEASE
    row.save(update_fields=["leased_until"])
    return True


def _report(name: str, done: int, total: int) -> None:
    Measurement.objects.filter(name=name).update(
        done=done, total=total, leased_until=timezone.now() + LEASE
    )


def ask_for_stale(*, now: datetime) -> None:
    """Ask for new results where what they depend on has changed; a failed or slow one is not hurried.

    A result is let stand ten times as long as it took, and a minute at least.
    """
    whole = Measurement.objects.filter(name__in=COMPUTATIONS)
    for row in whole.filter(asked_at=None, made_at__isnull=False):
        rest = timedelta(seconds=max(60.0, 10 * row.seconds))
        if row.made_at and row.made_at + rest <= now and is_stale(row):
            ask_for(name=row.name, actor=None, now=now)


def waiting() -> list[str]:
    """Return the names of what is asked for and nobody is at: what the sweep takes up."""
    rows = Measurement.objects.filter(asked_at__isnull=False).exclude(
        leased_until__gt=timezone.now()
    )
    return list(rows.order_by("asked_at").values_list("name", flat=True))
