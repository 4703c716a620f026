"""Sets two options side by side: lines that both have, and between them what differs, by words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from review.core.display import shown
from review.core.edits import Change
from review.core.word_diff import STEPS, Piece, matches, word_diff

# Equal lines beside a difference are shown, more than these in a row are folded.
_AROUND = 3
_MOST_PIECES = 600
_LEAST_KEPT = 0.5


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of one side; ``differs`` where the other side has it not."""

    text: str
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """Lines of both sides beside each other.

    ``same`` is the text where both have it; it ``is_folded`` where it is long. ``lines`` counts
    them. Else ``left`` and ``right`` are what stands in its place on each side.
    """

    lines: int
    same: str = ""
    is_folded: bool = False
    left: tuple[Stretch, ...] = ()
    right: tuple[Stretch, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether the sides have nothing in common here."""
        return all(part.differs or not part.text for part in (*self.left, *self.right))

    @property
    def is_same(self) -> bool:
        """Whether both sides have these lines."""
        return not (self.left or self.right)


def compare(left: str, right: str) -> tuple[Row, ...]:
    """Return two texts as rows, fit to show; no side is the newer one.

    Lines that both have in the same order stay together, what lies between is compared by words,
    or differs as a whole where less than half of it is the same. Blanks at the end of a line do
    not count. Time is bounded.
    """
    first, second = (
        [line.rstrip() for line in shown(text).text.split("\n")] for text in (left, right)
    )
    return tuple(_rows(first, second))


def _rows(first: Sequence[str], second: Sequence[str]) -> Iterator[Row]:
    at_first = at_second = 0
    runs = [(run.old, run.new, run.length) for run in matches(first, second, steps=STEPS // 4)]
    budget = STEPS // 2
    for start, other, length in (*runs, (len(first), len(second), 0)):
        gap = "\n".join(first[at_first:start]), "\n".join(second[at_second:other])
        lines = max(start - at_first, other - at_second)
        if lines:
            share = budget // 2
            budget -= min(share, budget)
            yield _difference(*gap, lines=lines, steps=share)
        is_first, is_last = start == 0, start + length == len(first)
        yield from _same(first[start : start + length], is_first=is_first, is_last=is_last)
        at_first, at_second = start + length, other + length


def _difference(left: str, right: str, *, lines: int, steps: int) -> Row:
    pieces = word_diff(left, right, steps=steps)
    kept = sum(len(piece.text) for piece in pieces if piece.change is Change.KEPT)
    if len(pieces) > _MOST_PIECES or kept < min(len(left), len(right)) * _LEAST_KEPT:
        pieces = (Piece(Change.REMOVED, left), Piece(Change.ADDED, right))
    return Row(
        lines=lines,
        left=_side(pieces, Change.REMOVED) or (Stretch(""),),
        right=_side(pieces, Change.ADDED) or (Stretch(""),),
    )


def _side(pieces: Sequence[Piece], own: Change) -> tuple[Stretch, ...]:
    return tuple(
        Stretch(piece.text, differs=piece.change is own)
        for piece in pieces
        if piece.change in (own, Change.KEPT)
    )


def _same(lines: Sequence[str], *, is_first: bool, is_last: bool) -> Iterator[Row]:
    """Yield equal lines, those far from any difference folded."""
    head = 0 if is_first else _AROUND
    tail = 0 if is_last else _AROUND
    if len(lines) <= head + tail + 2:
        if lines:
            yield Row(len(lines), same="\n".join(lines))
        return
    if head:
        yield Row(head, same="\n".join(lines[:head]))
    middle = lines[head : len(lines) - tail]
    yield Row(len(middle), same="\n".join(middle), is_folded=True)
    if tail:
        yield Row(tail, same="\n".join(lines[len(lines) - tail :]))
