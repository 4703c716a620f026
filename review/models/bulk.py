"""What leads do to many items at once: each action is a row, and so is what it did to each item."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from generation.models import AuditEvent, Candidate
from generation.models.fields import OrderedJSONField


class BulkKind(models.TextChoices):
    """What is done to each of the items."""

    WITHDRAW = "withdraw"
    QUEUE = "queue"
    RETURN = "return"
    REJECT = "reject"
    GIVE = "give"
    CHECK = "check"


class BulkOutcome(models.TextChoices):
    """What became of one item: ``kept`` is one that was changed and that no undo puts back."""

    WAITING = "waiting"
    CHANGED = "changed"
    LEFT = "left"
    UNDONE = "undone"
    KEPT = "kept"


class BulkAction(models.Model):
    """One action on many items, done in runs of some items, each a transaction.

    ``form_key`` makes a form that is sent twice one action. ``asked`` holds what the lead gave
    with it: reason, note, whom to give to, whether items that somebody is at are meant too.
    ``query`` is the address's filter where all that it found were meant. ``worked_at`` is the last
    sign of life of who does it. An undo stops what is left and puts back what was done.
    """

    form_key = models.UUIDField(unique=True)
    kind = models.CharField(max_length=8, choices=BulkKind)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    asked = OrderedJSONField(default=dict)
    query = models.TextField(blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    worked_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    undo_asked_at = models.DateTimeField(null=True)
    undo_asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        ordering: ClassVar = ["-id"]
        indexes: ClassVar = [
            models.Index(
                name="bulk_actions_under_way", fields=["id"], condition=Q(finished_at=None)
            ),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="bulk_action_kind_known", condition=Q(kind__in=BulkKind.values)
            ),
            models.CheckConstraint(
                name="bulk_action_undone_by_somebody_at_some_time",
                condition=Q(undo_asked_at=None, undo_asked_by=None)
                | Q(undo_asked_at__isnull=False, undo_asked_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"bulk action {self.pk} {self.kind}"


class BulkItem(models.Model):
    """One item of an action: what became of it, why it was left or kept, how it had stood.

    ``before`` and ``after`` are what an undo compares and puts back; ``event`` is the entry of the
    trail that the action left.
    """

    bulk = models.ForeignKey(BulkAction, models.PROTECT, related_name="items")
    candidate = models.ForeignKey(Candidate, models.PROTECT, related_name="bulk_items")
    outcome = models.CharField(max_length=7, choices=BulkOutcome, default=BulkOutcome.WAITING)
    why = models.TextField(blank=True)
    before = OrderedJSONField(default=dict)
    after = OrderedJSONField(default=dict)
    event = models.ForeignKey(AuditEvent, models.PROTECT, null=True, related_name="+")

    class Meta:
        indexes: ClassVar = [
            models.Index(name="bulk_items_by_outcome", fields=["bulk", "outcome", "candidate"]),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(name="bulk_item_once", fields=["bulk", "candidate"]),
            models.CheckConstraint(
                name="bulk_item_outcome_known", condition=Q(outcome__in=BulkOutcome.values)
            ),
            models.CheckConstraint(
                name="bulk_item_left_or_kept_with_a_reason",
                condition=~Q(outcome__in=[BulkOutcome.LEFT, BulkOutcome.KEPT]) | ~Q(why=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bulk}: {self.candidate} {self.outcome}"
