"""What every phase of the review page has around its question: status, lease, what is left."""

from typing import Any

from django.urls import reverse
from django.utils import timezone

from generation.core.registry import SUBTASKS
from review.models import Assignment, Purpose
from review.services.mixing import Left, left_for
from review.services.queue import claim_next
from review.views.access import phase_of
from review.views.own_remarks import remarks_of
from review.views.questions import ability_word, scenario_word, to_do_in
from review.views.rendering import PageRequest
from review.views.searching import searched

MOST_COUNTED = 100


def address_of(assignment: Assignment) -> str:
    """Return the review page's address."""
    return reverse("review", args=[assignment.pk])


def next_address(request: PageRequest) -> str:
    """Return the address of the person's next item, given to them now, or of the queue."""
    assignment = claim_next(reviewer=request.user, now=timezone.now())
    return address_of(assignment) if assignment else reverse("queue")


def after_review(request: PageRequest, assignment: Assignment) -> str:
    """Return where a reviewer goes on once a review is stored: to what they are to learn, if any.

    Else to their next item, given to them now, or to the queue.
    """
    if assignment.purpose == Purpose.QUALIFICATION:
        return reverse("feedback", args=[assignment.pk])
    return next_address(request)


def left_in_queue(request: PageRequest) -> Left:
    """Return how many items wait for this person, counted up to one more than 100."""
    return left_for(request.user, most=MOST_COUNTED, now=timezone.now())


def phase_context(assignment: Assignment) -> dict[str, Any]:
    """Return what the page says of the turn and of the phase that it is in; no query."""
    subtask, phase = SUBTASKS[assignment.revision.candidate.subtask], phase_of(assignment)
    return {
        "assignment": assignment,
        "phase": phase,
        "subtask": subtask,
        "to_do": to_do_in(phase, subtask),
        "lease_has_ended": assignment.leased_until <= timezone.now(),
    }


def workspace(request: PageRequest, assignment: Assignment) -> dict[str, Any]:
    """Return the context that both phases share: the number left, and the reviewer's own remarks.

    A search costs what ``searched`` says besides.
    """
    subtask = SUBTASKS[assignment.revision.candidate.subtask]
    left = left_in_queue(request).items
    return {
        **phase_context(assignment),
        "scenario": scenario_word(subtask.scenario),
        "ability": ability_word(subtask.ability),
        "left": f"{MOST_COUNTED}+" if left > MOST_COUNTED else str(left),
        "search": searched(request, assignment),
        **remarks_of(request, assignment),
    }
