"""Long work that a lead asks for: imports of uploaded files, and builds of candidates."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from generation.models.fields import OrderedJSONField


class JobKind(models.TextChoices):
    """What a job does."""

    IMPORT = "import"
    BUILD = "build"


class JobState(models.TextChoices):
    """Where a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    STOPPED = "stopped"
    DONE = "done"
    FAILED = "failed"


class Job(models.Model):
    """One job: a row that the worker holds under a lease; the message only names it.

    ``order`` is what was asked for, ``result`` what came of it so far, counts that are stored with
    what they count. ``done`` of ``total`` parts are ready; ``total`` is 0 while it is not known.
    ``folder`` names the kept files of an upload below the folder of uploads, empty once they are
    removed. ``attempts`` counts the workers that took it up since it was last asked for, and keeps
    one that was given up from writing on. ``failure`` is a named state, ``failure_detail`` what
    was seen, for people.
    """

    kind = models.CharField(max_length=6, choices=JobKind)
    order = OrderedJSONField(default=dict)
    folder = models.CharField(max_length=40, blank=True)
    state = models.CharField(max_length=7, choices=JobState, default=JobState.QUEUED, db_index=True)
    result = OrderedJSONField(default=dict)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    failure = models.CharField(max_length=40, blank=True)
    failure_detail = models.TextField(blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(null=True)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="jobs"
    )
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    begun_at = models.DateTimeField(null=True)
    begun_with = models.PositiveIntegerField(default=0)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.CheckConstraint(name="job_kind_known", condition=Q(kind__in=JobKind.values)),
            models.CheckConstraint(name="job_state_known", condition=Q(state__in=JobState.values)),
            models.CheckConstraint(
                name="job_failed_with_a_name", condition=~Q(state=JobState.FAILED) | ~Q(failure="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} {self.state}"


class Left(models.TextChoices):
    """Why a part of an upload gave no source."""

    REFUSED = "refused"
    PASSED_OVER = "passed_over"
    UNREAD = "unread"


class JobLeftOut(models.Model):
    """A record or file that an import left out: where it stands, which field, and why.

    ``line`` is the 1-based line or record, 0 where the whole file is meant.
    """

    job = models.ForeignKey(Job, models.PROTECT, related_name="left_out")
    number = models.PositiveIntegerField()
    outcome = models.CharField(max_length=11, choices=Left)
    file = models.TextField()
    line = models.PositiveBigIntegerField(default=0)
    field = models.TextField(blank=True)
    why = models.TextField()

    class Meta:
        ordering: ClassVar = ["job", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(name="job_left_out_once", fields=["job", "number"]),
            models.CheckConstraint(
                name="job_left_out_outcome_known", condition=Q(outcome__in=Left.values)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.outcome}"
