"""Compares two texts line by line, and changed lines word by word: for people who read them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

AROUND = 2
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
# Beyond this the words of a pair are not matched: the matcher's time grows with their product.
_LONGEST_LINE = 4_000
# From this likeness on, a removed and an added line are shown as one that was changed.
_ALIKE = 0.4


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
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    lines: list[Line] = []
    changes = matcher.get_opcodes()
    for number, (change, a, b, c, d) in enumerate(changes, start=1):
        if change == "equal":
            lines.extend(_same(old[a:b], at_start=number == 1, at_end=number == len(changes)))
        else:
            lines.extend(_changed(old[a:b], new[c:d]))
    return [] if all(line.kind in {Change.SAME, Change.LEFT_OUT} for line in lines) else lines


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
    whole = _whole(Change.REMOVED, before), _whole(Change.ADDED, after)
    if max(len(before), len(after)) > _LONGEST_LINE:
        return whole
    old, new = _WORDS.findall(before), _WORDS.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return whole
    minus: list[tuple[Change, str]] = []
    plus: list[tuple[Change, str]] = []
    for change, a, b, c, d in matcher.get_opcodes():
        is_same = change == "equal"
        if b > a:
            minus.append((Change.SAME if is_same else Change.REMOVED, "".join(old[a:b])))
        if d > c:
            plus.append((Change.SAME if is_same else Change.ADDED, "".join(new[c:d])))
    return Line(Change.REMOVED, tuple(minus)), Line(Change.ADDED, tuple(plus))
