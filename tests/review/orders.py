"""The order in which a reviewer sees the options of a turn, as the pages make it."""

from django.conf import settings

from review.core.question_view import Labels
from review.models import Assignment


def labels_of(turn: Assignment) -> Labels:
    """Return the displayed labels of the turn's options."""
    return Labels.for_reader(
        revision=turn.revision_id,
        reviewer=turn.reviewer_id,
        count=turn.revision.options.count(),
        secret=settings.SECRET_KEY,
    )
