"""The edit page: the texts of a question in boxes, what changes, and why.

One page for whoever edits: a reviewer in the open phase, a lead on a dispute or any settled item,
an author whose edit came back. What is typed comes back with every answer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from generation.core.wording import Wording
from generation.models import Revision
from generation.services.revisions import Editing, read_for_editing
from review.services.edit_looks import Look
from review.services.editing import (
    Edit,
    EditConflict,
    EditRefused,
    LookFirst,
    NotEditable,
)
from review.views.edit_checks import checks_context
from review.views.edit_form import Boxes, EditForm, read_boxes
from review.views.questions import ability_word, question_of, scenario_word
from review.views.rendering import PageRequest, go_to, render_page
from review.views.revision_diff import changes_between
from review.views.told import told

Save = Callable[[Editing, Edit, EditForm], str]
"""Stores an edit and returns the address to go to."""


@dataclass(frozen=True, slots=True)
class EditPlace:
    """Who edits what from where.

    ``address`` is the page's own, ``back`` the item's; ``start`` what the boxes hold at first
    where that is not the present text; ``initial`` are the form's other fields. ``shows`` is
    told of every revision before the page shows its texts and gold, and refuses those that the
    person may still answer blind by raising ``NotEditable``.
    """

    candidate: int
    address: str
    back: str
    save: Save
    shows: Callable[[Revision], None]
    initial: dict[str, Any]
    asks_ratings: bool = False
    start: Wording | None = None


def show_edit(request: PageRequest, place: EditPlace) -> HttpResponse:
    """Show the page, check what is typed, or store it; 409 where the text may not be shown."""
    try:
        return _show(request, place)
    except NotEditable as refused:
        return _not_shown(request, place, told(refused.why))


def _not_shown(request: PageRequest, place: EditPlace, why: str) -> HttpResponse:
    """Give back what was typed, and say why nothing else is shown."""
    typed = [
        (name, text)
        for name, text in request.POST.items()
        if name == "note" or name.startswith(("slot_", "option_", "gold_", "kept_"))
    ]
    context = {"why": why, "typed": typed, "back": place.back}
    return render(request, "review/edit_not_shown.html", context, status=409)


def _show(request: PageRequest, place: EditPlace) -> HttpResponse:
    begins = request.POST.get("action") == "begin"
    if request.method == "GET" or begins:
        editing = _editing(place, None)
        boxes = read_boxes(editing, reader=request.user.pk, sent=None, wording=place.start)
        initial = place.initial | (_brought(request) if begins else {})
        return _page(request, place, boxes, EditForm(initial=initial), is_new=True)
    form = EditForm(request.POST)
    form.full_clean()
    editing = _editing(place, form.cleaned_data.get("base"))
    boxes = read_boxes(editing, reader=request.user.pk, sent=request.POST)
    action = request.POST.get("action", "")
    if action == "theirs":
        theirs = read_boxes(editing, reader=request.user.pk, sent=None)
        return _page(request, place, theirs, form, kept=_typed(boxes))
    if action != "save":
        return _page(request, place, boxes, form)
    if not form.is_valid():
        wrong = {name: " ".join(map(str, errors)) for name, errors in form.errors.items()}
        return _page(request, place, boxes, form, problems=wrong, status=422)
    return _save(request, place, boxes, form)


def _brought(request: PageRequest) -> dict[str, str]:
    """Return what a dispute's page brings along: the note, and which reviews the lead read."""
    return {"note": request.POST.get("note", ""), "reviews_seen": request.POST.get("seen", "")}


def _save(request: PageRequest, place: EditPlace, boxes: Boxes, form: EditForm) -> HttpResponse:
    """Store the edit, or show the page again with why it is not stored."""
    data = form.cleaned_data
    edit = Edit(boxes.wording(), data["note"], seen=data["seen"], confirmed=data["confirmed"])
    try:
        address = place.save(boxes.editing, edit, form)
    except EditRefused as refused:
        wrong = {boxes.field_of(name): told(why) for name, why in refused.problems.items()}
        return _page(request, place, boxes, form, problems=wrong, status=422)
    except LookFirst as first:
        return _page(request, place, boxes, form, look=first.look, asks_look=True, status=422)
    except EditConflict as conflict:
        return _conflict(request, place, boxes, form, conflict.current)
    except NotEditable as closed:
        return _page(request, place, boxes, form, closed=told(closed.why), status=409)
    return go_to(request, address)


def _conflict(
    request: PageRequest, place: EditPlace, mine: Boxes, form: EditForm, current: Revision
) -> HttpResponse:
    """Show both texts beside each other; the boxes keep what was typed, now upon the newer text."""
    editing = _editing(place, current.pk)
    wording, base = mine.wording(), mine.editing.before
    boxes = read_boxes(editing, reader=request.user.pk, sent=None, wording=wording)
    conflict = {
        "number": current.number,
        "note": current.note,
        "theirs": changes_between(base, editing.before),
        "mine": changes_between(base, wording),
    }
    return _page(request, place, boxes, form, conflict=conflict, status=409)


def _editing(place: EditPlace, base: int | None) -> Editing:
    """Return the candidate's revision ``base`` as it is edited, its current one where that is None.

    Raises:
        Http404: the candidate has no such revision.
        NotEditable: the person may still answer it blind.
    """
    every = Revision.objects.with_content().filter(candidate=place.candidate)
    found = every.filter(pk=base) if base else every.filter(superseded_at=None)
    if revision := found.first():
        place.shows(revision)
        return read_for_editing(revision)
    raise Http404


def _typed(boxes: Boxes) -> list[dict[str, str]]:
    """Return the texts that were typed and differ from those there, to be kept in view."""
    return [
        {"name": f"kept_{box.name}", "title": box.title, "text": box.text}
        for box in boxes.all()
        if box.text != box.before
    ]


def _page(
    request: PageRequest,
    place: EditPlace,
    boxes: Boxes,
    form: EditForm,
    *,
    kept: list[dict[str, str]] | None = None,
    problems: dict[str, str] | None = None,
    look: Look | None = None,
    asks_look: bool = False,
    conflict: dict[str, Any] | None = None,
    closed: str = "",
    is_new: bool = False,
    status: int = 200,
) -> HttpResponse:
    revision = boxes.editing.revision
    subtask = boxes.editing.rules.subtask
    context = {
        "place": place,
        "revision": revision,
        "subtask": subtask,
        "scenario": scenario_word(subtask.scenario),
        "ability": ability_word(subtask.ability),
        "asks": question_of(subtask),
        "boxes": boxes,
        "form": form,
        "left_out": boxes.left_out,
        "kept": kept if kept is not None else _kept_before(request),
        "problems": problems or {},
        "asks_look": asks_look,
        "conflict": conflict,
        "closed": closed,
        "is_refused": not is_new,
        **checks_context(boxes, form, look),
    }
    return render_page(request, "review/edit.html", context, part="changes", status=status)


def _kept_before(request: PageRequest) -> list[dict[str, str]]:
    """Return the texts that an earlier answer kept in view, where the form sent them along."""
    return [
        {"name": name, "title": gettext("Your text"), "text": str(request.POST[name])}
        for name in request.POST
        if name.startswith("kept_")
    ]
