"""Counts the places of a revision: who has reviewed it and who is at it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from generation.models import Revision
from review.models import Adjudication, Outcome, Purpose, Review

# The turns that hold a place of the revision {revision}: those with a counted review of the round
# that is on (see ``counting_reviews``), those whose lease runs at {now}, and parked ones.
# By hand, since the queue asks this of every item that it passes; the ORM took ten times as long.
HOLDERS = """
    SELECT turn.id, turn.reviewer_id, counted.id AS review_id
    FROM review_assignment turn
    LEFT JOIN review_review counted
      ON counted.assignment_id = turn.id AND counted.is_counted AND counted.undone_at IS NULL
      AND NOT EXISTS (
        SELECT 1 FROM review_adjudication returned
        WHERE returned.revision_id = turn.revision_id AND returned.outcome = 'return'
          AND returned.created_at >= counted.created_at)
    WHERE turn.revision_id = {revision} AND turn.purpose = 'work'
      AND (counted.id IS NOT NULL
        OR (turn.submitted_at IS NULL AND turn.skipped_at IS NULL
          AND (turn.leased_until > {now} OR turn.parked_at IS NOT NULL)))
"""


@dataclass(frozen=True, slots=True)
class Holder:
    """A turn that holds a place; ``review`` is the key of its counted review, None while open."""

    turn: int
    reviewer: int
    review: int | None


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


def taken_places(revision_pk: int, *, now: datetime) -> list[Holder]:
    """Return the turns that hold a place of the revision at ``now``; in one query."""
    with connection.cursor() as cursor:
        cursor.execute(HOLDERS.format(revision="%s", now="%s"), [revision_pk, moment(now)])
        return [Holder(*row) for row in cursor.fetchall()]


def moment(value: datetime) -> Any:
    """Return a time as the database compares it, for a query written by hand."""
    return connection.ops.adapt_datetimefield_value(value)


def was_returned(revision: Revision) -> bool:
    """Return whether a lead has returned the revision from a dispute to the queue."""
    return Adjudication.objects.filter(revision=revision, outcome=Outcome.RETURN).exists()
