"""Notes what leads read of sources outside of turns, so that they are not asked about it."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from generation.models import Candidate, Revision, Source
from generation.services import audit
from review.models import Assignment, SourceLook
from review.models.source_look import EVERYTHING
from review.services.item_access import OwnTurnOpen, open_turns

__all__ = ["EVERYTHING", "note_item_look", "note_look", "why_not_to_look"]


def note_look(*, reader: User, source: Source, up_to: int, now: datetime) -> None:
    """Note that a lead reads a source's steps up to one, before they are shown.

    The queue gives them no question of it whose cut is not behind that step, nor can a lead.

    Raises:
        OwnTurnOpen: they have a turn at such a question: it is submitted or skipped first.
    """
    look = SourceLook.objects.filter(reader=reader, source=source).first()
    turns = open_turns(reader).filter(
        revision__candidate__source=source, revision__candidate__cut__lte=up_to
    )
    if turn := turns.first():
        raise OwnTurnOpen(turn)
    if look is None or look.up_to < up_to:
        _store(reader, source, up_to, now)


@transaction.atomic
def _store(reader: User, source: Source, up_to: int, now: datetime) -> None:
    look, is_new = SourceLook.objects.select_for_update().get_or_create(
        reader=reader, source=source, defaults={"up_to": up_to, "looked_at": now}
    )
    before = None if is_new else look.up_to
    if before is not None and before >= up_to:
        return
    look.up_to, look.looked_at = up_to, now
    look.save(update_fields=["up_to", "looked_at"])
    audit.record("source.looked_at", source, actor=reader, before=before, after=up_to)


def note_item_look(
    *, reader: User, item: Candidate | Revision, now: datetime, number: int = 0
) -> None:
    """Note that a lead reads a question with its right answer, or a later step of its run besides.

    Raises:
        OwnTurnOpen: as ``note_look``.
    """
    candidate = item.candidate if isinstance(item, Revision) else item
    note_look(reader=reader, source=candidate.source, up_to=max(candidate.cut, number), now=now)


def why_not_to_look(
    *, reader: User, item: Candidate | Revision, now: datetime, number: int = 0
) -> Assignment | None:
    """Note the look as ``note_item_look``; return the turn that forbids it, None where none does."""
    try:
        note_item_look(reader=reader, item=item, now=now, number=number)
    except OwnTurnOpen as own:
        return own.assignment
    return None
