"""The qualification round: items with known answers that a new reviewer judges before real work."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet

from generation.models import AuditEvent
from generation.services import audit
from review.models import Assignment, ControlUse, Profile, Project, Purpose, Review, Role
from review.services.controls import controls_for
from review.services.leases import give, long_lease_end
from review.services.project import project
from review.services.refusals import Refused

_FAILED = "reviewer.not_qualified"


class RoundState(StrEnum):
    """Where a new reviewer stands."""

    GOING = "going"
    PASSED = "passed"
    FAILED = "failed"
    NO_ITEMS = "no_items"


@dataclass(frozen=True, slots=True)
class Round:
    """A person's qualification round.

    They have answered ``done`` of ``wanted`` items, ``right`` of the last ``counted`` as known;
    ``bar`` is the percentage that passes. ``is_further``: a lead let them try further items.
    An item that they skipped is made up for by another; where none is left it counts as wrong.
    """

    state: RoundState
    done: int
    wanted: int
    right: int
    counted: int
    bar: int
    is_further: bool = False


class QualificationRefused(Refused):
    """What a lead can't do for a reviewer; ``why`` is a sentence for the lead."""


def must_qualify(profile: Profile, settings: Project) -> bool:
    """Return whether the person has a qualification round before them; in at most one query.

    Leads never have, nor who passed, was vouched for, or has reviewed real items already.
    """
    if settings.qualification_items == 0 or profile.qualified_at:
        return False
    if profile.role != Role.ANNOTATOR:
        return False
    reviewed = Review.objects.filter(
        assignment__reviewer=profile.user_id,
        assignment__purpose=Purpose.WORK,
        is_counted=True,
        undone_at=None,
    )
    return not reviewed.exists()


def round_of(reviewer: User, settings: Project) -> Round:
    """Return where a person stands in the round; the last items as many as it has are counted."""
    turns = _turns(reviewer)
    answered = turns.filter(reviews__undone_at=None, reviews__isnull=False).annotate(
        is_right=Q(reviews__decision=F("revision__candidate__control__decision"))
    )
    rows = list(answered.values_list("assigned_by", "is_right").order_by("pk"))
    open_turns = list(turns.filter(submitted_at=None, skipped_at=None).values_list("assigned_by"))
    counted = [is_right for _by, is_right in rows][-settings.qualification_items :]
    skipped = turns.filter(submitted_at=None, skipped_at__isnull=False).count()
    counted += [False] * min(skipped, settings.qualification_items - len(counted))
    further = [by for by, _right in rows if by] + [by for (by,) in open_turns if by]
    left = 0
    if not further and len(rows) + len(open_turns) < settings.qualification_items:
        left = controls_for(reviewer, ControlUse.QUALIFICATION).count()
    first = min(settings.qualification_items, len(rows) + len(open_turns) + left)
    first = max(first, len(rows))
    return Round(
        state=_state(counted, is_going=bool(open_turns or left), bar=settings.qualification_bar),
        done=sum(bool(by) for by, _right in rows) if further else len(rows),
        wanted=len(further) if further else first,
        right=sum(counted),
        counted=len(counted),
        bar=settings.qualification_bar,
        is_further=bool(further),
    )


def _turns(reviewer: User) -> QuerySet[Assignment]:
    return Assignment.objects.filter(reviewer=reviewer, purpose=Purpose.QUALIFICATION)


def _state(counted: list[bool], *, is_going: bool, bar: int) -> RoundState:
    if is_going:
        return RoundState.GOING
    if not counted:
        return RoundState.NO_ITEMS
    has_passed = sum(counted) * 100 >= bar * len(counted)
    return RoundState.PASSED if has_passed else RoundState.FAILED


def next_in_round(reviewer: User, *, now: datetime) -> Assignment | None:
    """Give the person the next item of their round, in the order that is the same for all.

    A turn of the round that had ended goes on. None where nothing is left of the round.
    """
    ended = _turns(reviewer).filter(submitted_at=None, skipped_at=None, parked_at=None)
    if own := ended.order_by("pk").first():
        return give(own, now=now)
    revision = controls_for(reviewer, ControlUse.QUALIFICATION).first()
    if revision is None:
        return None
    turn = Assignment(revision=revision, reviewer=reviewer, purpose=Purpose.QUALIFICATION)
    return give(turn, now=now)


def settle_round(*, reviewer: User, settings: Project, now: datetime) -> Round:
    """Qualify the person where their round is over and passed; return where they stand.

    That they did not pass is written down once a round. The caller is in a transaction that holds
    a lock of theirs.
    """
    stands = round_of(reviewer, settings)
    if stands.state is RoundState.PASSED:
        _qualify(reviewer, now=now)
    elif stands.state is RoundState.FAILED:
        _note_failure(reviewer.profile, stands)
    return stands


def _note_failure(profile: Profile, stands: Round) -> None:
    """Write down that the round is not passed, where the trail does not say so of this round."""
    result = [stands.right, stands.counted, stands.done, stands.bar]
    noted = AuditEvent.objects.filter(
        action=_FAILED, subject="profile", subject_id=profile.pk, after=audit.state_digest(result)
    )
    if not noted.exists():
        words = f"{stands.right} of {stands.counted} right, {stands.bar} % wanted"
        audit.record(_FAILED, profile, after=result, detail=words)


def _qualify(reviewer: User, *, now: datetime) -> None:
    profile = Profile.objects.select_for_update().get(user=reviewer)
    if profile.qualified_at is None:
        profile.qualified_at = now
        profile.save(update_fields=["qualified_at"])
        audit.record("reviewer.qualified", profile, after=now)


@transaction.atomic
def let_try_further(*, lead: User, reviewer: User, now: datetime) -> int:
    """Give a person who failed as many further items as the round has; return how many.

    Where fewer are left that they have not seen, they get those.

    Raises:
        QualificationRefused: they have not failed a round, or no further item is left.
    """
    settings = project()
    profile = Profile.objects.select_for_update().filter(user=reviewer).first()
    if profile is None or not must_qualify(profile, settings):
        stands = None
    else:
        stands = round_of(reviewer, settings)
    if stands is None or stands.state is not RoundState.FAILED:
        msg = "Only who did not pass the qualification round can try further items."
        raise QualificationRefused(msg)
    further = controls_for(reviewer, ControlUse.QUALIFICATION)[: settings.qualification_items]
    turns = [
        Assignment.objects.create(
            revision=revision,
            reviewer=reviewer,
            purpose=Purpose.QUALIFICATION,
            assigned_by=lead,
            leased_until=long_lease_end(now),
        )
        for revision in further
    ]
    if not turns:
        msg = "No qualification item is left that this person has not seen: make some, or vouch."
        raise QualificationRefused(msg)
    audit.record(
        "reviewer.may_try_further", reviewer.profile, actor=lead, detail=f"{len(turns)} items"
    )
    return len(turns)
