"""Counts the places of a revision: who has reviewed it and who is at it."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from generation.models import Revision
from review.models import Adjudication, Assignment, Outcome, Purpose, Review


def counting_reviews() -> QuerySet[Review]:
    """Return the reviews that settle their revision: counted, standing, of the round that is on.

    A control item's answer is known: reviews of it measure people and settle nothing.
    A lead who returns a disputed revision to the queue begins a new round with all its places
    free. The reviews of the round before stay as they are and settle nothing any more.
    """
    returned_since = Adjudication.objects.filter(
        revision=OuterRef("assignment__revision"),
        outcome=Outcome.RETURN,
        created_at__gte=OuterRef("created_at"),
    )
    return Review.objects.filter(
        ~Exists(returned_since),
        is_counted=True,
        undone_at=None,
        assignment__purpose=Purpose.WORK,
    )


def taken_places(revision_pk: int | OuterRef, *, now: datetime) -> QuerySet[Assignment]:
    """Return the assignments that hold a place: counted reviews, running leases, parked turns."""
    counted = counting_reviews().filter(assignment=OuterRef("pk"))
    is_held = Q(leased_until__gt=now) | Q(parked_at__isnull=False)
    is_live = Q(submitted_at=None, skipped_at=None) & is_held
    return Assignment.objects.filter(
        Q(revision=revision_pk, purpose=Purpose.WORK) & (is_live | Exists(counted))
    )


def was_returned(revision: Revision) -> bool:
    """Return whether a lead has returned the revision from a dispute to the queue."""
    return Adjudication.objects.filter(revision=revision, outcome=Outcome.RETURN).exists()
