"""The addresses of the edit page: of a turn, a dispute, an edit that came back, any item."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from generation.models import Candidate, Revision
from generation.services.revisions import Editing
from review.core.review_answers import ReviewAnswers
from review.models import Assignment, ReturnedEdit
from review.services.dispute_edits import edit_dispute
from review.services.disputes import AlreadyDecided, NotDisputed, ReviewsChanged
from review.services.edit_reviews import Judged, edit_turn, undone_wording, why_no_edit
from review.services.editing import (
    Edit,
    EditConflict,
    NotEditable,
    edit_item,
    note_seen,
    why_no_lead_may_edit,
)
from review.services.item_access import OwnTurnOpen, may_open_item
from review.services.labels import labels_of
from review.services.returns import edit_returned
from review.views.access import own_assignment, require_lead
from review.views.dispute_access import open_case
from review.views.dispute_page import Case
from review.views.drafts import draft_values
from review.views.edit_form import EditForm, ratings_from
from review.views.edit_page import EditPlace, show_edit
from review.views.rendering import PageRequest, go_to
from review.views.told import told
from review.views.undo import with_undo
from review.views.workspace import address_of, next_address


@never_cache
@require_http_methods(["GET", "POST"])
def edit(request: PageRequest, pk: int) -> HttpResponse:
    """Edit the question of an own turn, in its open phase."""
    assignment = own_assignment(request, pk)
    if why := why_no_edit(assignment):
        messages.info(request, told(why))
        return go_to(request, address_of(assignment))
    return show_edit(request, _turn_place(request, assignment))


def _turn_place(request: PageRequest, assignment: Assignment) -> EditPlace:
    draft = draft_values(assignment)

    def save(editing: Editing, edit: Edit, form: EditForm) -> str:
        review = edit_turn(
            assignment=assignment,
            editing=editing,
            edit=edit,
            judged=_judged(assignment, draft, form),
            form_key=form.cleaned_data["form_key"] or uuid4(),
            now=timezone.now(),
        )
        text = gettext("Your edit is stored as review %(id)s. The new text goes to other people.")
        messages.success(request, with_undo(request, text % {"id": review.pk}, review))
        return next_address(request)

    return EditPlace(
        candidate=assignment.revision.candidate_id,
        address=reverse("edit", args=[assignment.pk]),
        back=address_of(assignment),
        save=save,
        shows=_noted(request, own=assignment.revision_id),
        initial={name: draft[name] for name in _RATED if name in draft},
        asks_ratings=True,
        start=undone_wording(assignment),
    )


def _noted(request: PageRequest, *, own: int) -> Callable[[Revision], None]:
    """Return what notes every text shown beside an ``own`` one: it is not theirs to answer blind."""

    def shows(revision: Revision) -> None:
        if revision.pk != own:
            note_seen(reviewer=request.user, revision=revision, now=timezone.now())

    return shows


def _opened(request: PageRequest, candidate: Candidate) -> Callable[[Revision], None]:
    """Return what lets a lead see an item's texts: opened before, or not theirs to review now."""

    def shows(_revision: Revision) -> None:
        if not may_open_item(lead=request.user, candidate=candidate):
            current = Revision.objects.current().get(candidate=candidate)
            note_seen(reviewer=request.user, revision=current, now=timezone.now())

    return shows


_RATED = ("well_specified", "gold_quality")


def _judged(assignment: Assignment, draft: dict[str, Any], form: EditForm) -> Judged:
    """Return the ratings, and the verdicts that the review page's draft holds."""
    labels = labels_of(assignment, len(assignment.revision.option_keys))
    options = {
        labels.position_of(label): str(value)
        for label in map(chr, range(ord("A"), ord("A") + len(labels.order)))
        if (value := draft.get(f"option_{label}"))
    }
    findings = {
        pk: (str(value), str(draft.get(f"finding_{pk}_word", "")))
        for pk in assignment.revision.findings.values_list("pk", flat=True)
        if (value := draft.get(f"finding_{pk}"))
    }
    answers = ReviewAnswers("edit", 0, 0, option_verdicts=options, finding_verdicts=findings)
    seconds = form.cleaned_data["active_seconds"] or 0.0
    return Judged(**ratings_from(form.cleaned_data), active_seconds=seconds, answers=answers)


@never_cache
@require_http_methods(["GET", "POST"])
def dispute_edit(request: PageRequest, pk: int) -> HttpResponse:
    """Settle a dispute by an edit of its question."""
    case = open_case(request, pk)
    if isinstance(case, HttpResponse):
        return case
    if request.method == "GET" and not case.is_open:
        return go_to(request, reverse("dispute", args=[pk]))
    return show_edit(request, _dispute_place(request, case))


def _dispute_place(request: PageRequest, case: Case) -> EditPlace:
    back = reverse("dispute", args=[case.revision.pk])

    def save(editing: Editing, edit: Edit, form: EditForm) -> str:
        seen = form.cleaned_data["reviews_seen"]
        try:
            edit_dispute(
                lead=request.user, editing=editing, edit=edit, seen=seen, now=timezone.now()
            )
        except (AlreadyDecided, NotDisputed, ReviewsChanged, OwnTurnOpen) as late:
            raise _late(case.revision, late) from late
        messages.success(request, gettext("Decided: edited. The new text is in review."))
        return back

    return EditPlace(
        candidate=case.revision.candidate_id,
        address=reverse("dispute-edit", args=[case.revision.pk]),
        back=back,
        save=save,
        shows=_opened(request, case.revision.candidate),
        initial={"reviews_seen": case.seen},
    )


def _late(revision: Revision, late: Exception) -> EditConflict | NotEditable:
    """Return what the page says where a decision came first or the reviews changed."""
    current = Revision.objects.current().get(candidate=revision.candidate_id)
    if current.pk != revision.pk:
        return EditConflict(current)
    if isinstance(late, ReviewsChanged):
        return NotEditable(
            gettext(
                "The reviews changed since you read them. Read the dispute again before you decide."
            )
        )
    if isinstance(late, OwnTurnOpen):
        return NotEditable(
            gettext("You have a turn at this item: submit your review or skip it first.")
        )
    return NotEditable(gettext("This waits for no decision any more. Yours was not stored."))


@never_cache
@require_http_methods(["GET", "POST"])
def returned_edit(request: PageRequest, pk: int) -> HttpResponse:
    """Edit an own text again that was given back."""
    mine = ReturnedEdit.objects.filter(revision__author=request.user).select_related("revision")
    row = get_object_or_404(mine, pk=pk)
    if request.method == "GET" and row.closed_at:
        return go_to(request, reverse("queue"))
    return show_edit(request, _returned_place(request, row))


def _returned_place(request: PageRequest, row: ReturnedEdit) -> EditPlace:
    def save(editing: Editing, edit: Edit, _form: EditForm) -> str:
        edit_returned(
            returned=row, author=request.user, editing=editing, edit=edit, now=timezone.now()
        )
        messages.success(
            request, gettext("Your edit is stored. The new text goes to other people.")
        )
        return reverse("queue")

    return EditPlace(
        candidate=row.revision.candidate_id,
        address=reverse("returned-edit", args=[row.pk]),
        back=reverse("returned", args=[row.pk]),
        save=save,
        shows=_noted(request, own=row.revision_id),
        initial={},
    )


@never_cache
@require_http_methods(["GET", "POST"])
def item_edit(request: PageRequest, pk: int) -> HttpResponse:
    """Edit an item as a lead: what was settled of it is open again, a release keeps its text."""
    require_lead(request)
    candidate = get_object_or_404(Candidate, pk=pk)
    if request.method == "GET" and (why := _why_not_opened(request, candidate)):
        messages.info(request, why)
        return go_to(request, reverse("item", args=[pk]))
    return show_edit(request, _item_place(request, candidate))


def _why_not_opened(request: PageRequest, candidate: Candidate) -> str:
    """Return why the lead is not shown the item's edit page, empty where they are."""
    if why := why_no_lead_may_edit(candidate, request.user):
        return told(why)
    if not may_open_item(lead=request.user, candidate=candidate):
        return gettext("Open the item first: then you can't review it.")
    return ""


def _item_place(request: PageRequest, candidate: Candidate) -> EditPlace:
    back = reverse("item", args=[candidate.pk])

    def save(editing: Editing, edit: Edit, _form: EditForm) -> str:
        edit_item(lead=request.user, editing=editing, edit=edit, now=timezone.now())
        messages.success(request, gettext("Your edit is stored. The new text is in review."))
        return back

    return EditPlace(
        candidate=candidate.pk,
        address=reverse("item-edit", args=[candidate.pk]),
        back=back,
        save=save,
        shows=_opened(request, candidate),
        initial={},
    )
