"""A revision given to one reviewer for a limited time."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from generation.models import Revision
from generation.models.fields import OrderedJSONField


class Purpose(models.TextChoices):
    """What a turn is for: reviews of the first kind alone settle items."""

    WORK = "work"
    CONTROL = "control"
    QUALIFICATION = "qualification"


class Assignment(models.Model):
    """One reviewer's turn at one revision; there is never a second.

    While ``leased_until`` is in the future or the turn is parked, and nothing is submitted, it
    holds one of the revision's places. A turn is parked from a question to a lead until the
    answer; ``assigned_by`` is the lead who gave it by hand. ``draft`` is what the page saved of
    unsent work: the one thing here that is overwritten.
    """

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="assignments")
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="assignments"
    )
    purpose = models.CharField(max_length=13, choices=Purpose, default=Purpose.WORK)
    assigned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    given_at = models.DateTimeField(db_default=Now(), editable=False)
    leased_until = models.DateTimeField()
    expired_at = models.DateTimeField(null=True)
    submitted_at = models.DateTimeField(null=True)
    parked_at = models.DateTimeField(null=True)
    skipped_at = models.DateTimeField(null=True)
    skip_reason = models.TextField(blank=True)
    draft = OrderedJSONField(default=dict)
    draft_saved_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(
                name="assignments_open_by_lease",
                fields=["leased_until"],
                condition=Q(submitted_at=None, skipped_at=None),
            ),
            # What somebody did and has begun, without reading the drafts beside it.
            models.Index(
                name="assignments_by_reviewer",
                fields=["reviewer", "submitted_at", "skipped_at", "revision", "draft_saved_at"],
            ),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="assignment_once_per_reviewer", fields=["revision", "reviewer"]
            ),
            models.CheckConstraint(
                name="assignment_purpose_known", condition=Q(purpose__in=Purpose.values)
            ),
            models.CheckConstraint(
                name="assignment_parked_only_while_open",
                condition=Q(parked_at=None) | Q(submitted_at=None, skipped_at=None),
            ),
            models.CheckConstraint(
                name="assignment_submitted_or_skipped_not_both",
                condition=Q(submitted_at=None) | Q(skipped_at=None),
            ),
            models.CheckConstraint(
                name="assignment_skipped_with_a_reason",
                condition=Q(skipped_at=None) | ~Q(skip_reason=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision} for {self.reviewer}"
