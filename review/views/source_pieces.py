"""Parts of an item's source that a lead's or an author's page loads on demand."""

from collections.abc import Callable
from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.urls import URLPattern, path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from generation.models import Revision
from review.core.display import shown
from review.core.folding import piece as piece_of
from review.views.parts import plain
from review.views.rendering import PageRequest, render_page
from review.views.source_page import section_text, step_text

Reader = Callable[[PageRequest, int], Revision]
"""Returns the revision that a page shows, or refuses the person as the page itself does."""


@dataclass(frozen=True, slots=True)
class SourceParts:
    """The addresses below a page's own at which the parts of its source lie.

    ``name`` is that of the page's address, whose one number ``read`` takes.
    """

    name: str
    read: Reader

    def urls(self, address: str) -> list[URLPattern]:
        """Return the patterns below ``address``, the page's own with its number as ``pk``."""
        step, section = f"{address}step/<int:number>/", f"{address}section/<slug:name>/"
        get = require_http_methods(["GET"])
        return [
            path(
                f"{step}piece/<int:piece>",
                never_cache(get(self._step_piece)),
                name=f"{self.name}-step-piece",
            ),
            path(f"{step}raw", get(self._step_raw), name=f"{self.name}-step-raw"),
            path(
                f"{section}piece/<int:piece>",
                never_cache(get(self._section_piece)),
                name=f"{self.name}-section-piece",
            ),
            path(f"{section}raw", get(self._section_raw), name=f"{self.name}-section-raw"),
        ]

    def _step_piece(self, request: PageRequest, pk: int, number: int, piece: int) -> HttpResponse:
        part = request.GET.get("part", "observation")
        text, limit = step_text(self.read(request, pk), number, part)
        address = reverse(f"{self.name}-step-piece", args=[pk, number, piece + 1])
        raw = reverse(f"{self.name}-step-raw", args=[pk, number]) + f"?part={part}"
        return self._show(request, pk, piece, (text, limit), (f"{address}?part={part}", raw))

    def _section_piece(self, request: PageRequest, pk: int, name: str, piece: int) -> HttpResponse:
        text, limit = section_text(self.read(request, pk), name)
        address = reverse(f"{self.name}-section-piece", args=[pk, name, piece + 1])
        raw = reverse(f"{self.name}-section-raw", args=[pk, name])
        return self._show(request, pk, piece, (text, limit), (address, raw))

    def _show(
        self,
        request: PageRequest,
        pk: int,
        number: int,
        folded: tuple[str, int],
        addresses: tuple[str, str],
    ) -> HttpResponse:
        text, limit = folded
        found = piece_of(shown(text).text, limit=limit, number=number)
        if found is None:
            raise Http404
        context = {
            "back": reverse(self.name, args=[pk]),
            "piece": found,
            "address": addresses[0],
            "raw": addresses[1],
        }
        return render_page(request, "review/source_piece.html", context, part="piece")

    def _step_raw(self, request: PageRequest, pk: int, number: int) -> HttpResponse:
        part = request.GET.get("part", "observation")
        text, _limit = step_text(self.read(request, pk), number, part)
        return plain(text, f"step-{number}-{part}.txt")

    def _section_raw(self, request: PageRequest, pk: int, name: str) -> HttpResponse:
        text, _limit = section_text(self.read(request, pk), name)
        return plain(text, f"{name}.txt")
