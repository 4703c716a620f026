"""Undo of one's last review: the button after a submit, and what it does."""

from datetime import datetime
from math import ceil

from django.contrib import messages
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from generation.core.records import Success
from review.models import Assignment, Review
from review.services.undo import UndoRefused, undo_review
from review.views.access import own_assignment
from review.views.rendering import PageRequest, go_to
from review.views.told import told
from review.views.workspace import address_of


@require_http_methods(["POST"])
def undo(request: PageRequest, pk: int) -> HttpResponse:
    """Take the turn's review back and open its form again; where it stands, say why."""
    assignment = own_assignment(request, pk)
    review = _named_review(assignment, request.POST.get("review", ""))
    if review is None:
        messages.info(request, gettext("There is no such review of yours here."))
        return go_to(request, address_of(assignment))
    now = timezone.now()
    try:
        turn = undo_review(review=review, reviewer=request.user, now=now)
    except UndoRefused as refused:
        messages.warning(request, told(refused.why))
    else:
        _tell(request, assignment, review, has_a_place=turn.leased_until > now)
    return go_to(request, address_of(assignment))


def _tell(
    request: PageRequest, assignment: Assignment, review: Review, *, has_a_place: bool
) -> None:
    """Say what the undo did: to the run, and whether what is sent now counts."""
    if _is_unconfirmed_again(assignment):
        messages.warning(
            request, gettext("The run is unconfirmed again: only that approval had confirmed it.")
        )
    if has_a_place:
        text = gettext("Review %(id)s is taken back. All that you entered is here.")
        messages.success(request, text % {"id": review.pk})
    else:
        text = gettext(
            "Review %(id)s is taken back. All that you entered is here, but no place is free: "
            "what you send now is kept as an extra review."
        )
        messages.warning(request, text % {"id": review.pk})


def _is_unconfirmed_again(assignment: Assignment) -> bool:
    """Return whether the source, read before the undo, was a confirmed success and is none now."""
    source = assignment.revision.candidate.source
    was = source.success
    source.refresh_from_db(fields=["success"])
    return was == Success.CONFIRMED and source.success == Success.UNCONFIRMED


def _named_review(assignment: Assignment, named: str) -> Review | None:
    """Return the turn's review that the button was for: an old page undoes no newer review."""
    if not named.isdecimal() or len(named) > 18:
        return None
    return Review.objects.filter(assignment=assignment, pk=int(named)).first()


def with_undo(request: PageRequest, text: str, review: Review) -> SafeString:
    """Return a message with a button that takes the review back."""
    button = render_to_string("review/undo.html", {"review": review}, request)
    return format_html("{} {}", text, button)


def minutes_left(until: datetime, now: datetime) -> int:
    """Return the minutes from now to ``until``, begun ones counted whole."""
    return max(0, ceil((until - now).total_seconds() / 60))
