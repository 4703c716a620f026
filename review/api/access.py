"""Refuses items that a lead may not read whole through the API: the rule is the item page's."""

from http import HTTPStatus

from django.contrib.auth.models import User
from django.utils import timezone

from review.api.problems import Problem
from review.services.item_access import OwnTurnOpen, open_turns, openable
from review.services.source_looks import note_item_look


def require_openable(lead: User, pk: int) -> None:
    """Refuse an item that the lead may still review, else note that they read it.

    Raises:
        Problem: 409, with what to do about it.
    """
    if item := openable(lead).select_related("source").filter(pk=pk).first():
        try:
            note_item_look(reader=lead, item=item, now=timezone.now())
        except OwnTurnOpen as error:
            words = "You have a turn at an earlier step of its run: submit or skip it first."
            raise Problem(HTTPStatus.CONFLICT, words, code="own_turn_open") from error
        return
    if open_turns(lead).filter(revision__candidate=pk).exists():
        words = "You have a turn at this item: submit or skip it before you read on."
        raise Problem(HTTPStatus.CONFLICT, words, code="own_turn_open")
    words = (
        "You could still be given this item to review. To read it whole, give that up: "
        f"POST to candidates/{pk}/open."
    )
    raise Problem(HTTPStatus.CONFLICT, words, code="not_opened")
