"""What people say about items beside a review: notes, questions to a lead, returned edits."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from generation.models import Revision
from review.models.assignment import Assignment


class Note(models.Model):
    """A remark on a revision: its writer and leads read it, other reviewers never do."""

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="notes")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="notes")
    text = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering: ClassVar = ["created_at", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(name="note_has_words", condition=~Q(text="")),
        ]

    def __str__(self) -> str:
        return self.text[:60]


class Question(models.Model):
    """What a reviewer who is unsure asks a lead; the turn is parked until the answer.

    One question of a turn is open at a time. An answer that is ``is_example`` stands in the
    guidelines as an example of the item's subtask.
    """

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="questions")
    text = models.TextField()
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    answer = models.TextField(blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    answered_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    is_example = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["asked_at", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(name="question_has_words", condition=~Q(text="")),
            models.UniqueConstraint(
                name="question_one_open_per_turn",
                fields=["assignment"],
                condition=Q(answered_at=None),
            ),
            models.CheckConstraint(
                name="question_answered_whole_or_not",
                condition=Q(answered_at=None, answered_by=None, answer="")
                | (Q(answered_at__isnull=False, answered_by__isnull=False) & ~Q(answer="")),
            ),
        ]

    def __str__(self) -> str:
        return self.text[:60]


class ReturnedEdit(models.Model):
    """An edited revision given back to the person who wrote it, with a comment.

    The candidate waits outside the queue until the author edits again or lets it stand.
    """

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="returns")
    returned_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    comment = models.TextField()
    returned_at = models.DateTimeField(db_default=Now(), editable=False)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="returned_edit_has_a_comment", condition=~Q(comment="")),
            models.UniqueConstraint(
                name="returned_edit_one_open_per_revision",
                fields=["revision"],
                condition=Q(closed_at=None),
            ),
        ]

    def __str__(self) -> str:
        return self.comment[:60]
