"""The audit trail: who changed what, when; append-only by trigger."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class AuditEvent(models.Model):
    """One state change. ``before`` and ``after`` are digests of the state, empty for none."""

    at = models.DateTimeField(db_default=Now(), editable=False)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="audit_events"
    )
    action = models.CharField(max_length=60)
    subject = models.CharField(max_length=40)
    subject_id = models.BigIntegerField()
    before = models.CharField(max_length=64, blank=True)
    after = models.CharField(max_length=64, blank=True)
    detail = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        indexes: ClassVar = [
            models.Index(name="audit_by_subject", fields=["subject", "subject_id"]),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.subject} {self.subject_id}"
