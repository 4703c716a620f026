"""What automatic checks say about revisions."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from generation.models.candidate import Revision


class Finding(models.Model):
    """One thing a check found in a revision: kind, severity 0-3, place, evidence.

    ``field`` and the offsets are those of ``generation.core.items.Finding``; ``digest`` is over
    all of it, so that checking again adds nothing and a changed severity is another finding.
    """

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="findings")
    kind = models.CharField(max_length=60, db_index=True)
    severity = models.PositiveSmallIntegerField()
    field = models.CharField(max_length=20)
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)
    evidence = models.TextField(blank=True)
    source_step = models.PositiveIntegerField(null=True)
    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering: ClassVar = ["revision", "-severity", "field", "start", "kind"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="finding_once", fields=["revision", "digest"]),
            models.CheckConstraint(name="finding_severity_0_to_3", condition=Q(severity__lte=3)),
            models.CheckConstraint(
                name="finding_ends_after_its_start", condition=Q(end__gte=F("start"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} ({self.severity})"
