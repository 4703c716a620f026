"""The colours of code, for texts that come into view: stretches as numbers, not markup."""

from collections.abc import Iterable
from itertools import chain

from django.http import Http404, JsonResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from review.core.colours import LARGEST, Stretch, colours
from review.core.display import shown
from review.core.edits import patch_marks
from review.core.folding import fold, piece, step_limit
from review.core.languages import language_of_options, language_of_part, language_of_text
from review.core.source_view import PARTS
from review.models import Assignment
from review.services.shown_texts import read_steps
from review.views.access import own_assignment, require_visible
from review.views.rendering import PageRequest
from review.views.shown_options import shown_options_of
from review.views.source_parts import is_option, part_named, source_parts

_MOST_TEXTS = 24
# Up to here a text is read whole, so that what is folded does not hide where a string began.
_READ_WHOLE = 40_000


@cache_control(private=True, max_age=3_600)
@require_http_methods(["GET"])
def text_colours(request: PageRequest, pk: int) -> JsonResponse:
    """Return the stretches of the texts asked for: start, length, kind, of each part shown.

    ``of`` names a text as the page does: ``step-3:observation``, ``section-page:page``, with
    ``:2`` for its second piece. Offsets count UTF-16 units, as browsers do.
    """
    assignment = own_assignment(request, pk)
    names = request.GET.getlist("of")[:_MOST_TEXTS]
    return JsonResponse({name: _colours_of(assignment, name) for name in names})


def _colours_of(assignment: Assignment, name: str) -> dict[str, list[int]]:
    """Return the stretches of one text by where they are shown: ``head`` and ``tail``, or ``piece``."""
    anchor, _colon, rest = name.partition(":")
    part, _colon, number = rest.partition(":")
    text, language, limit = _text(assignment, anchor, part)
    text = shown(text).text
    if len(text) > LARGEST:
        return {}
    if number:
        found = piece(text, limit=limit, number=int(number)) if number.isdecimal() else None
        if found is None:
            raise Http404
        return {"piece": _between(text, language, found.start, found.start + len(found.text))}
    folded = fold(text, limit=limit)
    return {
        "head": _between(text, language, 0, folded.middle_start),
        "tail": _between(text, language, folded.middle_end, len(text)),
    }


def _text(assignment: Assignment, anchor: str, part: str) -> tuple[str, str, int]:
    """Return a text of the page, its language, and the limit to which it is folded.

    Raises:
        Http404: the page shows no such text.
    """
    revision = assignment.revision
    kind, _dash, name = anchor.partition("-")
    if kind == "step" and name.isdecimal() and len(name) < 8 and part in PARTS:
        number = int(name)
        require_visible(assignment, number)
        for step in read_steps(revision, first=number, last=number):
            limit = step_limit(revision.candidate.cut - 1)
            return getattr(step, part), language_of_text(step, part), limit
    if kind != "section":
        raise Http404
    parts = source_parts(revision, shown_options_of(assignment))
    found = part_named(parts, name)
    language = language_of_part(found)
    if is_option(found.slot) and not patch_marks(found.text):
        language = language_of_options(revision.slots.values())
    return found.text, language, found.limit


def _between(text: str, language: str, start: int, end: int) -> list[int]:
    """Return the stretches between two offsets, counted from the first, as browsers count."""
    if start >= end:
        return []
    if len(text) <= _READ_WHOLE:
        whole: Iterable[Stretch] = colours(text, language)
        inside = [
            Stretch(max(each.start, start) - start, min(each.end, end) - start, each.kind)
            for each in whole
            if each.start < end and each.end > start
        ]
    else:
        inside = list(colours(text[start:end], language))
    return list(chain.from_iterable(_units(text[start:end], inside)))


def _units(text: str, found: list[Stretch]) -> Iterable[tuple[int, int, int]]:
    """Yield start, length and kind, counted in UTF-16 units."""
    if text.isascii() or max(text) <= "\uffff":
        for each in found:
            yield each.start, each.end - each.start, each.kind
        return
    at = extra = 0
    for each in found:
        extra += sum(character > "\uffff" for character in text[at : each.start])
        wide = sum(character > "\uffff" for character in text[each.start : each.end])
        yield each.start + extra, each.end - each.start + wide, each.kind
        extra, at = extra + wide, each.end
