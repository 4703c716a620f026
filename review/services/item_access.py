"""Which items a lead may open whole: those they will not review any more, by rule or by choice."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from generation.models import Candidate, CandidateState, Revision
from generation.services import audit
from review.models import Assignment

GIVEN_UP = "opened the item as a lead"


class OwnTurnOpen(Exception):
    """The lead has a turn at the item: it must be submitted or skipped before they read on."""

    def __init__(self, assignment: Assignment) -> None:
        super().__init__("you have a turn at this item: submit or skip it first")
        self.assignment = assignment


def open_turn(*, lead: User, candidate: Candidate) -> Assignment | None:
    """Return the lead's own turn at the item that they may still submit, lapsed or not."""
    return Assignment.objects.filter(
        revision__candidate=candidate,
        revision__superseded_at=None,
        reviewer=lead,
        submitted_at=None,
        skipped_at=None,
    ).first()


def own_open_turns(lead: User) -> dict[int, int]:
    """Return the lead's own turns that they may still submit, by current revision; in one query."""
    turns = Assignment.objects.filter(
        revision__superseded_at=None, reviewer=lead, submitted_at=None, skipped_at=None
    )
    return dict(turns.values_list("revision", "pk"))


def may_open_item(*, lead: User, candidate: Candidate) -> bool:
    """Return whether gold, findings and reviews can't bias a review that the lead may still write.

    That holds once the lead has had their turn at the current revision, or where no turn at it
    is given any more. A lead with an open turn reads nothing.
    """
    turns = Assignment.objects.filter(
        revision__candidate=candidate, revision__superseded_at=None, reviewer=lead
    )
    if turn := turns.first():
        return turn.submitted_at is not None or turn.skipped_at is not None
    return candidate.state in {
        CandidateState.APPROVED,
        CandidateState.REJECTED,
        CandidateState.DISPUTED,
    }


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
