"""The guidelines that leads keep: every version stays."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

LANGUAGES = ["en", "zh-hans"]


class GuidelineVersion(models.Model):
    """One version of the guidelines in one language; ``body`` is Markdown. Immutable by trigger.

    ``note`` says what changed. Before the first version the page shows the project's own text.
    """

    language = models.CharField(max_length=7)
    number = models.PositiveIntegerField()
    body = models.TextField()
    note = models.TextField(blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="guideline_number_once", fields=["language", "number"]),
            models.CheckConstraint(
                name="guideline_language_known", condition=Q(language__in=LANGUAGES)
            ),
            models.CheckConstraint(name="guideline_has_a_body", condition=~Q(body="")),
        ]

    def __str__(self) -> str:
        return f"guidelines {self.number} ({self.language})"
