"""The search within the source: over what the page may show this reviewer now, nothing else."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext

from review.core.chapters import Part
from review.core.folding import step_limit
from review.core.search import LONGEST_QUERY, Hit, Place, QueryTooLongError, search
from review.core.source_view import PARTS
from review.models import Assignment
from review.services.shown_texts import read_steps
from review.views.access import last_visible_step
from review.views.rendering import PageRequest, render_page
from review.views.shown_options import shown_options_of
from review.views.source_page import is_run, shows_steps, slots_around_history
from review.views.source_parts import source_parts, title_of


@dataclass(frozen=True, slots=True)
class HitRow:
    """A hit in the list: where it is, its line, and the link that leads to it.

    ``piece`` is the piece that holds it, None where it is shown; then ``at`` is its offset in the
    head of its text, or in the tail where ``in_tail``.
    """

    hit: Hit
    where: str
    part: str
    address: str
    at: int
    in_tail: bool

    @property
    def length(self) -> int:
        """How many characters the hit has."""
        return self.hit.end - self.hit.start


@dataclass(frozen=True, slots=True)
class SearchView:
    """A query and what came of it: ``problem`` where it was refused, else the hits."""

    query: str = ""
    problem: str = ""
    rows: tuple[HitRow, ...] = ()
    count: str = "0"
    has_more: bool = False


def searched(request: PageRequest, assignment: Assignment) -> SearchView:
    """Return what came of the request's query; two queries to the database, none without one."""
    query = request.GET.get("q", "").strip()
    if request.method != "GET" or not query:
        return SearchView()
    try:
        found = search(query, _places(assignment))
    except QueryTooLongError:
        return SearchView(
            query[:LONGEST_QUERY],
            gettext("Too long: %(length)d characters. Search for %(most)d at most.")
            % {"length": len(query), "most": LONGEST_QUERY},
        )
    rows = tuple(_row(assignment, hit) for hit in found.hits)
    return SearchView(query, rows=rows, count=found.count, has_more=found.has_more)


def show_hits(request: PageRequest, assignment: Assignment) -> HttpResponse:
    """Show the list of hits alone, for the page that holds it already."""
    view = searched(request, assignment)
    context = {"assignment": assignment, "search": view}
    status = 422 if view.problem else 200
    return render_page(request, "review/workspace.html", context, part="hits", status=status)


def _places(assignment: Assignment) -> Iterator[Place]:
    """Yield the texts in the order in which the page shows them."""
    revision = assignment.revision
    parts = source_parts(revision, shown_options_of(assignment))
    before, _after = slots_around_history(revision, [part.slot for part in parts])
    yield from _sections(part for part in parts if part.slot in before)
    if shows_steps(revision, parts):
        yield from _steps(assignment, first=1, last=revision.candidate.cut - 1)
    yield from _sections(part for part in parts if part.slot not in before)
    if is_run(revision) and last_visible_step(assignment) is None:
        yield from _steps(assignment, first=revision.candidate.cut, last=None)


def _sections(parts: Iterable[Part]) -> Iterator[Place]:
    for part in parts:
        title = title_of(part.slot)
        where = title if part.is_first else f"{title} · {part.heading}"
        yield Place(f"section-{part.name}", None, where, part.name, part.text, part.limit)


def _steps(assignment: Assignment, *, first: int, last: int | None) -> Iterator[Place]:
    limit = step_limit(assignment.revision.candidate.cut - 1)
    steps = read_steps(assignment.revision, first=first, last=last)
    for number, step in enumerate(steps, start=first):
        for part in PARTS:
            yield Place(f"step-{number}", number, "", part, getattr(step, part), limit)


def _row(assignment: Assignment, hit: Hit) -> HitRow:
    place = hit.place
    at, in_tail = hit.start, hit.start >= hit.tail_start
    return HitRow(
        hit=hit,
        where=place.title if place.step is None else str(place.step),
        part="" if place.step is None else _part_word(place.part),
        address=f"#{place.anchor}" if hit.piece is None else _piece_address(assignment, hit),
        at=at - hit.tail_start if in_tail else at,
        in_tail=in_tail,
    )


def _piece_address(assignment: Assignment, hit: Hit) -> str:
    """Return the address of the piece that holds a hit, to be marked in it."""
    place = hit.place
    query: dict[str, str | int] = {"at": hit.start, "to": hit.end}
    if place.step is None:
        address = reverse("section-piece", args=[assignment.pk, place.part, hit.piece])
        return f"{address}?{urlencode(query)}#hit"
    address = reverse("step-piece", args=[assignment.pk, place.step, hit.piece])
    return f"{address}?{urlencode({'part': place.part, **query})}#hit"


def _part_word(part: str) -> str:
    """Return a step's part for people."""
    words = {
        "thought": gettext("thought"),
        "action": gettext("action"),
        "observation": gettext("observation"),
    }
    return words[part]
