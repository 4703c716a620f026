"""What the worker does for generation: a message names a call, the row says all else."""

from typing import Any

from celery import Task, shared_task
from django.utils import timezone
from kombu.exceptions import OperationalError

from generation.services import generation_runs, jobs


def send(task: "Task[[Any], None]", argument: int | str) -> bool:
    """Tell the worker; False where the broker can't be reached: a sweep takes the row up later."""
    try:
        task.apply_async((argument,), retry=False)
    except OperationalError:
        return False
    return True


@shared_task(ignore_result=True)
def make_call(call_pk: int) -> None:
    """Make a call, and send for those whose turn is next."""
    for turn in generation_runs.work(call_pk):
        make_call.apply_async((turn.call_pk,), countdown=turn.seconds)


@shared_task(ignore_result=True)
def sweep_calls() -> None:
    """Send for the calls that were lost on the way."""
    for call_pk in generation_runs.sweep(now=timezone.now()):
        make_call.delay(call_pk)


@shared_task(ignore_result=True)
def run_job(job_pk: int) -> None:
    """Work on an import or a build."""
    jobs.work(job_pk)


@shared_task(ignore_result=True)
def sweep_jobs() -> None:
    """Take up the jobs that were lost on the way."""
    for job_pk in jobs.sweep(now=timezone.now()):
        run_job.delay(job_pk)
