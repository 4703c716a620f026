"""What the review page shows of the reviewer's own remarks; nobody else's are among them."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone

from review.models import Assignment
from review.services.remarks import note_answers_seen, own_notes, own_questions, questions_of
from review.services.returns import may_be_returned, returned_to
from review.views.rendering import PageRequest, go_to, render_page

_MOST = 20


def remarks_of(request: PageRequest, assignment: Assignment) -> dict[str, Any]:
    """Return the reviewer's own notes and questions, and what happened to the text; two queries.

    Answers that are shown count as seen.
    """
    questions = list(questions_of(assignment))
    note_answers_seen(questions, now=timezone.now())
    revision = assignment.revision
    return {
        "notes": list(own_notes(revision, request.user)),
        "questions": questions,
        "is_edited": revision.superseded_at is not None,
        "may_return": revision.author_id is not None
        and revision.superseded_at is None
        and may_be_returned(revision, request.user),
    }


def beside_reviews(request: PageRequest) -> dict[str, Any]:
    """Return what the person's queue lists beside items and reviews, in three queries.

    Their questions that wait or whose answer they have not seen, edits that came back to them,
    and turns whose text was edited while they were at it.
    """
    edited = Assignment.objects.filter(
        reviewer=request.user,
        submitted_at=None,
        skipped_at=None,
        revision__superseded_at__isnull=False,
        draft_saved_at__isnull=False,
    )
    return {
        "own_questions": own_questions(request.user)[:_MOST],
        "own_returns": returned_to(request.user)[:_MOST],
        "edited_turns": edited.select_related("revision__candidate").order_by("-draft_saved_at")[
            :_MOST
        ],
    }


def show_parked(request: PageRequest, assignment: Assignment) -> HttpResponse:
    """Say what the item waits for; a form that comes meanwhile changes nothing."""
    if request.method == "POST":
        return go_to(request, request.path)
    context = {"assignment": assignment, "questions": list(questions_of(assignment))}
    return render_page(request, "review/parked.html", context, part="parked")
