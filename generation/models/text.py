"""Long texts, stored once by content."""

from django.db import models
from django.db.models.functions import Now


class Text(models.Model):
    """A text that sources share; its digest is that of the original, before storing made it fit."""

    digest = models.CharField(max_length=64, unique=True)
    body = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    def __str__(self) -> str:
        return f"{self.body[:40]!r} ({len(self.body)} characters)"
