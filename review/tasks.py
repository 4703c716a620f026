"""What the worker does for the review app; each task is one service call."""

from celery import shared_task
from django.utils import timezone

from review.services import leases


@shared_task(ignore_result=True)
def end_leases() -> None:
    """Mark the leases that have ended."""
    leases.end_leases(now=timezone.now())
