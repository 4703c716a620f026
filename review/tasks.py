"""What the worker does for the review app; each task is one service call."""

from celery import shared_task
from django.utils import timezone

from review.services import bulk_actions, bulk_reads, leases, measurements


@shared_task(ignore_result=True)
def end_leases() -> None:
    """Mark the leases that have ended."""
    leases.end_leases(now=timezone.now())


@shared_task(ignore_result=True)
def compute_measurement(name: str) -> None:
    """Compute a measurement that is asked for."""
    measurements.compute(name)


@shared_task(ignore_result=True)
def sweep_measurements() -> None:
    """Compute what is asked for and was lost on the way, and what is out of date."""
    measurements.ask_for_stale(now=timezone.now())
    for name in measurements.waiting():
        measurements.compute(name)


@shared_task(ignore_result=True)
def run_bulk_action(pk: int) -> None:
    """Do an action on many items, or its undo."""
    bulk_actions.run(pk)


@shared_task(ignore_result=True)
def sweep_bulk_actions() -> None:
    """Go on with the actions that were lost on the way."""
    for pk in bulk_reads.unfinished(now=timezone.now()):
        bulk_actions.run(pk)
