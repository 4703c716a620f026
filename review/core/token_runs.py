"""Runs of tokens that two texts share, and those that are sure to belong together."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_LENGTHS = (8, 3, 1)


@dataclass(frozen=True, slots=True)
class Run:
    """``length`` tokens that are the same from ``old`` and from ``new`` on."""

    old: int
    new: int
    length: int


def joined(runs: Sequence[Run]) -> Iterator[Run]:
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


def anchors(old: Sequence[str], new: Sequence[str]) -> list[Run]:
    """Return runs of tokens that occur once in both texts, in the same order in both."""
    for length in _LENGTHS:
        if pairs := _once_in_both(old, new, length):
            chosen = _longest_rise(pairs)
            return list(joined([Run(*pair, 1) for pair in _without_overlap(chosen, length)]))
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
