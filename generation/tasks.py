"""What the worker does for generation: a message names a call, the row says all else."""

from celery import shared_task
from django.utils import timezone

from generation.services import generation_runs


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
