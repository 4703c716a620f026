"""Says why a person's queue is empty."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Min, QuerySet

from generation.core.registry import SUBTASKS
from generation.models import Candidate, Revision
from review.models import Assignment, Profile
from review.services.project import project
from review.services.qualification import RoundState, must_qualify, round_of
from review.services.waiting import open_assignments, revisions_in_review, subtasks_for

REASONS = (
    "no_role",
    "not_qualified",
    "no_qualification_items",
    "nothing_built",
    "all_done",
    "not_your_skills",
    "all_leased",
    "waiting_for_answer",
    "all_mine",
)
"""Why there is no next item; ``EmptyQueue`` says what each means."""


@dataclass(frozen=True, slots=True)
class EmptyQueue:
    """Why there is no next item.

    ``no_role``: the user is no member. ``not_qualified`` or ``no_qualification_items``: the
    qualification round is not passed, or has nothing to give. ``nothing_built``; ``all_done``:
    all is settled. ``not_your_skills``: what is left is in other languages or scenarios.
    ``waiting_for_answer``: questions of theirs wait for a lead. ``all_leased``: others are at
    the rest, ``until`` when the first of their leases ends, None where all wait for an answer.
    ``all_mine``: they had a turn at all that is left.
    """

    reason: str
    until: datetime | None = None


def why_empty(*, reviewer: User, now: datetime) -> EmptyQueue:
    """Say why ``claim_next`` gives nothing to the person at ``now``."""
    profile = Profile.objects.filter(user=reviewer).first()
    if profile is None:
        return EmptyQueue("no_role")
    settings = project()
    if must_qualify(profile, settings):
        state = round_of(reviewer, settings).state
        if state in {RoundState.FAILED, RoundState.NO_ITEMS}:
            is_failed = state is RoundState.FAILED
            return EmptyQueue("not_qualified" if is_failed else "no_qualification_items")
    waiting = revisions_in_review()
    if not waiting.exists():
        return EmptyQueue("all_done" if Candidate.objects.exists() else "nothing_built")
    can_judge = waiting.filter(candidate__subtask__in=sorted(subtasks_for(reviewer)))
    if len(subtasks_for(reviewer)) < len(SUBTASKS) and not can_judge.exists():
        return EmptyQueue("not_your_skills")
    others = _turns_of_others(can_judge, reviewer)
    running = others.filter(parked_at=None, leased_until__gt=now)
    until = running.aggregate(first=Min("leased_until"))["first"]
    if until or others.filter(parked_at__isnull=False).exists():
        return EmptyQueue("all_leased", until)
    if open_assignments(reviewer).filter(parked_at__isnull=False).exists():
        return EmptyQueue("waiting_for_answer")
    return EmptyQueue("all_mine")


def _turns_of_others(revisions: QuerySet[Revision], reviewer: User) -> QuerySet[Assignment]:
    """Return others' open turns at what this person could take, were a place free."""
    had = Assignment.objects.filter(reviewer=reviewer).exclude(
        submitted_at=None, skipped_at=None, parked_at=None
    )
    could_take = revisions.exclude(author=reviewer).exclude(pk__in=had.values("revision"))
    return Assignment.objects.filter(
        submitted_at=None, skipped_at=None, revision__in=could_take
    ).exclude(reviewer=reviewer)
