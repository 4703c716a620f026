"""Compares two versions of a text word by word, exactly and in bounded time.

The method is the greedy algorithm of E. W. Myers, "An O(ND) Difference Algorithm and Its
Variations" (Algorithmica 1, 1986): the fewest tokens go and come. Where two texts have little in
common its time grows with the square of the differences, so its steps are counted. Once too many
are spent, runs of words that occur once in both texts anchor the comparison, and what lies
between two anchors is compared by itself, or goes and comes as a whole.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from review.core.edits import Change

STEPS = 400_000
"""How many steps a comparison may take before the rest goes and comes as a whole."""

_MOST_DIFFERENCES = 400
_ANCHOR_LENGTHS = (8, 3, 1)
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


@dataclass(frozen=True, slots=True)
class Run:
    """``length`` tokens that are the same from ``old`` and from ``new`` on."""

    old: int
    new: int
    length: int


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
        for run in _anchors(*part) if is_cheap else ():
            found.append(Run(old_start + run.old, new_start + run.new, run.length))
            todo.append((at_old, old_start + run.old, at_new, new_start + run.new))
            at_old, at_new = old_start + run.old + run.length, new_start + run.new + run.length
        if at_old > old_start:
            todo.append((at_old, old_end, at_new, new_end))
    return list(_joined(sorted(found, key=lambda run: run.old)))


def _joined(runs: Sequence[Run]) -> Iterator[Run]:
    """Yield the runs with those that follow one another as one."""
    last: Run | None = None
    for run in runs:
        if last and last.old + last.length == run.old and last.new + last.length == run.new:
            last = Run(last.old, last.new, last.length + run.length)
            continue
        if last:
            yield last
        last = run
    if last:
        yield last


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


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[Run]:
    """Return runs of tokens that occur once in both texts, in the same order in both."""
    for length in _ANCHOR_LENGTHS:
        if pairs := _once_in_both(old, new, length):
            chosen = _longest_rise(pairs)
            return list(_joined([Run(*pair, 1) for pair in _without_overlap(chosen, length)]))
    return []


def _once_in_both(old: Sequence[str], new: Sequence[str], length: int) -> list[tuple[int, int]]:
    places: list[dict[tuple[str, ...], int]] = []
    for words in (old, new):
        seen: dict[tuple[str, ...], int] = {}
        for at in range(len(words) - length + 1):
            gram = tuple(words[at : at + length])
            seen[gram] = -1 if gram in seen else at
        places.append(seen)
    first, second = places
    return [(at, second[gram]) for gram, at in first.items() if at >= 0 <= second.get(gram, -1)]


def _longest_rise(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the most pairs, which rise in both places; ``pairs`` rise in the first."""
    ends: list[int] = []
    ends_at: list[int] = []
    before: list[int] = []
    for index, (_old, new) in enumerate(pairs):
        size = bisect_left(ends, new)
        before.append(ends_at[size - 1] if size else -1)
        ends[size : size + 1] = [new]
        ends_at[size : size + 1] = [index]
    chosen: list[tuple[int, int]] = []
    index = ends_at[-1] if ends_at else -1
    while index >= 0:
        chosen.append(pairs[index])
        index = before[index]
    return chosen[::-1]


def _without_overlap(pairs: Sequence[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    """Yield the places of all tokens of the runs that begin at ``pairs``, each once."""
    at_old = at_new = -1
    for old, new in pairs:
        for offset in range(length):
            if old + offset > at_old and new + offset > at_new:
                at_old, at_new = old + offset, new + offset
                yield at_old, at_new


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
