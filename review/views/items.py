"""The list of items for leads: filters in the address, sorted, a page at a time, as a file too."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse, QueryDict, StreamingHttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from generation.core.chunks import chunks
from generation.models import Candidate, Finding, Source
from review.filters import FIELDS, NOT, WrongFilter, filtered, leaves_out
from review.models import Release
from review.services.item_list import ItemRow, item_rows
from review.services.item_order import keys_in_order
from review.views.access import require_lead
from review.views.bulk_selection import filters_of
from review.views.bulk_words import KINDS
from review.views.downloads import table_file
from review.views.item_words import STATES, state_word
from review.views.known_words import kind_word, value_word
from review.views.rendering import PageRequest, render_page
from review.views.tables import Column, heads_of

_PAGE = 50
_CHUNK = 500
COLUMNS_SHOWN = (
    Column("subtask", _("item")),
    Column("state", _("state")),
    Column("source", _("source")),
    Column("step", _("step"), is_number=True),
    Column("language", _("language")),
    Column("revision", _("revision"), is_number=True),
    Column("reviews", _("reviews"), is_number=True),
    Column("findings", _("findings"), is_number=True),
    Column("number", _("made")),
)
LABELS = {
    "state": _("state"),
    "subtask": _("subtask"),
    "scenario": _("scenario"),
    "ability": _("ability"),
    "language": _("language"),
    "source": _("source kind"),
    "cluster": _("cluster"),
    "external_id": _("source id"),
    "model": _("model of the run"),
    "success": _("success of the run"),
    "finding": _("finding"),
    "severity": _("severity of a finding"),
    "operator": _("distractor operator"),
    "option_model": _("distractor model"),
    "decision": _("decision"),
    "reason": _("reason to reject"),
    "verdict": _("verdict on a distractor"),
    "reviewer": _("reviewer"),
    "also": _("also reviewed by"),
    "right": _("blind answer matches gold"),
    "confidence": _("confidence"),
    "well_specified": _("well specified, 0-3"),
    "gold_quality": _("gold quality, 0-3"),
    "on": _("reviewed on (date)"),
    "week": _("week of the last review"),
    "author": _("edited by"),
    "reviewed": _("reviewed"),
    "edited": _("edited"),
    "control": _("control item"),
    "note": _("has a note"),
    "question": _("open question"),
    "release": _("release"),
    "bulk": _("action on many items"),
}


@never_cache
@require_http_methods(["GET"])
def items(request: PageRequest) -> HttpResponse:
    """List the items that the address asks for; a wrong filter is named with status 400."""
    require_lead(request)
    wrong = ""
    try:
        found = filtered(Candidate.objects.all(), request.GET, lead=request.user)
    except WrongFilter as refused:
        found, wrong = Candidate.objects.none(), str(refused)
    context = _context(request, found, wrong)
    status = 400 if wrong else 200
    return render_page(request, "review/items.html", context, part="items", status=status)


def _context(request: PageRequest, found: QuerySet[Candidate], wrong: str) -> dict[str, Any]:
    """Return what the page shows of the items found; ``wrong`` is what is wrong with a filter."""
    order = request.GET.get("order", "number")
    is_slow = bool(request.GET.get("q")) or leaves_out(request.GET)
    keys = keys_in_order(found, order, lead=request.user, at_once=is_slow)
    page = Paginator(keys, _PAGE).get_page(request.GET.get("page"))
    return {
        "page": page,
        "rows": [(row, state_word(row.state)) for row in item_rows(list(page), lead=request.user)],
        "leaves_out": leaves_out(request.GET),
        "n": page.paginator.count,
        "wrong": wrong,
        "active": _active(request.GET),
        "filters": _filters(request.GET),
        "heads": heads_of(request.GET, COLUMNS_SHOWN, order, parameter="order"),
        "order": order,
        "chosen": list(_pairs(filters_of(request.GET))),
        "kinds": list(KINDS.items()),
        "asked": request.GET,
        "query": request.GET.urlencode(),
    }


def _pairs(asked: QueryDict) -> Iterator[tuple[str, str]]:
    return ((name, value) for name, values in asked.lists() for value in values)


def _filters(asked: QueryDict) -> list[tuple[str, Any, list[tuple[str, Any]], str, bool]]:
    """Return each filter: name, its word, the values offered, the chosen one, whether turned round."""
    rows = []
    for name, field in FIELDS.items():
        is_not = not asked.get(name) and bool(asked.get(NOT + name))
        chosen = asked.get(NOT + name if is_not else name, "")
        rows.append((name, LABELS[name], _offered(name, field.known), chosen, is_not))
    return rows


def _offered(name: str, known: Any) -> list[tuple[str, Any]]:
    """Return the values that a filter's list offers; none where any text may be typed."""
    if name == "state":
        return list(STATES.items())
    if known:
        return [(str(value), value_word(str(value))) for value in known()]
    stored: dict[str, Any] = {
        "source": Source.objects.order_by("kind").values_list("kind", flat=True).distinct,
        "finding": Finding.objects.order_by("kind").values_list("kind", flat=True).distinct,
        "release": Release.objects.order_by("version").values_list("version", flat=True).distinct,
    }
    word = kind_word if name == "finding" else str
    return [(value, word(value)) for value in stored[name]()] if name in stored else []


def _active(asked: QueryDict) -> list[tuple[Any, bool, str, str]]:
    """Return the filters in force: word, whether turned round, values, the address without it."""
    rows = []
    for name, word in LABELS.items():
        for key in (name, NOT + name):
            if values := [value for value in asked.getlist(key) if value]:
                rest = asked.copy()
                del rest[key]
                rest.pop("page", None)
                rows.append((word, key != name, ", ".join(values), rest.urlencode()))
    return rows


@require_http_methods(["GET"])
def items_file(request: PageRequest, suffix: str) -> HttpResponse | StreamingHttpResponse:
    """Send all items that the address asks for, as CSV or JSON lines."""
    require_lead(request)
    try:
        found = filtered(Candidate.objects.all(), request.GET, lead=request.user)
    except WrongFilter as refused:
        return HttpResponse(str(refused), status=400, content_type="text/plain; charset=utf-8")
    order = request.GET.get("order", "number")
    rows = _rows(list(keys_in_order(found, order, lead=request.user)), request.user)
    return table_file(rows, list(ItemRow.__dataclass_fields__), name="items", suffix=suffix)


def _rows(keys: list[int], lead: User) -> Iterator[dict[str, Any]]:
    for some in chunks(keys, _CHUNK):
        for row in item_rows(some, lead=lead):
            yield {**asdict(row), "created_at": row.created_at.isoformat()}
