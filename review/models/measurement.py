"""Results that take too long for a page: kept as they were computed, and computed anew by request."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from generation.models.fields import OrderedJSONField


class Measurement(models.Model):
    """The latest result of one named computation, and how far the next one is.

    ``seen`` tells what it was computed from, so that a page can say what came since. A run holds
    the row until ``leased_until``; after that another may begin it again. ``done`` of ``total``
    parts are ready while it runs.
    """

    name = models.CharField(max_length=60, unique=True)
    data = OrderedJSONField(default=dict)
    seen = models.CharField(max_length=100, blank=True)
    made_at = models.DateTimeField(null=True)
    seconds = models.FloatField(default=0)
    asked_at = models.DateTimeField(null=True)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    leased_until = models.DateTimeField(null=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    failure = models.TextField(blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="measurement_time_not_negative", condition=Q(seconds__gte=0)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_asked(self) -> bool:
        """Whether a new result was asked for and is not there yet."""
        return self.asked_at is not None
