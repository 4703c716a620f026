"""What a reviewer says beside the review: notes, and questions to a lead that park the turn."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from review.models import Assignment
from review.services.remarks import (
    RemarkRefused,
    add_note,
    ask_lead,
    own_notes,
    take_up,
)
from review.views.access import own_assignment
from review.views.rendering import PageRequest, go_to
from review.views.told import told
from review.views.workspace import address_of, next_address


@require_http_methods(["POST"])
def note(request: PageRequest, pk: int) -> HttpResponse:
    """Store a note on the item; the reviewer's own notes come back."""
    assignment = own_assignment(request, pk)
    text = request.POST.get("note", "")
    try:
        add_note(revision=assignment.revision, author=request.user, text=text)
    except RemarkRefused as refused:
        return _refused(request, assignment, "note", text, refused.why)
    if not request.htmx:
        return go_to(request, address_of(assignment))
    context = {"assignment": assignment, "notes": own_notes(assignment.revision, request.user)}
    return render(request, "review/remarks.html#note", context)


@require_http_methods(["POST"])
def ask(request: PageRequest, pk: int) -> HttpResponse:
    """Park the turn with a question to a lead and go on to the next item."""
    assignment = own_assignment(request, pk)
    text = request.POST.get("question", "")
    try:
        ask_lead(assignment=assignment, text=text, now=timezone.now())
    except RemarkRefused as refused:
        return _refused(request, assignment, "ask", text, refused.why)
    messages.success(
        request,
        gettext(
            "Asked. The item waits for the answer with all that you entered; go on with others."
        ),
    )
    return go_to(request, next_address(request))


@require_http_methods(["POST"])
def go_on(request: PageRequest, pk: int) -> HttpResponse:
    """Go on with a parked turn before the answer is there."""
    assignment = own_assignment(request, pk)
    try:
        take_up(assignment=assignment, now=timezone.now())
    except RemarkRefused as refused:
        messages.info(request, told(refused.why))
    return go_to(request, address_of(assignment))


def _refused(
    request: PageRequest, assignment: Assignment, kind: str, text: str, why: str
) -> HttpResponse:
    """Show the form again with what was typed, and why it is not stored."""
    context = {"assignment": assignment, "kind": kind, "text": text, "problem": told(why)}
    if request.htmx:
        context["notes"] = own_notes(assignment.revision, request.user)
        return render(request, "review/remarks.html#note", context, status=422)
    return render(request, "review/remark_refused.html", context, status=422)
