"""What a worker may do with the job it took up: store a part, tell how far it is, end it."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from generation.models import Job, JobState
from generation.services import audit
from generation.services.texts import storable

LEASE = timedelta(minutes=2)
_LONGEST_DETAIL = 2_000


class JobEnded(Exception):
    """The work is over before its end; ``failure`` names why, empty where it was taken away."""

    def __init__(self, failure: str = "", detail: str = "") -> None:
        super().__init__(failure or "taken away")
        self.failure = failure
        self.detail = detail


class Given:
    """A job in the hands of one worker, for as long as its ``attempt`` is the job's last."""

    def __init__(
        self,
        pk: int,
        kind: str,
        attempt: int,
        order: Mapping[str, Any],
        folder: str,
        done: int,
        result: Mapping[str, Any],
    ) -> None:
        self.pk = pk
        self.kind = kind
        self.attempt = attempt
        self.order = order
        self.folder = folder
        self.done = done
        self.result = dict(result)

    def store(
        self, parts: int, store: Callable[[], Mapping[str, Any] | None], **columns: Any
    ) -> None:
        """Store ``parts`` parts and what they come to, in one transaction; renew the lease.

        ``store`` writes the parts and returns the result so far.

        Raises:
            JobEnded: the job was stopped, or another worker has it; nothing is stored.
        """
        with transaction.atomic():
            job = self._locked()
            result = store()
            if result is not None:
                job.result = self.result = dict(result)
            job.done = self.done = self.done + parts
            job.leased_until = timezone.now() + LEASE
            for name, value in columns.items():
                setattr(job, name, value)
            job.save(update_fields=["result", "done", "leased_until", *columns])

    def tell(self, **columns: Any) -> None:
        """Renew the lease, and store what is known of the job's size.

        Raises:
            JobEnded: the job was stopped, or another worker has it.
        """
        self.store(0, lambda: None, **columns)

    def finish(self) -> None:
        """Write down that all is done."""
        self._end(JobState.DONE, "job.done")

    def fail(self, failure: str, detail: str) -> None:
        """Write down that it can't be done, and why."""
        self._end(JobState.FAILED, "job.failed", failure=failure, detail=detail)

    @transaction.atomic
    def _end(self, state: JobState, event: str, *, failure: str = "", detail: str = "") -> None:
        try:
            job = self._locked()
        except JobEnded:
            return
        job.state, job.failure, job.finished_at = state, failure, timezone.now()
        job.failure_detail = storable(detail)[:_LONGEST_DETAIL]
        job.leased_until = None
        job.save(
            update_fields=["state", "failure", "failure_detail", "finished_at", "leased_until"]
        )
        audit.record(event, job, before=JobState.RUNNING, after=state, detail=failure)

    def _locked(self) -> Job:
        job = Job.objects.select_for_update().get(pk=self.pk)
        if job.state != JobState.RUNNING or job.attempts != self.attempt:
            raise JobEnded
        return job
