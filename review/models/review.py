"""What a reviewer says: the blind answer, then the review with its verdicts. Appended only."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from generation.models import Option, Revision
from generation.models.fields import OrderedJSONField
from review.models.assignment import Assignment


class Decision(models.TextChoices):
    """What a reviewer decides of a revision."""

    APPROVE = "approve"
    REJECT = "reject"
    EDIT = "edit"


class RejectReason(models.TextChoices):
    """Why a question can't be used; ``other`` needs words."""

    BAD_QUESTION = "bad_question"
    BAD_OPTIONS = "bad_options"
    NO_CORRECT = "no_correct"
    MULTIPLE_CORRECT = "multiple_correct"
    WRONG_GOLD = "wrong_gold"
    LEAK = "leak"
    CONTAMINATED = "contaminated"
    HARMFUL = "harmful"
    OTHER = "other"


class OptionVerdictValue(models.TextChoices):
    """What a reviewer says of a distractor."""

    VALID = "valid"
    ALSO_CORRECT = "also_correct"
    TOO_EASY = "too_easy"
    MALFORMED = "malformed"
    DUPLICATE = "duplicate"


class BlindAnswer(models.Model):
    """The answer a reviewer gave before gold was shown; stored before gold is served.

    ``positions`` are option positions in the given order (never displayed letters); ``text`` is
    the answer to a completion item, empty where it is ``not_determined`` by the prompt.
    ``matches_gold`` is what the scorer says of it.
    """

    assignment = models.OneToOneField(Assignment, models.PROTECT, related_name="blind_answer")
    positions = OrderedJSONField(default=list)
    text = models.TextField(blank=True)
    not_determined = models.BooleanField(default=False)
    confidence = models.PositiveSmallIntegerField()
    matches_gold = models.BooleanField()
    active_seconds = models.FloatField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="blind_confidence_1_to_5", condition=Q(confidence__gte=1, confidence__lte=5)
            ),
            models.CheckConstraint(
                name="blind_time_not_negative", condition=Q(active_seconds__gte=0)
            ),
        ]

    def __str__(self) -> str:
        return f"blind answer of {self.assignment}"


class Review(models.Model):
    """A reviewer's whole decision on a revision.

    ``is_counted`` is false for an extra review: one that came after its lease when the place was
    taken. ``undone_at`` is set once, when the reviewer takes the review back. Ratings go from 0
    (no problem) to 3 (unusable). ``source_is_success`` is the reviewer's word on a run whose
    success was not known; ``same_meaning`` says that an own answer in other words means gold.
    ``form_key`` is the page's idempotency key: the same form stores one review.
    """

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="reviews")
    form_key = models.UUIDField()
    decision = models.CharField(max_length=7, choices=Decision)
    well_specified = models.PositiveSmallIntegerField()
    well_specified_why = models.TextField(blank=True)
    gold_quality = models.PositiveSmallIntegerField()
    gold_quality_why = models.TextField(blank=True)
    same_meaning = models.BooleanField(default=False)
    source_is_success = models.BooleanField(null=True)
    reject_reason = models.CharField(max_length=16, choices=RejectReason, blank=True)
    comment = models.TextField(blank=True)
    edited_revision = models.ForeignKey(Revision, models.PROTECT, null=True, related_name="+")
    saw_what_follows = models.BooleanField(default=False)
    is_counted = models.BooleanField()
    active_seconds = models.FloatField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="review_once_per_form", fields=["assignment", "form_key"]),
            models.UniqueConstraint(
                name="review_one_standing_per_assignment",
                fields=["assignment"],
                condition=Q(undone_at=None),
            ),
            models.CheckConstraint(
                name="review_decision_known", condition=Q(decision__in=Decision.values)
            ),
            models.CheckConstraint(
                name="review_ratings_0_to_3",
                condition=Q(well_specified__lte=3, gold_quality__lte=3),
            ),
            models.CheckConstraint(
                name="review_rejected_with_a_known_reason",
                condition=Q(decision=Decision.REJECT, reject_reason__in=RejectReason.values)
                | (~Q(decision=Decision.REJECT) & Q(reject_reason="")),
            ),
            models.CheckConstraint(
                name="review_other_reason_explained",
                condition=~Q(reject_reason=RejectReason.OTHER) | ~Q(comment=""),
            ),
            models.CheckConstraint(
                name="review_bad_rating_explained",
                condition=(Q(well_specified__lte=1) | ~Q(well_specified_why=""))
                & (Q(gold_quality__lte=1) | ~Q(gold_quality_why="")),
            ),
            models.CheckConstraint(
                name="review_time_not_negative", condition=Q(active_seconds__gte=0)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.decision} by {self.assignment.reviewer}"


class OptionVerdict(models.Model):
    """What a review says of one distractor."""

    review = models.ForeignKey(Review, models.PROTECT, related_name="option_verdicts")
    option = models.ForeignKey(Option, models.PROTECT, related_name="verdicts")
    verdict = models.CharField(max_length=12, choices=OptionVerdictValue)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="option_verdict_once_per_review", fields=["review", "option"]
            ),
            models.CheckConstraint(
                name="option_verdict_known", condition=Q(verdict__in=OptionVerdictValue.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verdict} {self.option}"
