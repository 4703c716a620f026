"""The letters under which a person sees a question's options: the same on every page and in the API."""

from django.conf import settings

from review.core.question_view import Labels
from review.models import Assignment


def labels_for(*, revision: int, reader: int, count: int) -> Labels:
    """Return the order in which a person sees the ``count`` options of a revision."""
    return Labels.for_reader(
        revision=revision, reviewer=reader, count=count, secret=settings.SECRET_KEY
    )


def labels_of(turn: Assignment, count: int) -> Labels:
    """Return the order in which a turn's reviewer sees the ``count`` options."""
    return labels_for(revision=turn.revision_id, reader=turn.reviewer_id, count=count)
