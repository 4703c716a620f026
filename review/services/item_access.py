"""Which items a lead may open whole: those they will not review any more, by rule or by choice."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet

from generation.models import Candidate, CandidateState, Revision
from generation.services import audit
from review.models import Assignment

GIVEN_UP = "opened the item as a lead"
_SETTLED = (CandidateState.APPROVED, CandidateState.REJECTED, CandidateState.DISPUTED)


class OwnTurnOpen(Exception):
    """The lead has a turn at the item: it must be submitted or skipped before they read on."""

    def __init__(self, assignment: Assignment) -> None:
        super().__init__("you have a turn at this item: submit or skip it first")
        self.assignment = assignment


def open_turns(reviewer: User) -> QuerySet[Assignment]:
    """Return the turns at current texts that the person may still submit, lapsed or not."""
    return Assignment.objects.filter(
        reviewer=reviewer, submitted_at=None, skipped_at=None, revision__superseded_at=None
    )


def open_turn(*, lead: User, candidate: Candidate) -> Assignment | None:
    """Return the lead's own turn at the item that they may still submit, lapsed or not."""
    return open_turns(lead).filter(revision__candidate=candidate).first()


def openable(lead: User) -> QuerySet[Candidate]:
    """Return the items whose gold, findings and reviews can't bias a review of this lead.

    The lead has had their turn at the current revision, or no turn at it is given any more. With
    an open turn a lead reads nothing. Whatever shows more than a reviewer sees while blind, a
    page, a list, a filter, a file or the API, goes by this.
    """
    turns = Assignment.objects.filter(revision__superseded_at=None, reviewer=lead)
    over = turns.filter(Q(submitted_at__isnull=False) | Q(skipped_at__isnull=False))
    return Candidate.objects.filter(
        Q(pk__in=over.values("revision__candidate"))
        | Q(state__in=_SETTLED) & ~Q(pk__in=turns.values("revision__candidate"))
    )


def may_open_item(*, lead: User, candidate: Candidate) -> bool:
    """Return whether the item is one of those that the lead may read whole."""
    return openable(lead).filter(pk=candidate.pk).exists()


@transaction.atomic
def give_up_review(*, lead: User, candidate: Candidate, now: datetime) -> None:
    """Open the item to the lead; they are given no turn at its current revision any more.

    Raises:
        OwnTurnOpen: they are at it themselves.
        Revision.DoesNotExist: the candidate has no current revision.
    """
    Candidate.objects.select_for_update().get(pk=candidate.pk)
    if own := open_turn(lead=lead, candidate=candidate):
        raise OwnTurnOpen(own)
    revision = Revision.objects.current().get(candidate=candidate)
    turn, is_new = Assignment.objects.get_or_create(
        revision=revision,
        reviewer=lead,
        defaults={"leased_until": now, "skipped_at": now, "skip_reason": GIVEN_UP},
    )
    if is_new:
        audit.record("assignment.given_up", turn, actor=lead, detail=GIVEN_UP)
