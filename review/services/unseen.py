"""Stores a blind answer and a review that were stated together, without sight of gold.

Programs send both at once. What the review says of gold then holds on one condition only: that
gold is the answer they gave.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from generation.services.texts import storable
from review.core.review_answers import ReviewAnswers
from review.models import Assignment, BlindAnswer, Review
from review.services.blind_answers import answer_locked
from review.services.reviews import submit_locked
from review.services.turns import ReviewRefused, locked_candidate, locked_turn


class AnsweredOtherwise(Exception):
    """Another blind answer is stored already, and never changes."""


class GoldDiffers(Exception):
    """The review approves, but gold is not the answer given: it must be looked at first."""


@dataclass(frozen=True, slots=True)
class BlindFields:
    """A blind answer as sent: as ``answer_blind`` takes it."""

    positions: Sequence[int]
    text: str
    not_determined: bool
    confidence: int
    active_seconds: float

    def is_said_by(self, stored: BlindAnswer) -> bool:
        """Return whether a stored answer says the same, whatever the time it took."""
        return (
            list(stored.positions) == sorted(set(self.positions))
            and (stored.not_determined or stored.text == storable(self.text))
            and stored.not_determined == self.not_determined
            and stored.confidence == self.confidence
        )


@dataclass(frozen=True, slots=True)
class Unseen:
    """What was stored: the blind answer always, the review unless it was ``refused``."""

    answer: BlindAnswer
    review: Review | None
    refused: ReviewRefused | GoldDiffers | None = None


@transaction.atomic
def answer_and_review(
    *,
    assignment: Assignment,
    blind: BlindFields,
    form_key: UUID,
    answers: ReviewAnswers,
    now: datetime,
) -> Unseen:
    """Store a blind answer, then the review, in one transaction.

    A review that is refused leaves the blind answer stored, since the refusal tells of gold and
    findings: from then on the open phase is on. The verdict on an option that turns out to be
    gold is dropped.

    Raises:
        AlreadySubmitted: the turn has a review from another form.
        AnsweredOtherwise: another blind answer is stored.
        ReviewRefused: the blind answer is none; nothing is stored then.
    """
    candidate = locked_candidate(assignment)
    turn = locked_turn(assignment)
    answer = answer_locked(
        turn,
        positions=blind.positions,
        text=blind.text,
        not_determined=blind.not_determined,
        confidence=blind.confidence,
        active_seconds=blind.active_seconds,
        now=now,
    )
    if not blind.is_said_by(answer):
        raise AnsweredOtherwise
    if answers.decision == "approve" and not answer.matches_gold and turn.submitted_at is None:
        return Unseen(answer, None, GoldDiffers())
    try:
        review = submit_locked(candidate, turn, answer, form_key=form_key, answers=answers, now=now)
    except ReviewRefused as refused:
        return Unseen(answer, None, refused)
    return Unseen(answer, review)
