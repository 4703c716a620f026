"""Marks places in a text, by offsets into the text as it was before it was made fit to show."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from review.core.display import shown
from review.core.json_syntax import Syntax


@dataclass(frozen=True, slots=True)
class Mark:
    """A place to mark: ``start`` and ``end`` are character offsets, ``key`` names what it is."""

    start: int
    end: int
    key: int


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a segment: quiet where it is syntax, ``starts_line`` where it is to begin one.

    ``kind`` says what line of a patch it is, empty where it is none.
    """

    text: str
    is_quiet: bool = False
    starts_line: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of shown text; ``key`` is None where nothing is marked.

    ``runs`` together are the text, where some of it is syntax; else there are none.
    """

    text: str
    key: int | None = None
    runs: tuple[Run, ...] = ()


def segments(
    text: str, marks: Iterable[Mark], *, syntax: Sequence[Syntax] = ()
) -> tuple[Segment, ...]:
    """Return ``text`` cut at the marks, every segment fit to show; empty segments are left out.

    A mark beyond the text is cut to it; where marks overlap, the one that starts first goes on.
    ``syntax`` are runs of ``text`` in order that are to be quiet, or lines of a patch.
    """
    found: list[tuple[int, int, int | None]] = []
    at = 0
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        start, end = max(mark.start, at), min(mark.end, len(text))
        if start >= end:
            continue
        found += [(at, start, None), (start, end, mark.key)]
        at = end
    found.append((at, len(text), None))
    return tuple(
        Segment(shown(text[start:end]).text, key, tuple(_runs(text, start, end, syntax)))
        for start, end, key in found
        if start < end
    )


def _runs(text: str, start: int, end: int, syntax: Sequence[Syntax]) -> Iterator[Run]:
    """Yield the runs of ``text[start:end]``; none where all of it is plain."""
    inside = [run for run in syntax if run.start < end and run.end > start]
    at = start
    for run in inside:
        first, last = max(run.start, start), min(run.end, end)
        if at < first:
            yield Run(shown(text[at:first]).text)
        begins = run.starts_line and first == run.start
        inner = shown(text[first:last]).text
        yield Run(inner, is_quiet=not run.kind, starts_line=begins, kind=run.kind)
        at = last
    if inside and at < end:
        yield Run(shown(text[at:end]).text)
