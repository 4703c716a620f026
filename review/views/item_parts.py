"""Parts of an item's source that its page loads on demand."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from generation.models import Revision
from review.core.display import shown
from review.core.folding import piece as piece_of
from review.services.item_access import may_open_item
from review.views.access import require_lead
from review.views.parts import plain
from review.views.rendering import PageRequest, render_page
from review.views.source_page import section_text, step_text


def _revision(request: PageRequest, pk: int) -> Revision:
    """Return the current revision of an item that the lead may open."""
    require_lead(request)
    current = Revision.objects.current().with_content()
    revision = get_object_or_404(current, candidate=pk)
    if not may_open_item(lead=request.user, candidate=revision.candidate):
        raise Http404
    return revision


@never_cache
@require_http_methods(["GET"])
def step_piece(request: PageRequest, pk: int, number: int, piece: int) -> HttpResponse:
    """Show one piece of a step's folded text."""
    part = request.GET.get("part", "observation")
    text, limit = step_text(_revision(request, pk), number, part)
    address = reverse("item-step-piece", args=[pk, number, piece + 1]) + f"?part={part}"
    raw = reverse("item-step-raw", args=[pk, number]) + f"?part={part}"
    return _show_piece(request, pk, text, limit, number=piece, address=address, raw=raw)


@never_cache
@require_http_methods(["GET"])
def section_piece(request: PageRequest, pk: int, name: str, piece: int) -> HttpResponse:
    """Show one piece of a section's folded text."""
    text, limit = section_text(_revision(request, pk), name)
    address = reverse("item-section-piece", args=[pk, name, piece + 1])
    raw = reverse("item-section-raw", args=[pk, name])
    return _show_piece(request, pk, text, limit, number=piece, address=address, raw=raw)


def _show_piece(
    request: PageRequest, pk: int, text: str, limit: int, *, number: int, address: str, raw: str
) -> HttpResponse:
    found = piece_of(shown(text).text, limit=limit, number=number)
    if found is None:
        raise Http404
    context = {
        "back": reverse("item", args=[pk]),
        "piece": found,
        "address": address,
        "raw": raw,
    }
    return render_page(request, "review/item_piece.html", context, part="piece")


@require_http_methods(["GET"])
def step_raw(request: PageRequest, pk: int, number: int) -> HttpResponse:
    """Send one text of a step as it is stored."""
    part = request.GET.get("part", "observation")
    text, _limit = step_text(_revision(request, pk), number, part)
    return plain(text, f"step-{number}-{part}.txt")


@require_http_methods(["GET"])
def section_raw(request: PageRequest, pk: int, name: str) -> HttpResponse:
    """Send a section's text as it is stored."""
    text, _limit = section_text(_revision(request, pk), name)
    return plain(text, f"{name}.txt")
