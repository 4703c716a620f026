"""Counts the places of a revision: who has reviewed it and who is at it."""

from datetime import datetime

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from review.models import Assignment, Review


def reviews_wanted() -> int:
    """Return how many independent reviews a revision needs."""
    wanted: int = settings.REVIEWS_WANTED
    return wanted


def taken_places(revision_pk: int | OuterRef, *, now: datetime) -> QuerySet[Assignment]:
    """Return the assignments that hold a place: counted reviews and leases that still run."""
    counted = Review.objects.filter(assignment=OuterRef("pk"), is_counted=True, undone_at=None)
    is_live = Q(submitted_at=None, skipped_at=None, leased_until__gt=now)
    return Assignment.objects.filter(Q(revision=revision_pk) & (is_live | Exists(counted)))
