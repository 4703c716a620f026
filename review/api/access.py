"""Which items a lead may read whole through the API: the rule of the item page, for many at once."""

from http import HTTPStatus

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet

from generation.models import Candidate, CandidateState
from review.api.problems import Problem
from review.models import Assignment

_SETTLED = (CandidateState.APPROVED, CandidateState.REJECTED, CandidateState.DISPUTED)


def openable(lead: User) -> QuerySet[Candidate]:
    """Return the items whose gold, findings and reviews can't bias a review of this lead.

    They have had their turn at the current revision, or no turn at it is given any more.
    """
    turns = Assignment.objects.filter(
        revision__candidate=OuterRef("pk"), revision__superseded_at=None, reviewer=lead
    )
    is_over = Q(submitted_at__isnull=False) | Q(skipped_at__isnull=False)
    return Candidate.objects.filter(
        Exists(turns.filter(is_over)) | (Q(state__in=_SETTLED) & ~Exists(turns))
    )


def open_turns(reviewer: User) -> QuerySet[Assignment]:
    """Return the turns that the person may still submit, lapsed or not."""
    return Assignment.objects.filter(
        reviewer=reviewer, submitted_at=None, skipped_at=None, revision__superseded_at=None
    )


def require_openable(lead: User, pk: int) -> None:
    """Refuse an item that the lead may still review.

    Raises:
        Problem: 409, with what to do about it.
    """
    if openable(lead).filter(pk=pk).exists():
        return
    if open_turns(lead).filter(revision__candidate=pk).exists():
        words = "You have a turn at this item: submit or skip it before you read on."
        raise Problem(HTTPStatus.CONFLICT, words, code="own_turn_open")
    words = (
        "You could still be given this item to review. To read it whole, give that up: "
        f"POST to candidates/{pk}/open."
    )
    raise Problem(HTTPStatus.CONFLICT, words, code="not_opened")
