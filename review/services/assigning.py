"""A lead gives an item to a person: it holds a place for them and comes first in their queue."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from generation.models import Candidate, CandidateState, Revision
from generation.services import audit
from review.models import Assignment, Profile, Project
from review.services.leases import long_lease_end
from review.services.places import taken_places
from review.services.project import project, wanted_in
from review.services.qualification import must_qualify
from review.services.waiting import may_have_read, subtasks_for

NO_ROLE = "This person has no role in the project."
WROTE = "This person wrote the item."
REVIEWED = "This person has reviewed the item."
SKIPPED = "This person has skipped the item."
CANNOT_JUDGE = "This person's languages and scenarios do not cover the item."
MAY_HAVE_READ = "As a lead this person may have read what others said of the item."
NOT_QUALIFIED = "This person has still to qualify: vouch for them first."


class AssigningRefused(Exception):
    """The item can't be given to this person; ``why`` is a sentence for the lead."""

    why = "This item can't be given to this person."

    def __init__(self) -> None:
        super().__init__(self.why)


class NotInReview(AssigningRefused):
    """The item waits for no review: settled, disputed, superseded, or a control item."""

    why = "This item waits for no review."


class NoFreePlace(AssigningRefused):
    """As many people as are wanted have reviewed the item or are at it."""

    why = "All places of this item are taken."


class NotForThem(AssigningRefused):
    """The person may not review this item; ``why`` says the reason."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__()


@transaction.atomic
def assign(
    *, lead: User, revision: Revision, reviewer: User, now: datetime, within: str = ""
) -> Assignment:
    """Give the revision to ``reviewer`` for some days and return their turn.

    Where they are at it already, their turn is kept for as long. Nobody else's turn ends. The
    trail names ``within``, what it is a part of.

    Raises:
        NotInReview: it waits for no review.
        NotForThem: they wrote it, reviewed or skipped it, can't judge it, have still to qualify,
            or could read what others said of it.
        NoFreePlace: no place is free.
    """
    # The profile first, then the candidate: the order in which a claim locks them.
    profile = Profile.objects.select_for_update().filter(user=reviewer).first()
    candidate = Candidate.objects.select_for_update(of=("self",)).get(revisions=revision.pk)
    fresh = Revision.objects.current().filter(pk=revision.pk).first()
    if fresh is None or candidate.state != CandidateState.IN_REVIEW or candidate.is_control:
        raise NotInReview
    # Locked: a draft, a skip or a question that comes at this moment must not be written over.
    own = Assignment.objects.select_for_update().filter(revision=fresh, reviewer=reviewer).first()
    settings = project()
    if why := _why_not(profile, fresh, candidate, own) or _not_qualified(profile, settings):
        raise NotForThem(why)
    others = [held for held in taken_places(fresh.pk, now=now) if held.reviewer != reviewer.pk]
    if len(others) >= wanted_in(settings, candidate.subtask):
        raise NoFreePlace
    turn = own or Assignment(revision=fresh, reviewer=reviewer)
    return _give(turn, lead=lead, now=now, within=within)


def _why_not(
    profile: Profile | None,
    revision: Revision,
    candidate: Candidate,
    own: Assignment | None,
) -> str:
    """Return why the person may not review the revision, empty where they may."""
    if profile is None or not profile.user.is_active:
        return NO_ROLE
    reviewer = profile.user
    if revision.author_id == reviewer.pk:
        return WROTE
    if own and own.submitted_at:
        return REVIEWED
    if own and own.skipped_at:
        return SKIPPED
    if candidate.subtask not in subtasks_for(reviewer):
        return CANNOT_JUDGE
    if may_have_read(reviewer, revision):
        return MAY_HAVE_READ
    return ""


def _not_qualified(profile: Profile | None, settings: Project) -> str:
    """Return that the person has still to qualify, empty where they need not."""
    if profile is not None and must_qualify(profile, settings):
        return NOT_QUALIFIED
    return ""


def _give(turn: Assignment, *, lead: User, now: datetime, within: str) -> Assignment:
    """Store the turn, new or running, as given by the lead."""
    turn.assigned_by, turn.expired_at = lead, None
    turn.leased_until = long_lease_end(now)
    if turn.pk:
        turn.save(update_fields=["assigned_by", "expired_at", "leased_until"])
    else:
        turn.save(force_insert=True)
    audit.record(
        "assignment.given_by_lead",
        turn,
        actor=lead,
        after=turn.leased_until,
        detail=", ".join(filter(None, [turn.reviewer.get_username(), within])),
    )
    return turn
