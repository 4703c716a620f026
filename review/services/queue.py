"""Gives out revisions for review: exactly as many turns as are wanted, each for a limited time."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Exists, IntegerField, Min, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from generation.models import Candidate, CandidateState, Revision
from generation.services import audit
from review.authentication import is_lead
from review.models import Adjudication, Assignment, Outcome, Profile, Review
from review.services.places import reviews_wanted, taken_places

_CHUNK = 25


class NotYours(Exception):
    """The assignment is not open any more: submitted or skipped."""


@dataclass(frozen=True, slots=True)
class EmptyQueue:
    """Why there is no next item: ``nothing_built``, ``all_leased``, ``all_done`` or ``all_mine``.

    ``until`` is when the first running lease ends, where that is what to wait for.
    """

    reason: str
    until: datetime | None = None


def lease_end(now: datetime) -> datetime:
    """Return when a lease given or renewed at ``now`` ends."""
    return now + timedelta(minutes=settings.LEASE_MINUTES)


def open_assignments(reviewer: User) -> QuerySet[Assignment]:
    """Return the turns that a reviewer may go on with: neither submitted nor skipped."""
    return Assignment.objects.filter(
        reviewer=reviewer,
        submitted_at=None,
        skipped_at=None,
        revision__superseded_at=None,
        revision__candidate__state=CandidateState.IN_REVIEW,
    )


def revisions_wanting_review(reviewer: User, *, now: datetime) -> QuerySet[Revision]:
    """Return revisions with a free place that this person may take, oldest first.

    Left out are those they had a turn at (submitted or skipped), those they wrote, and for a
    lead those that came back from a dispute, by a decision or since one of several reviews was
    taken back: leads could read what others said of them.
    """
    taken = (
        taken_places(OuterRef("pk"), now=now)
        .order_by()
        .values("revision")
        .annotate(n=Count("pk"))
        .values("n")
    )
    had = Assignment.objects.filter(revision=OuterRef("pk"), reviewer=reviewer).exclude(
        submitted_at=None, skipped_at=None
    )
    revisions = Revision.objects.current()
    if is_lead(reviewer):
        returned = Adjudication.objects.filter(revision=OuterRef("pk"), outcome=Outcome.RETURN)
        revisions = revisions.exclude(Exists(returned))
        of_it = Review.objects.filter(assignment__revision=OuterRef("pk"), is_counted=True)
        undone = of_it.filter(undone_at__isnull=False).exclude(assignment__reviewer=reviewer)
        revisions = revisions.exclude(Exists(undone) & Exists(of_it.filter(undone_at=None)))
    return (
        revisions.filter(candidate__state=CandidateState.IN_REVIEW)
        .exclude(author=reviewer)
        .exclude(Exists(had))
        .alias(taken=Coalesce(Subquery(taken, output_field=IntegerField()), Value(0)))
        .filter(taken__lt=reviews_wanted())
        .order_by("candidate_id")
    )


def claim_next(*, reviewer: User, now: datetime) -> Assignment | None:
    """Give ``reviewer`` the next revision that wants a review; None when there is none for them.

    A running turn of theirs comes again. Rows that others are just taking are passed over at
    first, then waited for: each round is a transaction of its own, so that nobody who waits
    holds what another waits for.
    """
    for skip_locked in (True, False):
        if turn := _claim(reviewer, now=now, skip_locked=skip_locked):
            return turn
    return None


@transaction.atomic
def _claim(reviewer: User, *, now: datetime, skip_locked: bool) -> Assignment | None:
    """Return the running turn or take a place; in order of the queue.

    The reviewer's profile is locked first, so that two tabs of one person get the same turn.
    """
    if not Profile.objects.select_for_update().filter(user=reviewer).exists():
        return None
    running = open_assignments(reviewer).filter(leased_until__gt=now).order_by("given_at", "pk")
    if own := running.first():
        return own
    wanting = revisions_wanting_review(reviewer, now=now)
    # Lazily, since the first row is nearly always free; some others may be taken meanwhile.
    for pk, candidate_pk in wanting.values_list("pk", "candidate_id").iterator(_CHUNK):
        if turn := _take_place(pk, candidate_pk, reviewer, now=now, skip_locked=skip_locked):
            return turn
    return None


def _take_place(
    revision_pk: int, candidate_pk: int, reviewer: User, *, now: datetime, skip_locked: bool
) -> Assignment | None:
    """Lock the candidate, count again, and take a place where one is still free.

    The count comes after the lock, since the first query's snapshot may be stale.
    """
    locked = (
        Candidate.objects.select_for_update(skip_locked=skip_locked)
        .filter(pk=candidate_pk, state=CandidateState.IN_REVIEW)
        .first()
    )
    if locked is None:
        return None
    revision = Revision.objects.current().filter(pk=revision_pk).first()
    if revision is None:
        return None
    if taken_places(revision_pk, now=now).count() >= reviews_wanted():
        return None
    turn, is_new = Assignment.objects.get_or_create(
        revision=revision, reviewer=reviewer, defaults={"leased_until": lease_end(now)}
    )
    if turn.submitted_at or turn.skipped_at:
        return None
    if not is_new:
        turn.leased_until, turn.expired_at = lease_end(now), None
        turn.save(update_fields=["leased_until", "expired_at"])
    audit.record("assignment.given", turn, actor=reviewer, after=turn.leased_until)
    return turn


@transaction.atomic
def renew_lease(*, assignment: Assignment, now: datetime) -> datetime:
    """Return the new end of a running lease.

    A lease that has ended is not revived: its place may be another's. The old end comes back.

    Raises:
        NotYours: the turn is submitted or skipped.
    """
    turn = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if turn.submitted_at or turn.skipped_at:
        raise NotYours
    if turn.leased_until > now:
        turn.leased_until = lease_end(now)
        turn.save(update_fields=["leased_until"])
    return turn.leased_until


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
        turn.skipped_at, turn.skip_reason = now, reason.strip()
        turn.save(update_fields=["skipped_at", "skip_reason"])
        audit.record("assignment.skipped", turn, actor=turn.reviewer, detail=reason.strip())


def end_leases(*, now: datetime) -> int:
    """Mark the leases that have ended and return how many; the queue itself needs no marking.

    An ended lease holds no place from its last moment on; this writes it down for leads.
    """
    ended = Assignment.objects.filter(
        submitted_at=None, skipped_at=None, expired_at=None, leased_until__lte=now
    )
    count = 0
    for pk in list(ended.values_list("pk", flat=True)):
        with transaction.atomic():
            turn = Assignment.objects.select_for_update().get(pk=pk)
            if turn.expired_at or turn.submitted_at or turn.skipped_at or turn.leased_until > now:
                continue
            turn.expired_at = turn.leased_until
            turn.save(update_fields=["expired_at"])
            audit.record("assignment.expired", turn, before=turn.leased_until)
            count += 1
    return count


def why_empty(*, reviewer: User, now: datetime) -> EmptyQueue:
    """Say why ``claim_next`` gave nothing."""
    waiting = Revision.objects.current().filter(candidate__state=CandidateState.IN_REVIEW)
    if not waiting.exists():
        reason = "all_done" if Candidate.objects.exists() else "nothing_built"
        return EmptyQueue(reason)
    others = Assignment.objects.filter(
        submitted_at=None,
        skipped_at=None,
        leased_until__gt=now,
        revision__in=waiting.exclude(author=reviewer).exclude(assignments__reviewer=reviewer),
    )
    until = others.aggregate(first=Min("leased_until"))["first"]
    return EmptyQueue("all_leased", until) if until else EmptyQueue("all_mine")
