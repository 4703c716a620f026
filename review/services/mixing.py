"""Mixes control items into a person's queue, and counts what is left so that none shows."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings as environment
from django.contrib.auth.models import User
from django.db.models import Count, Min, Q

from review.core.drawing import drawn_control, is_control_place, left_with_controls
from review.models import Assignment, ControlUse, Profile, Project, Purpose
from review.services.controls import controls_for
from review.services.leases import give
from review.services.project import project
from review.services.qualification import Round, RoundState, must_qualify, round_of
from review.services.waiting import count_waiting, open_assignments


def due_control(reviewer: User, *, settings: Project, now: datetime) -> Assignment | None:
    """Give the control item whose place in the person's queue has come; None where none has.

    The caller holds the person's lock and knows that real work is left: a queue ends with that.
    An ended turn at a control item goes on first, as ended turns at real items do.
    """
    if settings.control_percent == 0:
        return None
    place, ended = _place_in_queue(reviewer, now=now)
    if ended:
        return give(Assignment.objects.get(pk=ended), now=now)
    if not is_control_place(_seed(reviewer), place, percent=settings.control_percent):
        return None
    left = {revision.pk: revision for revision in controls_for(reviewer, ControlUse.QUEUE)}
    drawn = drawn_control(_seed(reviewer), left)
    if drawn is None:
        return None
    turn = Assignment(revision=left[drawn], reviewer=reviewer, purpose=Purpose.CONTROL)
    return give(turn, now=now)


def _seed(reviewer: User) -> str:
    """Return what a person's queue is drawn from; the key keeps people from working it out."""
    return f"{environment.SECRET_KEY}:{reviewer.pk}"


def _place_in_queue(reviewer: User, *, now: datetime) -> tuple[int, int | None]:
    """Return how many items the person was given, and the first ended turn at a control item."""
    is_ended = Q(
        purpose=Purpose.CONTROL,
        submitted_at=None,
        skipped_at=None,
        parked_at=None,
        leased_until__lte=now,
        revision__candidate__control__retired_at=None,
    )
    given = Assignment.objects.filter(reviewer=reviewer).exclude(purpose=Purpose.QUALIFICATION)
    found = given.aggregate(n=Count("pk"), ended=Min("pk", filter=is_ended))
    return found["n"], found["ended"]


@dataclass(frozen=True, slots=True)
class Left:
    """How many items wait for a person; ``round`` is their qualification round, if they have one."""

    items: int
    round: Round | None = None


def left_for(reviewer: User, *, most: int, now: datetime) -> Left:
    """Return how many items wait for this person, counted up to one more than ``most``.

    Control items are counted where they will come, so that every item lowers the number by one.
    """
    try:
        profile = reviewer.profile
    except Profile.DoesNotExist:
        return Left(0)
    settings = project()
    if must_qualify(profile, settings):
        stands = round_of(reviewer, settings)
        if stands.state is RoundState.GOING:
            return Left(stands.wanted - stands.done, stands)
        if stands.state is not RoundState.PASSED:
            return Left(0, stands)
    return Left(_left_in_queue(reviewer, settings, most=most, now=now))


def _left_in_queue(reviewer: User, settings: Project, *, most: int, now: datetime) -> int:
    work = count_waiting(reviewer, settings=settings, now=now, most=most + 1)
    if settings.control_percent == 0 or not 0 < work <= most:
        return work
    return min(most + 1, _with_controls(work, reviewer, settings, now=now))


def _with_controls(work: int, reviewer: User, settings: Project, *, now: datetime) -> int:
    """Return ``work`` and the control items that come before it is done.

    What is begun has had its place drawn; it is left all the same.
    """
    place, _ended = _place_in_queue(reviewer, now=now)
    begun = (
        open_assignments(reviewer)
        .filter(parked_at=None)
        .aggregate(
            controls=Count("pk", filter=Q(purpose=Purpose.CONTROL)),
            work=Count("pk", filter=Q(purpose=Purpose.WORK, leased_until__gt=now)),
        )
    )
    begun_work = min(int(begun["work"]), work)
    return (
        int(begun["controls"])
        + begun_work
        + left_with_controls(
            work - begun_work,
            seed=_seed(reviewer),
            place=place,
            percent=settings.control_percent,
            controls=controls_for(reviewer, ControlUse.QUEUE).count(),
        )
    )
