"""Frozen releases: immutable by trigger, holding the very text that an export writes."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from generation.models import Revision
from generation.models.fields import OrderedJSONField


class Validation(models.TextChoices):
    """Whether people validated what a release holds."""

    REVIEWED = "reviewed"
    IMPORTED = "imported"


class Release(models.Model):
    """A versioned, hashed set of settled revisions.

    ``digest`` is over the content of all items and prompt heads; ``files`` are the small files
    of the native export (prompt heads, card, scorer) as text by path, so that an export copies
    what was frozen and later code can't change it. ``left_out`` names what did not enter and why.
    """

    name = models.CharField(max_length=100)
    version = models.CharField(max_length=60, unique=True)
    frozen_at = models.DateTimeField()
    frozen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="releases"
    )
    validation = models.CharField(max_length=8, choices=Validation)
    shots = models.PositiveSmallIntegerField()
    code_version = models.CharField(max_length=40)
    digest = models.CharField(max_length=64)
    canary = models.CharField(max_length=100)
    manifest = OrderedJSONField(default=dict)
    files = OrderedJSONField(default=dict)
    left_out = OrderedJSONField(default=list)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                name="release_validation_known", condition=Q(validation__in=Validation.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


class ItemRole(models.TextChoices):
    """What a revision is for in a release."""

    TEST = "test"
    SHOT = "shot"


class ReleaseItem(models.Model):
    """A revision in a release.

    ``line`` is the item's exact JSON line, compressed; ``review`` the line of ``reviews.jsonl``.
    A worked example (shot) has neither: its text stands in the prompt head.
    """

    release = models.ForeignKey(Release, models.PROTECT, related_name="items")
    revision = models.ForeignKey(Revision, models.PROTECT, related_name="release_items")
    role = models.CharField(max_length=4, choices=ItemRole)
    subtask = models.CharField(max_length=40)
    item_id = models.CharField(max_length=40)
    sha256 = models.CharField(max_length=64)
    line = models.BinaryField()
    review = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["release", "subtask", "item_id"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="release_item_id_once", fields=["release", "item_id"]),
            models.UniqueConstraint(
                name="release_holds_a_revision_once", fields=["release", "revision"]
            ),
            models.CheckConstraint(
                name="release_item_role_known", condition=Q(role__in=ItemRole.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} in {self.release}"
