"""What leads have read of sources outside of turns: no question about that is theirs to review."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from generation.models import Source

EVERYTHING = 2**31 - 1
"""``up_to`` of a source that was read whole, with how it ended."""


class SourceLook(models.Model):
    """The last step of a source that a person read; it only ever grows.

    A question asks for the step of its cut: one whose cut is not behind ``up_to`` is spoilt.
    """

    source = models.ForeignKey(Source, models.PROTECT, related_name="looks")
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="looks")
    up_to = models.PositiveIntegerField()
    looked_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="source_looked_at_once_a_person", fields=["reader", "source"]
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reader} of {self.source} up to {self.up_to}"
