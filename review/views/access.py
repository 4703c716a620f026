"""Who may open what: leads' pages, own assignments, and the phase these are in."""

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from generation.models import Candidate, Revision
from review.authentication import is_lead
from review.models import Assignment
from review.services.drafts import LOOKED
from review.services.source_looks import EVERYTHING, why_not_to_look
from review.services.turns import answer_of
from review.views.rendering import PageRequest


def require_lead(request: PageRequest) -> None:
    """Refuse a person who is no lead.

    Raises:
        PermissionDenied: always where they are not; the answer is 403.
    """
    if not is_lead(request.user):
        raise PermissionDenied


def own_assignment(request: PageRequest, pk: int) -> Assignment:
    """Return the person's assignment with revision, source and blind answer, in one query.

    Raises:
        Http404: there is none, or it is another person's.
    """
    mine = Assignment.objects.filter(reviewer=request.user).select_related(
        "blind_answer",
        "revision__candidate__source__task",
        "revision__candidate__source__system",
    )
    return get_object_or_404(mine, pk=pk)


def phase_of(assignment: Assignment) -> str:
    """Return ``blind`` until the blind answer is stored, ``open`` after it."""
    return "open" if answer_of(assignment) else "blind"


def has_seen_what_follows(assignment: Assignment) -> bool:
    """Return whether the reviewer turned the switch; the draft keeps that until the review."""
    return phase_of(assignment) == "open" and bool(assignment.draft.get(LOOKED))


def last_visible_step(assignment: Assignment) -> int | None:
    """Return the number of the last step that may be served, None where all may."""
    if has_seen_what_follows(assignment):
        return None
    return assignment.revision.candidate.cut - 1


def require_visible(assignment: Assignment, number: int) -> None:
    """Refuse a step after the cut.

    Raises:
        Http404: the reviewer may not see step ``number`` now.
    """
    last = last_visible_step(assignment)
    if last is not None and number > last:
        raise Http404


def own_turn_before_look(request: PageRequest, item: Candidate | Revision) -> Assignment | None:
    """Note that a lead reads an item and what of its run the address asks for, before it is shown.

    Returns:
        The lead's own turn at a question that what is read would spoil; None where they may read.
    """
    match = request.resolver_match
    number = match.kwargs.get("number", 0) if match else 0
    return why_not_to_look(
        reader=request.user,
        item=item,
        now=timezone.now(),
        number=EVERYTHING if "follows" in request.GET else number,
    )
