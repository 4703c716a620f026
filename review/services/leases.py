"""Leases: how long a turn holds its place, how it is renewed, given back, or ends."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from generation.services import audit
from generation.services.texts import storable
from review.models import Assignment


class NotYours(Exception):
    """The assignment is not open any more: submitted or skipped."""


def lease_end(now: datetime) -> datetime:
    """Return when a lease given or renewed at ``now`` ends."""
    return now + timedelta(minutes=settings.LEASE_MINUTES)


def long_lease_end(now: datetime) -> datetime:
    """Return when a lease ends that waits for a person: given by a lead, or after an answer."""
    return now + timedelta(days=settings.LONG_LEASE_DAYS)


def renewed(turn: Assignment, *, now: datetime) -> datetime:
    """Return the end of the turn's lease after a sign of life: later than before or the same.

    A lease that has ended is not revived, since its place may be another's; a longer one, given
    by a lead, is never shortened.
    """
    if turn.leased_until <= now or turn.skipped_at:
        return turn.leased_until
    return max(turn.leased_until, lease_end(now))


def give(turn: Assignment, *, now: datetime) -> Assignment:
    """Store a turn, new or one whose lease had ended, with a fresh lease; write it down."""
    turn.leased_until, turn.expired_at = lease_end(now), None
    if turn.pk:
        turn.save(update_fields=["leased_until", "expired_at"])
    else:
        turn.save(force_insert=True)
    audit.record(
        "assignment.given",
        turn,
        actor=turn.reviewer,
        after=turn.leased_until,
        detail=turn.purpose,
    )
    return turn


@transaction.atomic
def renew_lease(*, assignment: Assignment, now: datetime) -> datetime:
    """Return the new end of a running lease, the old one where it has ended.

    Raises:
        NotYours: the turn is submitted or skipped.
    """
    turn = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if turn.submitted_at or turn.skipped_at:
        raise NotYours
    until = renewed(turn, now=now)
    if until != turn.leased_until:
        turn.leased_until = until
        turn.save(update_fields=["leased_until"])
    return until


@transaction.atomic
def skip(*, assignment: Assignment, reason: str, now: datetime) -> None:
    """Give the turn back with a reason; the item goes to somebody else.

    Raises:
        NotYours: the turn is submitted already.
        ValueError: the reason is empty.
    """
    if not reason.strip():
        msg = "say why you skip this item"
        raise ValueError(msg)
    turn = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if turn.submitted_at:
        raise NotYours
    if turn.skipped_at is None:
        turn.skipped_at, turn.skip_reason = now, storable(reason.strip())
        turn.parked_at = None
        turn.save(update_fields=["skipped_at", "skip_reason", "parked_at"])
        audit.record("assignment.skipped", turn, actor=turn.reviewer, detail=reason.strip())


def end_leases(*, now: datetime) -> int:
    """Mark the leases that have ended and return how many; the queue itself needs no marking.

    An ended lease holds no place from its last moment on; this writes it down for leads. A
    parked turn waits for a lead's answer and keeps its place, whatever its lease.
    """
    ended = Assignment.objects.filter(
        submitted_at=None, skipped_at=None, parked_at=None, expired_at=None, leased_until__lte=now
    )
    count = 0
    for pk in list(ended.values_list("pk", flat=True)):
        with transaction.atomic():
            turn = Assignment.objects.select_for_update().get(pk=pk)
            is_over = turn.expired_at or turn.submitted_at or turn.skipped_at
            if is_over or turn.parked_at or turn.leased_until > now:
                continue
            turn.expired_at = turn.leased_until
            turn.save(update_fields=["expired_at"])
            audit.record("assignment.expired", turn, before=turn.leased_until)
            count += 1
    return count
