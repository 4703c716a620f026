"""Parts of a source that the page loads on demand: pieces, raw texts, what follows the cut."""

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.core.display import shown
from review.core.folding import piece as piece_of
from review.models import Assignment
from review.services.reviews import record_look
from review.views.access import own_assignment, phase_of, require_visible
from review.views.rendering import PageRequest, go_to, render_page
from review.views.source_page import following_html, is_imported, section_text, step_text
from review.views.workspace import address_of


@never_cache
@require_http_methods(["GET"])
def step_piece(request: PageRequest, pk: int, number: int, piece: int) -> HttpResponse:
    """Show one piece of a step's folded text."""
    assignment = own_assignment(request, pk)
    require_visible(assignment, number)
    part = request.GET.get("part", "observation")
    text, limit = step_text(assignment.revision, number, part)
    address = reverse("step-piece", args=[pk, number, piece + 1]) + f"?part={part}"
    raw = reverse("step-raw", args=[pk, number]) + f"?part={part}"
    return _show_piece(request, assignment, text, limit, number=piece, address=address, raw=raw)


@never_cache
@require_http_methods(["GET"])
def section_piece(request: PageRequest, pk: int, name: str, piece: int) -> HttpResponse:
    """Show one piece of a section's folded text."""
    assignment = own_assignment(request, pk)
    text, limit = section_text(assignment.revision, name)
    address = reverse("section-piece", args=[pk, name, piece + 1])
    raw = reverse("section-raw", args=[pk, name])
    return _show_piece(request, assignment, text, limit, number=piece, address=address, raw=raw)


def _show_piece(
    request: PageRequest,
    assignment: Assignment,
    text: str,
    limit: int,
    *,
    number: int,
    address: str,
    raw: str,
) -> HttpResponse:
    found = piece_of(shown(text).text, limit=limit, number=number)
    if found is None:
        raise Http404
    context = {"assignment": assignment, "piece": found, "address": address, "raw": raw}
    return render_page(request, "review/piece.html", context, part="piece")


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
    text, _limit = section_text(assignment.revision, name)
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
    if phase_of(assignment) != "open" or is_imported(assignment.revision):
        raise Http404
    record_look(assignment=assignment)
    if not request.htmx:
        return go_to(request, f"{address_of(assignment)}#what-follows")
    context = {"following": following_html(assignment.revision, address=address_of(assignment))}
    return render_page(request, "review/workspace.html", context, part="what-follows")
