"""Drafts of turns: what is kept of work that is not sent."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from review.models import Assignment, BlindAnswer
from review.services.leases import renewed
from review.services.turns import ReviewRefused

LOOKED = "saw_what_follows"
"""The draft's mark that the reviewer looked past the cut."""


@transaction.atomic
def save_draft(*, assignment: Assignment, draft: Mapping[str, Any], now: datetime) -> datetime:
    """Keep unsent work and renew a running lease; return when the lease ends.

    What comes after the review was submitted is not kept: it is the same work, sent late. That
    the reviewer looked past the cut stays, whatever the draft says: ``record_look`` alone sets it.
    """
    turn = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if turn.submitted_at is None:
        looked = {LOOKED: True} if turn.draft.get(LOOKED) else {}
        turn.draft = {name: kept for name, kept in draft.items() if name != LOOKED} | looked
        turn.draft_saved_at = now
        turn.leased_until = renewed(turn, now=now)
        turn.save(update_fields=["draft", "draft_saved_at", "leased_until"])
    return turn.leased_until


@transaction.atomic
def record_look(*, assignment: Assignment) -> None:
    """Note in the draft that the reviewer looked past the cut; the review will say so.

    Raises:
        ReviewRefused: there is no blind answer yet.
    """
    turn = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if not BlindAnswer.objects.filter(assignment=turn).exists():
        raise ReviewRefused({"answer": "Answer first, before you look."})
    if turn.submitted_at is None:
        turn.draft = {**turn.draft, LOOKED: True}
        turn.save(update_fields=["draft"])
