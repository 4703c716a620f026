"""Small requests of the open page: draft, lease, skip."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from review.forms import SkipForm
from review.services.drafts import save_draft
from review.services.leases import NotYours, renew_lease, skip
from review.views.access import own_assignment, phase_of
from review.views.drafts import draft_from
from review.views.rendering import PageRequest, go_to
from review.views.workspace import address_of, next_address


@require_http_methods(["POST"])
def draft(request: PageRequest, pk: int) -> HttpResponse:
    """Keep what the form holds; work of a phase that has ended is not kept."""
    assignment = own_assignment(request, pk)
    is_current = request.POST.get("phase") == phase_of(assignment)
    now = timezone.now()
    if is_current and assignment.submitted_at is None:
        kept = draft_from(assignment, request.POST)
        assignment.leased_until = save_draft(assignment=assignment, draft=kept, now=now)
        assignment.draft_saved_at = now
    if not request.htmx:
        return go_to(request, address_of(assignment))
    context = {"assignment": assignment, "lease_has_ended": assignment.leased_until <= now}
    return render(request, "review/workspace.html#saved", context)


@require_http_methods(["POST"])
def lease(request: PageRequest, pk: int) -> JsonResponse:
    """Renew the lease and say when it ends; 409 where the turn is over."""
    assignment = own_assignment(request, pk)
    try:
        until = renew_lease(assignment=assignment, now=timezone.now())
    except NotYours:
        return JsonResponse({"leased_until": None}, status=409)
    return JsonResponse({"leased_until": until.isoformat()})


@require_http_methods(["POST"])
def skip_item(request: PageRequest, pk: int) -> HttpResponse:
    """Give the item back with a reason and go on to the next; 422 where the reason is missing."""
    assignment = own_assignment(request, pk)
    form = SkipForm(request.POST)
    if not form.is_valid():
        context = {"assignment": assignment, "form": form}
        return render(request, "review/skip.html", context, status=422)
    try:
        skip(assignment=assignment, reason=form.cleaned_data["reason"], now=timezone.now())
    except NotYours:
        return go_to(request, address_of(assignment))
    return go_to(request, next_address(request))
