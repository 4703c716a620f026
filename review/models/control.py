"""Control items: questions whose right review is known, to see how well people review."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from generation.models import Candidate
from review.models.review import Decision, RejectReason


class ControlUse(models.TextChoices):
    """Where a control item is given."""

    QUEUE = "queue"
    QUALIFICATION = "qualification"


class Control(models.Model):
    """The known review of a candidate, and why it is so in the guidelines' words.

    The candidate's ``is_control`` is set together with it: neither ever enters a release or
    agreement. A control that is ``retired_at`` some time is given to nobody any more.
    """

    candidate = models.OneToOneField(Candidate, models.PROTECT, related_name="control")
    use = models.CharField(max_length=13, choices=ControlUse)
    decision = models.CharField(max_length=7, choices=Decision)
    reject_reason = models.CharField(max_length=16, choices=RejectReason, blank=True)
    why = models.TextField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    retired_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="control_use_known", condition=Q(use__in=ControlUse.values)
            ),
            models.CheckConstraint(
                name="control_is_approved_or_rejected",
                condition=Q(decision=Decision.APPROVE, reject_reason="")
                | Q(decision=Decision.REJECT, reject_reason__in=RejectReason.values),
            ),
            models.CheckConstraint(name="control_explained", condition=~Q(why="")),
        ]

    def __str__(self) -> str:
        return f"{self.decision} {self.candidate}"
