"""Gives out revisions for review: exactly as many turns as are wanted, each for a limited time.

A person's next item is the first there is of: a turn of theirs that runs, those from a lead
before others; an item of the qualification round; a control item where its place has come; the
oldest item that wants a review.
"""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from review.models import Assignment, Profile, Project, Purpose
from review.services.leases import give
from review.services.mixing import due_control
from review.services.project import project, wanted_in
from review.services.qualification import RoundState, must_qualify, next_in_round, settle_round
from review.services.waiting import Waiting, first_waiting, open_assignments, place_at


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What one try to take a place gave: a turn, or the candidate whose places were taken.

    Neither where nothing waits.
    """

    turn: Assignment | None = None
    full: int | None = None


def claim_next(*, reviewer: User, now: datetime) -> Assignment | None:
    """Give ``reviewer`` the next revision that wants a review; None when there is none for them.

    A running turn of theirs comes again. Rows that others are just taking are passed over at
    first, then waited for: each try is a transaction of its own, so that nobody who waits holds
    what another waits for.
    """
    full: list[int] = []
    for skip_locked in (True, False):
        while True:
            attempt = _claim(reviewer, now=now, full=full, skip_locked=skip_locked)
            if attempt.turn:
                return attempt.turn
            if attempt.full is None:
                break
            full.append(attempt.full)
    return None


@transaction.atomic
def _claim(reviewer: User, *, now: datetime, full: list[int], skip_locked: bool) -> _Attempt:
    """Return the running turn or try to take one place, in order of the queue.

    The reviewer's profile is locked first, so that two tabs of one person get the same turn.
    """
    profile = Profile.objects.select_for_update().filter(user=reviewer).first()
    if profile is None:
        return _Attempt()
    if running := running_turn(reviewer, now=now):
        return _Attempt(running)
    settings = project()
    if must_qualify(profile, settings):
        stands = settle_round(reviewer=reviewer, settings=settings, now=now)
        if stands.state is RoundState.GOING:
            return _Attempt(next_in_round(reviewer, now=now))
        if stands.state is not RoundState.PASSED:
            return _Attempt()
    waiting = first_waiting(
        reviewer, settings=settings, now=now, full=full, skip_locked=skip_locked
    )
    if waiting is None:
        return _Attempt()
    if control := due_control(reviewer, settings=settings, now=now):
        return _Attempt(control)
    return _take_place(waiting, reviewer, settings=settings, now=now)


def running_turn(reviewer: User, *, now: datetime) -> Assignment | None:
    """Return the turn that the person is to go on with: what a lead gave them first."""
    running = open_assignments(reviewer).filter(leased_until__gt=now, parked_at=None)
    return running.order_by(F("assigned_by").asc(nulls_last=True), "given_at", "pk").first()


def _take_place(waiting: Waiting, reviewer: User, *, settings: Project, now: datetime) -> _Attempt:
    """Count again and take a place of the locked candidate where one is still free.

    The count comes after the lock, since what was read before may be stale. An ended turn of the
    person's own goes on, with its draft.
    """
    place = place_at(waiting.candidate, reviewer, now=now)
    if place is None or place.others >= wanted_in(settings, waiting.subtask):
        return _Attempt(full=waiting.candidate)
    if place.own is None:
        turn = Assignment(revision_id=place.revision, reviewer=reviewer, purpose=Purpose.WORK)
        return _Attempt(give(turn, now=now))
    own = Assignment.objects.select_for_update().get(pk=place.own)
    if own.submitted_at or own.skipped_at or own.parked_at:
        return _Attempt(full=waiting.candidate)
    own.reviewer = reviewer
    return _Attempt(give(own, now=now))
