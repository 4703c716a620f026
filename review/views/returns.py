"""Edits that go back to the person who wrote them: giving one back, and the author's page."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from generation.models import Revision
from generation.services.revisions import read_for_editing
from review.models import ReturnedEdit
from review.services.returns import ReturnRefused, let_stand, return_to_author, returned_to
from review.views.access import own_assignment
from review.views.rendering import PageRequest, go_to
from review.views.revision_diff import changes_between
from review.views.told import told
from review.views.workspace import next_address


@require_http_methods(["POST"])
def give_back(request: PageRequest, pk: int) -> HttpResponse:
    """Give the turn's edited question back to its author, and go on to the next item."""
    assignment = own_assignment(request, pk)
    comment = request.POST.get("comment", "")
    try:
        return_to_author(assignment=assignment, comment=comment, now=timezone.now())
    except ReturnRefused as refused:
        context = {
            "assignment": assignment,
            "kind": "return",
            "text": comment,
            "problem": told(refused.why),
        }
        return render(request, "review/remark_refused.html", context, status=422)
    messages.success(request, gettext("Given back. Its author reads your comment, not your name."))
    return go_to(request, next_address(request))


def own_return(request: PageRequest, pk: int) -> ReturnedEdit:
    """Return the open row of that number, where it waits for this person.

    Raises:
        Http404: there is none, or another person wrote the text.
    """
    return get_object_or_404(returned_to(request.user), pk=pk)


@never_cache
@require_http_methods(["GET", "POST"])
def returned(request: PageRequest, pk: int) -> HttpResponse:
    """Show an own edit that came back with its comment; a POST lets the text stand."""
    row = own_return(request, pk)
    if request.method == "POST":
        try:
            let_stand(returned=row, author=request.user, now=timezone.now())
        except ReturnRefused as refused:
            messages.info(request, told(refused.why))
        else:
            messages.success(request, gettext("Your text stands. It is back in the queue."))
        return go_to(request, reverse("queue"))
    return render(request, "review/returned.html", _changes(row))


def _changes(row: ReturnedEdit) -> dict[str, Any]:
    """Return what the page shows: the row, its text, and what its author had changed."""
    new = Revision.objects.with_content().get(pk=row.revision_id)
    earlier = Revision.objects.with_content().filter(
        candidate=new.candidate_id, number__lt=new.number
    )
    old = earlier.order_by("number").last()
    return {
        "returned": row,
        "revision": new,
        "changes": changes_between(*(read_for_editing(each).before for each in (old, new)))
        if old
        else (),
    }
