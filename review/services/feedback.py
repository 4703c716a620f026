"""What a new reviewer learns after an item of the qualification round."""

from dataclasses import dataclass

from review.models import Assignment, BlindAnswer, Control, Purpose, Review
from review.services.project import project
from review.services.qualification import Round, round_of


@dataclass(frozen=True, slots=True)
class Feedback:
    """A review of an item of the round beside what is known of the item."""

    review: Review
    answer: BlindAnswer
    control: Control
    round: Round

    @property
    def is_right(self) -> bool:
        """Whether the reviewer decided as is known."""
        return self.review.decision == self.control.decision


def feedback_on(turn: Assignment) -> Feedback | None:
    """Return what the reviewer may learn of their turn, None before its review is stored.

    None for every item that is not of the qualification round, control items of the queue above
    all. Their blind answer must be loaded with the turn.
    """
    if turn.purpose != Purpose.QUALIFICATION:
        return None
    review = Review.objects.filter(assignment=turn, undone_at=None).first()
    control = Control.objects.filter(candidate=turn.revision.candidate_id).first()
    if review is None or control is None:
        return None
    return Feedback(review, turn.blind_answer, control, round_of(turn.reviewer, project()))
