"""A reviewer's turn under its lock: its item, its blind answer, and whether it has a place."""

from dataclasses import dataclass
from datetime import datetime

from generation.models import Candidate, CandidateState, Revision
from review.authentication import is_lead
from review.models import Assignment, BlindAnswer, Purpose
from review.services.places import taken_places, was_returned
from review.services.project import reviews_wanted
from review.services.refusals import FieldsRefused


class ReviewRefused(FieldsRefused):
    """What was sent of a turn breaks rules."""


def locked_candidate(assignment: Assignment) -> Candidate:
    """Lock the item of a turn and return it: before the turn itself, as all who lock both do."""
    return Candidate.objects.select_for_update(of=("self",)).get(revisions=assignment.revision_id)


def locked_turn(assignment: Assignment) -> Assignment:
    """Lock the turn and return it with what storing needs: not the source's or item's own texts."""
    turns = Assignment.objects.select_for_update(of=("self",)).select_related(
        "reviewer__profile", "revision__candidate__source"
    )
    return turns.defer(
        "revision__slots",
        "revision__candidate__source__raw",
        "revision__candidate__source__outcome",
        "revision__candidate__source__tools",
    ).get(pk=assignment.pk)


def answer_of(turn: Assignment) -> BlindAnswer | None:
    """Return the blind answer that came with a turn, None while the blind phase lasts."""
    try:
        return turn.blind_answer
    except BlindAnswer.DoesNotExist:
        return None


def stored_answer(turn: Assignment) -> BlindAnswer | None:
    """Return the answer of a locked turn; read after the lock, since it may have waited for it."""
    return BlindAnswer.objects.filter(assignment=turn).first()


@dataclass(frozen=True, slots=True)
class TurnPlace:
    """Whether a review finds a free place, beside which ``reviews`` of how many ``wanted``."""

    is_free: bool
    reviews: tuple[int, ...] = ()
    wanted: int = 0


def place_of(
    turn: Assignment, revision: Revision, candidate: Candidate, *, now: datetime
) -> TurnPlace:
    """Return whether the review counts: a running lease holds its place, a late one needs one.

    A lead's late one never does once the revision came back from a dispute: while it was in
    dispute, its page showed leads what the others said. Nor does one that comes after they
    skipped the item, since that opened its page to them.
    """
    if turn.purpose != Purpose.WORK:
        return TurnPlace(is_free=True)  # a control item has no places, and looks like any other
    if candidate.state != CandidateState.IN_REVIEW or revision.superseded_at:
        return TurnPlace(is_free=False)
    if candidate.is_control:
        return TurnPlace(is_free=False)
    if is_lead(turn.reviewer) and (
        turn.skipped_at or (turn.leased_until <= now and was_returned(revision))
    ):
        return TurnPlace(is_free=False)
    others = [held for held in taken_places(revision.pk, now=now) if held.turn != turn.pk]
    reviews = tuple(held.review for held in others if held.review is not None)
    wanted = reviews_wanted(candidate.subtask)
    return TurnPlace(is_free=len(others) < wanted, reviews=reviews, wanted=wanted)
