"""A text that is asked about (prompt or option), set against a trajectory's first-seen map."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from generation.core.leakage.first_seen import NEVER, FirstSeenMap
from generation.core.leakage.looked_up import LookedUp, windows_touching

_MARGIN = 4  # tokens beside an unseen one that a phrase or address around it may reach over


@dataclass(frozen=True, slots=True)
class Horizon:
    """What a cut shows of a trajectory: its leading tokens and normalised characters.

    ``compact`` counts the characters without blanks.
    """

    seen: FirstSeenMap
    tokens: int
    codes: int
    compact: int

    @classmethod
    def at(cls, seen: FirstSeenMap, cut: int, *, thought_shown: bool) -> "Horizon":
        """Return the horizon of step ``cut`` (1-based)."""
        texts = seen.visible_texts(cut, thought_shown=thought_shown)
        codes = seen.code_end(texts)
        return cls(seen, seen.token_end(texts), codes, seen.compact_end(codes))

    def shows_text(self, text: str) -> bool:
        """Return whether the visible part holds a normalised text, blanks aside."""
        return self.seen.compact_text.find("".join(text.split()), 0, self.compact) >= 0


class Passage:
    """One asked text with its tokens and the places of its n-grams in a trajectory.

    ``is_option`` texts may hold thoughts and actions of any step, prompts only visible ones.
    ``exempt`` are stretches of the original text that another field answers for.
    """

    def __init__(
        self,
        text: LookedUp,
        horizon: Horizon,
        *,
        is_option: bool = False,
        exempt: tuple[tuple[int, int], ...] = (),
    ) -> None:
        """Set a looked-up text against ``horizon``."""
        self.original = text.original
        self.normalised = text.normalised
        self.tokens = text.tokens
        self.places = text.places
        self.horizon = horizon
        self.is_option = is_option
        self._word_places = text.word_places
        self._leaking: dict[int, NDArray[np.bool_]] = {}
        self._exempt = np.zeros(self.tokens.count, dtype=np.bool_)
        for start, end in exempt:
            low, high = np.searchsorted(self.normalised.begins, [start, end])
            begin = np.searchsorted(self.tokens.starts, low)
            self._exempt[begin : np.searchsorted(self.tokens.starts, high)] = True
        self._has_exempt = bool(self._exempt.any())

    def leaking(self, size: int) -> NDArray[np.bool_]:
        """Return for each n-gram whether it is future, not visible and not exempt."""
        if size not in self._leaking:
            self._leaking[size] = self._find_leaking(size)
        return self._leaking[size]

    def _find_leaking(self, size: int) -> NDArray[np.bool_]:
        places = self.places[size]
        future: NDArray[np.bool_] = (places.first != NEVER) & (places.first >= self.horizon.tokens)
        if self.is_option:
            future &= (places.shown != NEVER) & ~places.spoken
        if self._has_exempt:
            future &= ~windows_touching(self._exempt, size)
        return future

    def sources(self, size: int) -> NDArray[np.int64]:
        """Return the token of the trajectory at which each n-gram counts as first seen."""
        return self.places[size].shown if self.is_option else self.places[size].first

    def visible_grams(self, size: int) -> NDArray[np.bool_]:
        """Return for each n-gram whether the visible part holds it."""
        visible: NDArray[np.bool_] = self.places[size].first < self.horizon.tokens
        return visible

    @cached_property
    def unseen(self) -> tuple[tuple[int, int], ...]:
        """The normalised stretches outside what is visible, with a few tokens beside them.

        Each is widened to blanks, so that no address or number is cut.
        """
        covered = self._exempt.copy()
        covered |= dilated(self.visible_grams(3), 3, self.tokens.count)
        codes = self.normalised.codes
        blanks = np.flatnonzero((codes == 0x20) | (codes == 0x0A))
        edges = np.concatenate(([-1], blanks, [codes.size]))
        firsts, stops = _run_bounds(~covered)
        lows = np.maximum(firsts - _MARGIN, 0)
        highs = np.minimum(stops + _MARGIN, self.tokens.count)
        starts = edges[edges.searchsorted(self.tokens.starts[lows]) - 1] + 1
        ends = edges[edges.searchsorted(self.tokens.ends[highs - 1])]
        stretches: list[tuple[int, int]] = []
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            if stretches and start <= stretches[-1][1]:
                stretches[-1] = (stretches[-1][0], max(end, stretches[-1][1]))
            else:
                stretches.append((start, end))
        return tuple(stretches)

    @cached_property
    def _bounds(self) -> tuple[list[int], list[int]]:
        return self.tokens.starts.tolist(), self.tokens.ends.tolist()

    @cached_property
    def _first_words(self) -> list[int]:
        # A list, as below: for the few entries of one atom an array costs more.
        places: list[int] = self._word_places.tolist()
        return places

    @cached_property
    def _first_triples(self) -> list[int]:
        places: list[int] = self.places[3].first.tolist()
        return places

    def may_leak(self, start: int, end: int, *, ends_whole: bool) -> bool:
        """Return False only if the n-grams of a normalised stretch show that it is no leak.

        Either the run does not hold them, or what is visible or otherwise allowed does. This
        spares a search of the whole run. Without ``ends_whole`` the last token may go on in the
        run, so nothing is concluded from it.
        """
        starts, ends = self._bounds
        first = bisect_left(starts, start)
        stop = bisect_right(ends, end) - (not ends_whole)
        if stop - first < 3:
            words = self._first_words[first:stop]
            visible = ends_whole and stop - first == 1 and words[0] < self.horizon.tokens
            return NEVER not in words and not visible
        triples = self._first_triples[first : stop - 2]
        if NEVER in triples:
            return False
        if not ends_whole:
            return True
        spoken = self.places[3].spoken[first : stop - 2].tolist()
        return not all(
            place < self.horizon.tokens or (self.is_option and is_spoken)
            for place, is_spoken in zip(triples, spoken, strict=True)
        )

    def is_exempt(self, start: int, end: int) -> bool:
        """Return whether a normalised stretch touches an exempt one."""
        if not self._has_exempt:
            return False
        low = np.searchsorted(self.tokens.ends, start, side="right")
        high = np.searchsorted(self.tokens.starts, end)
        return bool(self._exempt[low:high].any())

    def find_sequence(self, hashes: NDArray[np.uint64]) -> list[int]:
        """Return every token index at which the token sequence begins, exempt ones left out."""
        count = self.tokens.count - hashes.size + 1
        if not hashes.size or count <= 0:
            return []
        places = np.flatnonzero(self.tokens.hashes[:count] == hashes[0])
        for offset in range(1, hashes.size):
            places = places[self.tokens.hashes[places + offset] == hashes[offset]]
        found: list[int] = places[~self._exempt[places]].tolist()
        return found


def dilated(grams: NDArray[np.bool_], size: int, count: int) -> NDArray[np.bool_]:
    """Return for each of ``count`` tokens whether a marked n-gram covers it."""
    covered = np.zeros(count, dtype=np.bool_)
    for offset in range(size):
        covered[offset : offset + grams.size] |= grams
    return covered


def runs(marked: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield (first, stop) of every run of true entries."""
    firsts, stops = _run_bounds(marked)
    return zip(firsts.tolist(), stops.tolist(), strict=True)


def _run_bounds(marked: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    padded = np.concatenate(([False], marked, [False]))
    edges = np.flatnonzero(padded[1:] != padded[:-1]).astype(np.int64)
    return edges[::2], edges[1::2]
