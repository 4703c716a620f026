"""The review page: one address for both phases and for what is there afterwards."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.models import Assignment, Review
from review.services.undo import own_review, would_unconfirm
from review.views.access import own_assignment, phase_of
from review.views.blind_page import show_blind
from review.views.open_page import show_open
from review.views.own_remarks import show_parked
from review.views.rendering import PageRequest, go_to, render_page, wants_part
from review.views.searching import show_hits
from review.views.undo import minutes_left


@never_cache
@require_http_methods(["GET", "POST"])
def review_page(request: PageRequest, pk: int) -> HttpResponse:
    """Show the phase that the assignment is in, or take what its form sends."""
    assignment = own_assignment(request, pk)
    if assignment.submitted_at or assignment.skipped_at:
        return _show_closed(request, assignment)
    if assignment.parked_at:
        return show_parked(request, assignment)
    if request.method == "GET" and wants_part(request) and "q" in request.GET:
        return show_hits(request, assignment)
    phase = phase_of(assignment)
    if request.method == "POST" and request.POST.get("phase") != phase:
        return go_to(request, request.path)
    return show_open(request, assignment) if phase == "open" else show_blind(request, assignment)


def _show_closed(request: PageRequest, assignment: Assignment) -> HttpResponse:
    """Say when the turn ended, and how; a form that comes late changes nothing."""
    if request.method == "POST":
        return go_to(request, request.path)
    review = Review.objects.filter(assignment=assignment, undone_at=None).first()
    context = {"assignment": assignment, "review": review, **_undo(request, review)}
    return render_page(request, "review/closed.html", context, part="closed")


def _undo(request: PageRequest, review: Review | None) -> dict[str, Any]:
    """Return whether the review may be undone and for how long, or why not."""
    if review is None:
        return {}
    now = timezone.now()
    own = own_review(review=review, reviewer=request.user, now=now)
    if own is None:
        return {}
    return {
        "own": own,
        "minutes_left": minutes_left(own.until, now),
        "unconfirms": not own.why_not and would_unconfirm(own.review),
    }
