"""Compares two versions of a text word by word, exactly and in bounded time.

The method is the greedy algorithm of E. W. Myers, "An O(ND) Difference Algorithm and Its
Variations" (Algorithmica 1, 1986): the fewest tokens go and come. Where two texts have little in
common its time grows with the square of the differences, so its steps are counted. Once too many
are spent, runs of words that occur once in both texts anchor the comparison, and what lies
between two anchors is compared by itself, or goes and comes as a whole.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from review.core.edits import Change
from review.core.token_runs import Run, anchors, joined

STEPS = 400_000
"""How many steps a comparison may take before the rest goes and comes as a whole."""

_MOST_DIFFERENCES = 400
_ANCHORED_TIMES = 8
# Han with its extensions, kana, and the punctuation of both: written without blanks, so that each
# character is a word of its own.
_CJK = "\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_CJK}]|(?:(?![{_CJK}])\w)+|\s+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that stays, goes or comes."""

    change: Change
    text: str


class _Spent(Exception):
    """The comparison has used up its steps."""


class _Purse:
    """The steps that are left for the whole comparison, and the tokens to look for anchors in."""

    def __init__(self, steps: int, anchored: int) -> None:
        self.steps = steps
        self.anchored = anchored

    def pay(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise _Spent

    def may_anchor(self, count: int) -> bool:
        self.anchored -= count
        return self.anchored >= 0


def tokens(text: str) -> list[str]:
    """Return the words, blanks, signs and CJK characters of a text; joined they are the text."""
    return _TOKEN.findall(text)


def word_diff(old: str, new: str, *, steps: int = STEPS) -> tuple[Piece, ...]:
    """Return what stays, goes and comes, in order; removed text comes before added text.

    The kept and removed pieces together are ``old``, the kept and added ones ``new``. Blanks
    between two changes go and come with them, so that a rewritten sentence reads as one.
    """
    before, after = tokens(old), tokens(new)
    return tuple(_pieces(before, after, matches(before, after, steps=steps)))


def matches(old: Sequence[str], new: Sequence[str], *, steps: int = STEPS) -> list[Run]:
    """Return the runs of equal tokens, in order and as long as they can be.

    Within ``steps`` they leave the fewest tokens unmatched.
    """
    purse = _Purse(steps, _ANCHORED_TIMES * (len(old) + len(new)))
    found: list[Run] = []
    todo = [(0, len(old), 0, len(new))]
    while todo:
        old_start, old_end, new_start, new_end = todo.pop()
        while old_start < old_end and new_start < new_end and old[old_start] == new[new_start]:
            found.append(Run(old_start, new_start, 1))
            old_start, new_start = old_start + 1, new_start + 1
        while old_start < old_end and new_start < new_end and old[old_end - 1] == new[new_end - 1]:
            old_end, new_end = old_end - 1, new_end - 1
            found.append(Run(old_end, new_end, 1))
        if old_start == old_end or new_start == new_end:
            continue
        part = old[old_start:old_end], new[new_start:new_end]
        runs = _fewest_differences(*part, purse)
        if runs is not None:
            found += [Run(old_start + r.old, new_start + r.new, r.length) for r in runs]
            continue
        at_old, at_new = old_start, new_start
        is_cheap = purse.may_anchor(len(part[0]) + len(part[1]))
        for run in anchors(*part) if is_cheap else ():
            found.append(Run(old_start + run.old, new_start + run.new, run.length))
            todo.append((at_old, old_start + run.old, at_new, new_start + run.new))
            at_old, at_new = old_start + run.old + run.length, new_start + run.new + run.length
        if at_old > old_start:
            todo.append((at_old, old_end, at_new, new_end))
    return list(joined(sorted(found, key=lambda run: run.old)))


def _fewest_differences(old: Sequence[str], new: Sequence[str], purse: _Purse) -> list[Run] | None:
    """Return the runs that leave the fewest tokens unmatched, None where that costs too much.

    ``furthest[k]`` is how far the old text is read on the diagonal ``k`` (old minus new) with
    the number of differences at hand; ``trace`` keeps it for each number, to walk back.
    """
    furthest: dict[int, int] = {1: 0}
    trace: list[dict[int, int]] = []
    rows, columns = len(old), len(new)
    try:
        for differences in range(min(rows + columns, _MOST_DIFFERENCES) + 1):
            trace.append(dict(furthest))
            purse.pay(2 * differences + 1)
            for diagonal in range(-differences, differences + 1, 2):
                at = begin = _begin(furthest, diagonal, differences)
                while at < rows and 0 <= at - diagonal < columns and old[at] == new[at - diagonal]:
                    at += 1
                purse.pay(at - begin)
                furthest[diagonal] = at
                if at >= rows and at - diagonal >= columns:
                    return _walk_back(trace, rows, columns)
    except _Spent:
        return None
    return None


def _comes(furthest: Mapping[int, int], diagonal: int, differences: int) -> bool:
    """Return whether the last difference of the best path to a diagonal is a token that comes."""
    return diagonal == -differences or (
        diagonal != differences and furthest[diagonal - 1] < furthest[diagonal + 1]
    )


def _begin(furthest: Mapping[int, int], diagonal: int, differences: int) -> int:
    """Return where, after that difference, the best path begins on the diagonal."""
    if _comes(furthest, diagonal, differences):
        return furthest[diagonal + 1]
    return furthest[diagonal - 1] + 1


def _walk_back(trace: Sequence[Mapping[int, int]], row: int, column: int) -> list[Run]:
    """Return the runs on the path that the search found, from its end to its beginning."""
    runs: list[Run] = []
    for differences in range(len(trace) - 1, -1, -1):
        furthest, diagonal = trace[differences], row - column
        begin = _begin(furthest, diagonal, differences)
        if row > begin:
            runs.append(Run(begin, begin - diagonal, row - begin))
        is_new = _comes(furthest, diagonal, differences)
        row = begin if is_new else begin - 1
        column = begin - diagonal - 1 if is_new else begin - diagonal
    return runs


def _pieces(old: Sequence[str], new: Sequence[str], runs: Sequence[Run]) -> Iterator[Piece]:
    removed: list[str] = []
    added: list[str] = []
    at_old = at_new = 0
    for run in (*runs, Run(len(old), len(new), 0)):
        removed += old[at_old : run.old]
        added += new[at_new : run.new]
        kept = "".join(old[run.old : run.old + run.length])
        at_old, at_new = run.old + run.length, run.new + run.length
        is_last = at_old == len(old) and at_new == len(new)
        if (removed or added) and kept.isspace() and "\n" not in kept and not is_last:
            removed.append(kept)
            added.append(kept)
            continue
        yield from _change(removed, added)
        removed, added = [], []
        if kept:
            yield Piece(Change.KEPT, kept)
    yield from _change(removed, added)


def _change(removed: Sequence[str], added: Sequence[str]) -> Iterator[Piece]:
    if removed:
        yield Piece(Change.REMOVED, "".join(removed))
    if added:
        yield Piece(Change.ADDED, "".join(added))


def is_changed(pieces: Sequence[Piece]) -> bool:
    """Return whether anything goes or comes."""
    return any(piece.change is not Change.KEPT for piece in pieces)


def shortened(pieces: Sequence[Piece], *, around: int) -> tuple[Piece | int, ...]:
    """Return the pieces with long kept text cut to ``around`` characters beside each change.

    A number stands for that many characters that are left out.
    """
    found: list[Piece | int] = []
    last = len(pieces) - 1
    for index, piece in enumerate(pieces):
        head = around if index > 0 else 0
        tail = around if index < last else 0
        left_out = len(piece.text) - head - tail
        if piece.change is not Change.KEPT or left_out <= around:
            found.append(piece)
            continue
        if head:
            found.append(Piece(Change.KEPT, piece.text[:head]))
        found.append(left_out)
        if tail:
            found.append(Piece(Change.KEPT, piece.text[-tail:]))
    return tuple(found)
