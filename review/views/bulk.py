"""Actions on many items: what one would do, its beginning, how far it is, its undo, the latest."""

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from generation.tasks import send
from review.filters import WrongFilter
from review.models import BulkAction, BulkKind
from review.services.bulk_actions import (
    BulkRefused,
    CannotUndo,
    SelectionChanged,
    ask_for_undo,
    begin,
    run,
)
from review.services.bulk_reads import foreseen, recent
from review.tasks import run_bulk_action
from review.views.access import require_lead
from review.views.bulk_page import kind_of, new_context, state_context
from review.views.bulk_selection import Selection, selection_of
from review.views.bulk_words import KINDS
from review.views.rendering import PageRequest, go_to, render_page
from review.views.told import told

_PAGE = 50
_AT_ONCE = {BulkKind.GIVE: 20, BulkKind.CHECK: 0}
_USUALLY_AT_ONCE = 400


@never_cache
@require_http_methods(["GET"])
def bulk_actions(request: PageRequest) -> HttpResponse:
    """List the actions, the latest first."""
    require_lead(request)
    page = Paginator(recent(), _PAGE).get_page(request.GET.get("page"))
    rows = [(bulk, KINDS[BulkKind(bulk.kind)]) for bulk in page]
    return render(request, "review/bulk_actions.html", {"page": page, "rows": rows})


@never_cache
@require_http_methods(["GET", "POST"])
def bulk_new(request: PageRequest) -> HttpResponse:
    """Show what an action would do to the items chosen, or begin it."""
    require_lead(request)
    asked = request.POST if request.method == "POST" else request.GET
    try:
        selection = selection_of(asked, lead=request.user)
    except WrongFilter as refused:
        return HttpResponse(str(refused), status=400, content_type="text/plain; charset=utf-8")
    kind = kind_of(asked)
    if not selection.fields or kind is None:
        messages.warning(request, gettext("Tick items and choose what to do with them first."))
        return go_to(request, f"{reverse('items')}?{selection.query}")
    if request.method == "POST":
        return _begin(request, kind, selection)
    return _show(request, kind, selection)


def _begin(request: PageRequest, kind: BulkKind, selection: Selection) -> HttpResponse:
    """Begin the action and go to its page; what is missing or has changed is said on the form."""
    sent = request.POST
    try:
        bulk = begin(
            lead=request.user,
            kind=kind,
            rows=selection.rows,
            expected=_number(sent.get("bulk-n", "")),
            asked=_asked(sent),
            form_key=_form_key(sent),
            query=selection.query if selection.is_all else "",
        )
    except BulkRefused as refused:
        problems = {name: told(why) for name, why in refused.problems.items()}
        return _show(request, kind, selection, problems=problems, status=422)
    except SelectionChanged:
        words = gettext(
            "Other items are found now than you were shown. Look again: nothing was done."
        )
        return _show(request, kind, selection, problems={"items": words}, status=409)
    _work(bulk)
    return go_to(request, reverse("bulk-action", args=[bulk.pk]))


def _show(
    request: PageRequest,
    kind: BulkKind,
    selection: Selection,
    *,
    problems: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    sent = request.POST if request.method == "POST" else request.GET
    asked = _asked(sent)
    found = foreseen(
        lead=request.user, kind=kind, rows=selection.rows, asked=asked, now=timezone.now()
    )
    key = sent.get("bulk-key") or str(uuid4())
    context = {
        **new_context(kind, selection, found, asked),
        "key": key,
        "problems": list((problems or {}).values()),
    }
    return render(request, "review/bulk_new.html", context, status=status)


def _asked(sent: QueryDict) -> dict[str, Any]:
    return {
        "reason": sent.get("bulk-reason", ""),
        "note": sent.get("bulk-note", ""),
        "to": sent.get("bulk-to", ""),
        "with_held": bool(sent.get("bulk-held")),
    }


def _number(text: str) -> int:
    """Return the number of items that a form was made for; -1, which is never right, for none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _form_key(sent: QueryDict) -> UUID:
    """Return the key of a form, a new one where it holds none that is one."""
    try:
        return UUID(sent.get("bulk-key", ""))
    except ValueError:
        return uuid4()


def _work(bulk: BulkAction) -> None:
    """Do a short action at once and let the worker do a long one; its sweep takes up lost ones."""
    most = _AT_ONCE.get(BulkKind(bulk.kind), _USUALLY_AT_ONCE)
    if bulk.items.count() <= most:
        run(bulk.pk)
        return
    send(run_bulk_action, bulk.pk)


@never_cache
@require_http_methods(["GET"])
def bulk_action(request: PageRequest, pk: int) -> HttpResponse:
    """Show what an action did, or how far it is."""
    require_lead(request)
    bulk = get_object_or_404(recent(), pk=pk)
    return render_page(request, "review/bulk_action.html", state_context(bulk), part="state")


@require_http_methods(["POST"])
def bulk_undo(request: PageRequest, pk: int) -> HttpResponse:
    """Put back what an action did to items that nobody changed since."""
    require_lead(request)
    bulk = get_object_or_404(BulkAction, pk=pk)
    try:
        ask_for_undo(bulk=bulk, lead=request.user, now=timezone.now())
    except CannotUndo as refused:
        messages.warning(request, told(refused.why))
    else:
        _work(bulk)
    return go_to(request, reverse("bulk-action", args=[pk]))
