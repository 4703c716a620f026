"""Who may read a dispute now: a lead, and no one who could still submit a review of the item."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render

from generation.models import AuditEvent, CandidateState, Revision
from generation.services.audit import state_digest
from review.services.item_access import open_turn
from review.views.access import own_turn_before_look, require_lead
from review.views.dispute_page import Case, read_case
from review.views.rendering import PageRequest


def open_case(request: PageRequest, pk: int) -> Case | HttpResponse:
    """Return the case, or the answer for a lead who may not read it now.

    With a turn of their own at the item, which may have lapsed, that is 403: they submit or skip
    it first. Where the dispute is over since a review was taken back, a decision that is sent is
    answered with 409, and what was typed.

    Raises:
        Http404: the revision is not in dispute and never was.
        PermissionDenied: the person is no lead.
    """
    require_lead(request)
    try:
        case = read_case(pk)
    except Http404:
        if request.method != "POST":
            raise
        return _gone(request, pk)
    own = open_turn(lead=request.user, candidate=case.revision.candidate)
    if turn := own or own_turn_before_look(request, case.revision):
        return render(request, "review/dispute_own_turn.html", {"turn": turn}, status=403)
    return case


def _gone(request: PageRequest, pk: int) -> HttpResponse:
    """Answer a decision on what was a dispute until a review was taken back."""
    revision = get_object_or_404(Revision, pk=pk)
    was_disputed = AuditEvent.objects.filter(
        action="candidate.settled",
        subject="candidate",
        subject_id=revision.candidate_id,
        after=state_digest(CandidateState.DISPUTED),
    )
    if not was_disputed.exists():
        raise Http404
    typed = request.POST.get("note", "") or request.POST.get("comment", "")
    return render(request, "review/dispute_gone.html", {"typed": typed}, status=409)
