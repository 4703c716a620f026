"""Candidate questions, their immutable versions, and the options of a version."""

from collections.abc import Mapping
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.functional import cached_property

from generation.core.registry import SUBTASKS
from generation.models.fields import OrderedJSONField
from generation.models.llm_call import LLMCall
from generation.models.source import Source


class CandidateState(models.TextChoices):
    """Where a candidate stands on its way into a release."""

    DRAFT = "draft"
    CHECKED = "checked"
    IN_REVIEW = "in_review"
    DISPUTED = "disputed"
    APPROVED = "approved"
    REJECTED = "rejected"


def subtask_choices() -> list[tuple[str, str]]:
    """Return the names of all subtasks, as choices; a new subtask needs no migration."""
    return [(name, name) for name in SUBTASKS]


class Candidate(models.Model):
    """A question under review: what it asks is in its revisions.

    ``cut`` is the 1-based step asked for; 0 for a question that was imported ready-made.
    """

    subtask = models.CharField(max_length=40, choices=subtask_choices)
    source = models.ForeignKey(Source, models.PROTECT, related_name="candidates")
    cut = models.PositiveIntegerField()
    state = models.CharField(
        max_length=9, choices=CandidateState, default=CandidateState.DRAFT, db_index=True
    )
    is_control = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        indexes: ClassVar = [
            models.Index(
                name="candidates_in_review",
                fields=["id"],
                condition=Q(state=CandidateState.IN_REVIEW),
            ),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="candidate_once_per_cut", fields=["subtask", "source", "cut"]
            ),
            models.CheckConstraint(
                name="candidate_state_known", condition=Q(state__in=CandidateState.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.subtask} {self.pk}"


class RevisionQuerySet(models.QuerySet["Revision"]):
    """Reads of revisions that more than one caller needs."""

    def current(self) -> Self:
        """The latest revision of each candidate: the one under review."""
        return self.filter(superseded_at=None)

    def with_content(self) -> Self:
        """With candidate, source, its texts and options loaded, in four queries."""
        return self.select_related(
            "candidate__source__task", "candidate__source__system"
        ).prefetch_related("options")


class Revision(models.Model):
    """An immutable version of a candidate; reviews attach to it.

    ``slots`` are the item's own texts (the history comes from the source); ``gold`` is a list of
    labels of the options in their given order (choice formats) or of accepted texts
    (completion). Only ``superseded_at`` and ``checked_at`` are ever set later.
    """

    candidate = models.ForeignKey(Candidate, models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    slots = OrderedJSONField(default=dict)
    gold = OrderedJSONField(default=list)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="revisions"
    )
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    checked_at = models.DateTimeField(null=True)
    superseded_at = models.DateTimeField(null=True)

    objects = RevisionQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(name="revision_number_once", fields=["candidate", "number"]),
            models.UniqueConstraint(
                name="revision_one_current_per_candidate",
                fields=["candidate"],
                condition=Q(superseded_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.candidate} revision {self.number}"

    @cached_property
    def option_keys(self) -> Mapping[int, int]:
        """Keys of the options by position, read once: those of a revision in review never change."""
        return dict(self.options.order_by("position").values_list("position", "pk"))


class Option(models.Model):
    """What is chosen from, in the given order; where it came from and why it is right or wrong.

    The given order never reaches a reviewer or an export of a reviewed release: both shuffle.
    """

    revision = models.ForeignKey(Revision, models.PROTECT, related_name="options")
    position = models.PositiveSmallIntegerField()
    text = models.TextField()
    operator = models.CharField(max_length=40)
    reason = models.TextField(blank=True)
    model = models.CharField(max_length=200, blank=True)
    prompt_version = models.CharField(max_length=40, blank=True)
    seed = models.BigIntegerField(null=True)
    llm_call = models.ForeignKey(LLMCall, models.PROTECT, null=True, related_name="options")

    class Meta:
        ordering: ClassVar = ["revision", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="option_position_once", fields=["revision", "position"]),
            models.CheckConstraint(name="option_has_a_label", condition=Q(position__lt=26)),
        ]

    def __str__(self) -> str:
        return f"{self.position}: {self.text[:40]}"
