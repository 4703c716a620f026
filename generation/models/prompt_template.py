"""Prompts that were imported together with a set of questions."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from generation.models.candidate import subtask_choices
from generation.models.text import Text


class PromptTemplate(models.Model):
    """The text of a subtask's prompt as its file had it; of several the latest import is used.

    ``digest`` is that of the original text, ``place`` its file below the set's folder.
    """

    subtask = models.CharField(max_length=40, choices=subtask_choices)
    digest = models.CharField(max_length=64)
    text = models.ForeignKey(Text, models.PROTECT, related_name="+")
    place = models.TextField()
    imported_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="prompt_template_once_per_subtask", fields=["subtask", "digest"]
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subtask} {self.place}"
