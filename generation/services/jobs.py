"""Jobs of the worker, imports and builds: asked for, taken up under a lease, stopped, resumed.

A job's row is the truth, whatever becomes of messages: who takes it up holds a lease and renews it
with every part, in the transaction that stores the part. A worker that dies leaves a lease that
runs out; the next goes on behind the last part that was stored. ``attempts`` tells workers apart:
one that was thought dead stores nothing any more.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from generation.models import Job, JobKind, JobState
from generation.services import audit, uploads
from generation.services.builds import run_build
from generation.services.imports import run_import
from generation.services.job_steps import LEASE, Given, JobEnded

MOST_ATTEMPTS = 3
_OVERDUE = timedelta(seconds=20)

RUN: Mapping[str, Callable[[Given], None]] = MappingProxyType(
    {JobKind.IMPORT: run_import, JobKind.BUILD: run_build}
)


class CannotResume(ValueError):
    """A job that can't go on; ``kind`` says why: ``state`` or ``files``."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a job is: ``percent`` and ``ends_at`` are None while its size is not known."""

    done: int
    total: int
    percent: int | None
    per_second: float | None
    ends_at: datetime | None


@transaction.atomic
def ask_for(
    *, kind: JobKind, order: Mapping[str, Any], folder: str = "", actor: User | None
) -> Job:
    """Store a job that waits for the worker; the caller sends the message."""
    job = Job.objects.create(kind=kind, order=dict(order), folder=folder, asked_by=actor)
    audit.record("job.asked", job, actor=actor, after=JobState.QUEUED, detail=kind)
    return job


def work(job_pk: int) -> bool:
    """Take a job up and do it to its end, or to where it is stopped; False where another has it."""
    given = _take_up(job_pk, now=timezone.now())
    if given is None:
        return False
    try:
        RUN[given.kind](given)
    except JobEnded as ended:
        if ended.failure:
            given.fail(ended.failure, ended.detail)
    else:
        given.finish()
    _remove_files(job_pk)
    return True


@transaction.atomic
def _take_up(job_pk: int, *, now: datetime) -> Given | None:
    """Take the lease of a job that waits or whose worker is gone; too many deaths end it."""
    job = Job.objects.select_for_update().filter(pk=job_pk).first()
    if job is None or job.state not in {JobState.QUEUED, JobState.RUNNING}:
        return None
    if job.state == JobState.RUNNING and job.leased_until and job.leased_until > now:
        return None
    before = job.state
    if job.attempts >= MOST_ATTEMPTS:
        job.state, job.failure, job.finished_at = JobState.FAILED, "worker_ended", now
        job.leased_until = None
        job.save(update_fields=["state", "failure", "finished_at", "leased_until"])
        audit.record("job.failed", job, before=before, after=job.state, detail=job.failure)
        return None
    job.attempts += 1
    job.state, job.leased_until = JobState.RUNNING, now + LEASE
    job.begun_at, job.begun_with = now, job.done
    job.save(update_fields=["attempts", "state", "leased_until", "begun_at", "begun_with"])
    audit.record("job.begun", job, before=before, after=job.state, detail=str(job.attempts))
    return Given(job.pk, job.kind, job.attempts, job.order, job.folder, job.done, job.result)


def _remove_files(job_pk: int) -> None:
    """Remove the upload of a job that is over for good; one that may go on keeps it."""
    over = Job.objects.filter(pk=job_pk).exclude(folder="")
    done = over.filter(state=JobState.DONE) | over.filter(state=JobState.FAILED).exclude(
        failure="worker_ended"
    )
    if job := done.first():
        uploads.remove(job.folder)
        Job.objects.filter(pk=job_pk).update(folder="")


@transaction.atomic
def stop(*, job_pk: int, actor: User | None) -> Job:
    """Stop a job: the part under way is stored whole, no other begins. One that is over stays."""
    job = Job.objects.select_for_update().get(pk=job_pk)
    if job.state in {JobState.QUEUED, JobState.RUNNING}:
        before = job.state
        job.state, job.leased_until = JobState.STOPPED, None
        job.save(update_fields=["state", "leased_until"])
        audit.record("job.stopped", job, actor=actor, before=before, after=job.state)
    return job


@transaction.atomic
def resume(*, job_pk: int, actor: User | None) -> Job:
    """Let a job go on that was stopped, or whose workers ended; the caller sends the message.

    Raises:
        CannotResume: it runs or is over, or its files were removed.
    """
    job = Job.objects.select_for_update().get(pk=job_pk)
    if not can_go_on(job):
        raise CannotResume("files" if _waits(job) else "state")
    before = job.state
    job.state, job.attempts, job.failure, job.finished_at = JobState.QUEUED, 0, "", None
    job.save(update_fields=["state", "attempts", "failure", "finished_at"])
    audit.record("job.resumed", job, actor=actor, before=before, after=job.state)
    return job


def _waits(job: Job) -> bool:
    return job.state == JobState.STOPPED or (
        job.state == JobState.FAILED and job.failure == "worker_ended"
    )


def can_go_on(job: Job) -> bool:
    """Return whether the job was interrupted and has what it needs to go on."""
    return _waits(job) and (job.kind != JobKind.IMPORT or bool(job.folder))


def sweep(*, now: datetime) -> list[int]:
    """Remove files that nobody goes on with, and return the jobs that no worker is at."""
    left = Job.objects.exclude(folder="").filter(
        state__in=[JobState.STOPPED, JobState.FAILED], asked_at__lt=now - uploads.KEPT
    )
    for pk, folder in list(left.values_list("pk", "folder")):
        # The row first: who resumes the job meanwhile keeps its files, or is told they are gone.
        if left.filter(pk=pk).update(folder=""):
            uploads.remove(folder)
    listed = Job.objects.exclude(folder="").values_list("folder", flat=True)
    uploads.remove_unlisted(listed=list(listed), now=now)
    lost = Job.objects.filter(state=JobState.QUEUED, asked_at__lt=now - _OVERDUE) | (
        Job.objects.filter(state=JobState.RUNNING, leased_until__lte=now)
    )
    return list(lost.order_by("pk").values_list("pk", flat=True))


def progress_of(job: Job, *, now: datetime) -> JobProgress:
    """Return how far a job is; the rate is that of the worker which is at it now."""
    percent = min(100, 100 * job.done // job.total) if job.total else None
    rate = ends_at = None
    if job.state == JobState.RUNNING and job.begun_at and job.done > job.begun_with:
        seconds = max(0.001, (now - job.begun_at).total_seconds())
        rate = (job.done - job.begun_with) / seconds
        if job.total > job.done:
            ends_at = now + timedelta(seconds=(job.total - job.done) / rate)
    return JobProgress(job.done, job.total, percent, rate, ends_at)
