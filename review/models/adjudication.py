"""What leads and reviewers say beyond the review itself: settlements and finding verdicts."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from generation.models import Finding, Revision
from review.models.review import RejectReason, Review


class FindingVerdictValue(models.TextChoices):
    """What a person says of an automatic finding."""

    CONFIRMED = "confirmed"
    DISMISSED = "dismissed"


class Outcome(models.TextChoices):
    """What a lead does with a dispute."""

    APPROVE = "approve"
    REJECT = "reject"
    EDIT = "edit"
    RETURN = "return"


class Adjudication(models.Model):
    """A lead's decision on a dispute; one that settles comes once per revision."""

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="adjudications")
    lead = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="adjudications")
    outcome = models.CharField(max_length=7, choices=Outcome)
    reject_reason = models.CharField(max_length=16, choices=RejectReason, blank=True)
    note = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        indexes: ClassVar = [
            # Whatever counts reviews asks of each whether its revision was returned since.
            models.Index(
                name="adjudications_that_return",
                fields=["revision", "created_at"],
                condition=Q(outcome=Outcome.RETURN),
            ),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="adjudication_settles_once",
                fields=["revision"],
                condition=~Q(outcome=Outcome.RETURN),
            ),
            models.CheckConstraint(
                name="adjudication_outcome_known",
                condition=Q(outcome__in=Outcome.values),
            ),
            models.CheckConstraint(name="adjudication_explained", condition=~Q(note="")),
        ]

    def __str__(self) -> str:
        return f"{self.outcome} by {self.lead}"


class FindingVerdict(models.Model):
    """What a review, or a lead's adjudication, says of one finding."""

    finding = models.ForeignKey(Finding, models.PROTECT, related_name="verdicts")
    review = models.ForeignKey(Review, models.PROTECT, null=True, related_name="finding_verdicts")
    adjudication = models.ForeignKey(
        Adjudication, models.PROTECT, null=True, related_name="finding_verdicts"
    )
    verdict = models.CharField(max_length=9, choices=FindingVerdictValue)
    word = models.TextField(blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="finding_verdict_once_per_review", fields=["review", "finding"]
            ),
            models.CheckConstraint(
                name="finding_verdict_known", condition=Q(verdict__in=FindingVerdictValue.values)
            ),
            models.CheckConstraint(
                name="finding_verdict_by_review_or_lead",
                condition=Q(review=None, adjudication__isnull=False)
                | Q(review__isnull=False, adjudication=None),
            ),
            models.CheckConstraint(
                name="finding_override_explained", condition=Q(adjudication=None) | ~Q(word="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.verdict} {self.finding}"
