"""Compares two texts line by line, and changed lines word by word: for people who read them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from review.core import edits
from review.core.token_runs import Run
from review.core.word_diff import matches, word_diff

AROUND = 2
# From this share of common text on, a removed and an added line are shown as one that was changed.
_ALIKE = 0.4
# What a pair of lines may spend on its words, as ``word_diff`` counts.
_STEPS_OF_A_LINE = 20_000


class Change(StrEnum):
    """What happened to a piece of text."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the comparison.

    ``pieces`` are (change, text) in order. A line of kind ``LEFT_OUT`` stands for ``count``
    unchanged lines that are not shown.
    """

    kind: Change
    pieces: tuple[tuple[Change, str], ...]
    count: int = 1


def line_diff(before: str, after: str) -> list[Line]:
    """Return what leads from ``before`` to ``after``, with two unchanged lines around changes.

    Empty where the texts have the same lines. Putting together the pieces that are not
    ``ADDED`` of all removed and shown lines gives lines of ``before``, those that are not
    ``REMOVED`` lines of ``after``.
    """
    old, new = before.splitlines(), after.splitlines()
    if old == new:
        return []
    lines: list[Line] = []
    at_old = at_new = 0
    for run in (*matches(old, new), Run(len(old), len(new), 0)):
        lines.extend(_changed(old[at_old : run.old], new[at_new : run.new]))
        at_old, at_new = run.old + run.length, run.new + run.length
        is_first, is_last = run.old == run.new == 0, at_old == len(old) and at_new == len(new)
        lines.extend(_same(old[run.old : at_old], at_start=is_first, at_end=is_last))
    return lines


def _same(lines: Sequence[str], *, at_start: bool, at_end: bool) -> Iterator[Line]:
    """Yield unchanged lines: the ends beside changes, and one line for what is between."""
    head = 0 if at_start else AROUND
    tail = 0 if at_end else AROUND
    hidden = len(lines) - head - tail
    if hidden <= 1:
        head, tail, hidden = len(lines), 0, 0
    yield from (Line(Change.SAME, ((Change.SAME, text),)) for text in lines[:head])
    if hidden:
        yield Line(Change.LEFT_OUT, (), hidden)
    if tail:
        yield from (Line(Change.SAME, ((Change.SAME, text),)) for text in lines[-tail:])


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    """Yield removed and added lines; alike ones pairwise, with their words compared."""
    paired = min(len(old), len(new))
    removed, added = [], []
    for before, after in zip(old[:paired], new[:paired], strict=True):
        minus, plus = _words(before, after)
        removed.append(minus)
        added.append(plus)
    removed += [_whole(Change.REMOVED, text) for text in old[paired:]]
    added += [_whole(Change.ADDED, text) for text in new[paired:]]
    yield from removed
    yield from added


def _whole(kind: Change, text: str) -> Line:
    return Line(kind, ((kind, text),))


def _words(before: str, after: str) -> tuple[Line, Line]:
    """Return the removed and the added line, each with the words that differ marked."""
    pieces = word_diff(before, after, steps=_STEPS_OF_A_LINE)
    kept = sum(len(piece.text) for piece in pieces if piece.change is edits.Change.KEPT)
    if 2 * kept < _ALIKE * (len(before) + len(after)):
        return _whole(Change.REMOVED, before), _whole(Change.ADDED, after)
    minus, plus = (
        tuple(
            (Change.SAME if piece.change is edits.Change.KEPT else kind, piece.text)
            for piece in pieces
            if piece.change is not other
        )
        for kind, other in (
            (Change.REMOVED, edits.Change.ADDED),
            (Change.ADDED, edits.Change.REMOVED),
        )
    )
    return Line(Change.REMOVED, minus), Line(Change.ADDED, plus)
