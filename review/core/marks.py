"""Marks places in a text, by offsets into the text as it was before it was made fit to show."""

from collections.abc import Iterable
from dataclasses import dataclass

from review.core.display import shown


@dataclass(frozen=True, slots=True)
class Mark:
    """A place to mark: ``start`` and ``end`` are character offsets, ``key`` names what it is."""

    start: int
    end: int
    key: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of shown text; ``key`` is None where nothing is marked."""

    text: str
    key: int | None = None


def segments(text: str, marks: Iterable[Mark]) -> tuple[Segment, ...]:
    """Return ``text`` cut at the marks, every segment fit to show; empty segments are left out.

    A mark beyond the text is cut to it; where marks overlap, the one that starts first goes on.
    """
    found: list[Segment] = []
    at = 0
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        start, end = max(mark.start, at), min(mark.end, len(text))
        if start >= end:
            continue
        found += [Segment(text[at:start]), Segment(text[start:end], mark.key)]
        at = end
    found.append(Segment(text[at:]))
    return tuple(Segment(shown(part.text).text, part.key) for part in found if part.text)
