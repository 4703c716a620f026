"""Parts of a source that the page loads on demand: pieces, raw texts, what follows the cut."""

from collections.abc import Mapping

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.core.display import shown
from review.core.folding import Piece
from review.core.folding import piece as piece_of
from review.core.marks import Mark, segments
from review.models import Assignment
from review.services.drafts import record_look
from review.views.access import own_assignment, phase_of, require_visible
from review.views.rendering import PageRequest, go_to, render_page
from review.views.shown_options import shown_options_of
from review.views.source_page import following_html, is_run, section_text, step_text
from review.views.step_markup import segments_html
from review.views.workspace import address_of


@never_cache
@require_http_methods(["GET"])
def step_piece(request: PageRequest, pk: int, number: int, piece: int) -> HttpResponse:
    """Show one piece of a step's folded text."""
    assignment = own_assignment(request, pk)
    require_visible(assignment, number)
    part = request.GET.get("part", "observation")
    text, limit = step_text(assignment.revision, number, part)
    addresses = {
        each: reverse("step-piece", args=[pk, number, each]) + f"?part={part}"
        for each in (_first_before(request, piece), piece + 1)
    }
    raw = reverse("step-raw", args=[pk, number]) + f"?part={part}"
    return _show_piece(request, assignment, text, limit, number=piece, addresses=addresses, raw=raw)


@never_cache
@require_http_methods(["GET"])
def section_piece(request: PageRequest, pk: int, name: str, piece: int) -> HttpResponse:
    """Show one piece of a section's folded text."""
    assignment = own_assignment(request, pk)
    text, limit = section_text(assignment.revision, name, shown_options_of(assignment))
    addresses = {
        each: reverse("section-piece", args=[pk, name, each]) + "?"
        for each in (_first_before(request, piece), piece + 1)
    }
    raw = reverse("section-raw", args=[pk, name])
    return _show_piece(request, assignment, text, limit, number=piece, addresses=addresses, raw=raw)


def _show_piece(
    request: PageRequest,
    assignment: Assignment,
    text: str,
    limit: int,
    *,
    number: int,
    addresses: Mapping[int, str],
    raw: str,
) -> HttpResponse:
    found = piece_of(shown(text).text, limit=limit, number=number)
    if found is None:
        raise Http404
    first, until = _first_before(request, number), _whole_number(request, "until")
    context = {
        "assignment": assignment,
        "piece": found,
        "number": number,
        "first": first if first < number else None,
        "until": until,
        "stops": until is not None and number + 1 >= until,
        "address": addresses[number + 1] + (f"&until={until}" if until else ""),
        "address_before": f"{addresses[first]}&until={number}",
        "raw": raw,
        "marked": _marked(request, found),
    }
    return render_page(request, "review/piece.html", context, part="piece")


def _first_before(request: PageRequest, number: int) -> int:
    """Return the first piece that stays folded before piece ``number``, itself where none does.

    A search opens a piece in the midst of what is folded.
    """
    first = _whole_number(request, "from")
    return first if first and first < number else number


def _marked(request: PageRequest, piece: Piece) -> SafeString:
    """Return the piece's text with the place marked that a search asked for, if it did."""
    start, end = _whole_number(request, "at"), _whole_number(request, "to")
    if start is None or end is None:
        return segments_html(segments(piece.text, ()))
    mark = Mark(max(start - piece.start, 0), max(end - piece.start, 0), 0)
    name = f"hit-{start}" if request.htmx else "hit"
    return segments_html(segments(piece.text, [mark]), name=name)


def _whole_number(request: PageRequest, name: str) -> int | None:
    """Return a number of the address, None where it has none that can be an offset."""
    given = request.GET.get(name, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else None


@require_http_methods(["GET"])
def step_raw(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Send one text of a step as it is stored."""
    assignment = own_assignment(request, pk)
    require_visible(assignment, number)
    part = request.GET.get("part", "observation")
    text, _limit = step_text(assignment.revision, number, part)
    return plain(text, f"step-{number}-{part}.txt")


@require_http_methods(["GET"])
def section_raw(request: PageRequest, pk: int, name: str) -> HttpResponse:
    """Send a section's text as it is stored."""
    assignment = own_assignment(request, pk)
    text, _limit = section_text(assignment.revision, name, shown_options_of(assignment))
    return plain(text, f"{name}.txt")


def plain(text: str, name: str) -> HttpResponse:
    """Return a download that no browser takes for a page."""
    return HttpResponse(
        text.encode("utf-8", "replace"),
        content_type="text/plain; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "X-Content-Type-Options": "nosniff",
        },
    )


@never_cache
@require_http_methods(["POST"])
def what_follows(request: PageRequest, pk: int) -> HttpResponse:
    """Record that the reviewer looks past the cut, and show what lies there."""
    assignment = own_assignment(request, pk)
    if phase_of(assignment) != "open" or not is_run(assignment.revision):
        raise Http404
    record_look(assignment=assignment)
    if not request.htmx:
        return go_to(request, f"{address_of(assignment)}#what-follows")
    context = {"following": following_html(assignment.revision, address=address_of(assignment))}
    return render_page(request, "review/workspace.html", context, part="what-follows")
