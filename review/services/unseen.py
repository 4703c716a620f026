"""Stores a blind answer and a review that were stated together, without sight of gold.

Programs send both at once. What the review says of gold then holds on one condition only: that
gold is the answer they gave.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from generation.models import Candidate
from review.core.review_answers import ReviewAnswers
from review.models import Assignment, BlindAnswer, Review
from review.services.reviews import ReviewRefused, submit_review


class GoldDiffers(Exception):
    """The review approves, but gold is not the answer given: it must be looked at first."""


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
    answer_first: Callable[[], BlindAnswer],
    form_key: UUID,
    answers: ReviewAnswers,
    now: datetime,
) -> Unseen:
    """Store what ``answer_first`` stores, then the review, in one transaction.

    A review that is refused leaves the blind answer stored, since the refusal tells of gold and
    findings: from then on the open phase is on. The verdict on an option that turns out to be
    gold is dropped.

    Raises:
        AlreadySubmitted: the turn has a review from another form.
        Exception: whatever ``answer_first`` raises; nothing is stored then.
    """
    # The candidate first, then the turn: the order in which a submit locks them.
    Candidate.objects.select_for_update(of=("self",)).get(revisions=assignment.revision_id)
    answer = answer_first()
    stands = Review.objects.filter(assignment=assignment, form_key=form_key, undone_at=None)
    if answers.decision == "approve" and not answer.matches_gold and not stands.exists():
        return Unseen(answer, None, GoldDiffers())
    try:
        review = submit_review(assignment=assignment, form_key=form_key, answers=answers, now=now)
    except ReviewRefused as refused:
        return Unseen(answer, None, refused)
    return Unseen(answer, review)
