"""Where every n-gram of a trajectory is seen first: built once, serves all its items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from generation.core.leakage.normalise import Normalised, normalise
from generation.core.leakage.tokens import Tokens, ngram_hashes, tokenise
from generation.core.records import Step

GRAM_SIZES = (3, 5, 8)
"""5- and 8-grams tell leaks; 3-grams find the pieces of long words that these miss."""

NEVER = np.iinfo(np.int64).max
"""Stands for a place that does not exist."""

_BREAK = "\n\x00\n"  # no token, so it never joins two texts into one n-gram's text


class Origin(IntEnum):
    """What kind of text of a trajectory a passage stands in."""

    TASK = 0
    THOUGHT = 1
    ACTION = 2
    OBSERVATION = 3
    OUTCOME = 4


@dataclass(frozen=True, slots=True)
class Places:
    """Where looked-up n-grams stand, one entry each, as token indexes; ``NEVER`` if nowhere.

    ``first`` is the first place at all, ``shown`` the first in an observation or the outcome;
    ``spoken`` tells whether any thought, any action or the task holds it.
    """

    first: NDArray[np.int64]
    shown: NDArray[np.int64]
    spoken: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GramIndex:
    """The distinct n-grams of a trajectory, sorted by hash, with their places."""

    size: int
    hashes: NDArray[np.uint64]
    places: Places

    def look_up_some(self, wanted: NDArray[np.uint64], likely: NDArray[np.bool_]) -> Places:
        """Return the places of the likely ones; the others are said to stand nowhere."""
        found = self.look_up(wanted[likely])
        first = np.full(wanted.size, NEVER, dtype=np.int64)
        shown = first.copy()
        spoken = np.zeros(wanted.size, dtype=np.bool_)
        first[likely], shown[likely], spoken[likely] = found.first, found.shown, found.spoken
        return Places(first, shown, spoken)

    def look_up(self, wanted: NDArray[np.uint64]) -> Places:
        """Return the places of the wanted n-gram hashes, in their order."""
        if not self.hashes.size:
            nowhere = np.full(wanted.size, NEVER, dtype=np.int64)
            return Places(nowhere, nowhere, np.zeros(wanted.size, dtype=np.bool_))
        near = np.minimum(np.searchsorted(self.hashes, wanted), self.hashes.size - 1)
        there = self.hashes[near] == wanted
        return Places(
            first=np.where(there, self.places.first[near], NEVER),
            shown=np.where(there, self.places.shown[near], NEVER),
            spoken=there & self.places.spoken[near],
        )


class FirstSeenMap:
    """Texts of one trajectory in the order in which they became known, and their n-grams.

    The order is task (with tools and whatever else is always shown), thought, action and
    observation of each step, then the outcome. What a cut shows is therefore a leading part,
    and a token index compared with ``visible_tokens`` tells past from future.
    """

    def __init__(self, texts: Sequence[tuple[Origin, int, str]]) -> None:
        """Index ``texts``: kind, 1-based step (0: none) and text, in order of time."""
        self._origins = np.array([origin for origin, _, _ in texts], dtype=np.int8)
        self._steps = np.array([step for _, step, _ in texts], dtype=np.int64)
        whole = normalise(_BREAK.join(text for _, _, text in texts))
        lengths = np.array([len(text) + len(_BREAK) for _, _, text in texts], dtype=np.int64)
        self._text_begins = np.searchsorted(whole.begins, np.cumsum(lengths) - lengths)
        self.normalised: Normalised = whole
        self.tokens: Tokens = tokenise(whole.codes)
        self._text_of_token = self.text_at(self.tokens.starts)
        self._token_begins = np.searchsorted(self.tokens.starts, self._text_begins)
        self._words, self._word_places = np.unique(self.tokens.hashes, return_index=True)
        self._blanks = np.flatnonzero((whole.codes == 0x20) | (whole.codes == 0x0A))
        self.grams = {size: self._index(size) for size in GRAM_SIZES}

    @classmethod
    def build(
        cls,
        *,
        task: str,
        steps: Sequence[Step],
        always_shown: Iterable[str] = (),
        outcomes: Iterable[str] = (),
    ) -> "FirstSeenMap":
        """Return the map of a trajectory.

        ``always_shown`` are the tools and other texts that are visible at every cut, ``outcomes``
        the final answer, the submission and whatever else is future at every cut.
        """
        texts = [(Origin.TASK, 0, task)]
        texts += [(Origin.TASK, 0, text) for text in always_shown]
        for number, step in enumerate(steps, start=1):
            texts += [
                (Origin.THOUGHT, number, step.thought),
                (Origin.ACTION, number, step.action),
                (Origin.OBSERVATION, number, step.observation),
            ]
        texts += [(Origin.OUTCOME, 0, text) for text in outcomes]
        return cls(texts)

    def visible_texts(self, cut: int, *, thought_shown: bool) -> int:
        """Return how many leading texts are known before step ``cut`` (1-based)."""
        past = (self._origins != Origin.OUTCOME) & (self._steps < cut)
        if thought_shown:
            past |= (self._origins == Origin.THOUGHT) & (self._steps == cut)
        return int(np.count_nonzero(past))

    def token_end(self, texts: int) -> int:
        """Return the number of tokens in the first ``texts`` texts."""
        if texts >= self._token_begins.size:
            return self.tokens.count
        return int(self._token_begins[texts])

    def code_end(self, texts: int) -> int:
        """Return the length of the first ``texts`` texts in normalised characters."""
        if texts >= self._text_begins.size:
            return int(self.normalised.codes.size)
        return int(self._text_begins[texts])

    def text_of_code(self, place: int) -> int:
        """Return the index of the text that holds a normalised offset."""
        return int(np.searchsorted(self._text_begins, place, side="right")) - 1

    @cached_property
    def spoken_text(self) -> str:
        """Task, thoughts and actions of the whole run, normalised: what any option may hold."""
        whole = self.normalised.text
        ends = [*self._text_begins[1:].tolist(), len(whole)]
        spoken = (self._origins < Origin.OBSERVATION).tolist()
        begins = self._text_begins.tolist()
        return "\n".join(whole[b:e] for b, e, s in zip(begins, ends, spoken, strict=True) if s)

    @cached_property
    def compact_text(self) -> str:
        """All texts normalised and without blanks; a NUL stands between two."""
        return "".join(self.normalised.text.split())

    def compact_end(self, codes: int) -> int:
        """Return the length of the first ``codes`` normalised characters without blanks."""
        return codes - int(np.searchsorted(self._blanks, codes))

    def text_at(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the index of the text that holds each normalised offset."""
        return np.searchsorted(self._text_begins, codes, side="right").astype(np.int64) - 1

    def texts_of(self, tokens: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the index of the text that holds each token."""
        return self._text_of_token[tokens]

    def text_of_token(self, token: int) -> int:
        """Return the index of the text that holds a token."""
        return int(self._text_of_token[token])

    def origin(self, text: int) -> Origin:
        """Return the kind of a text."""
        return Origin(int(self._origins[text]))

    def step(self, text: int) -> int | None:
        """Return the 1-based step of a text; None for task and outcome."""
        return int(self._steps[text]) or None

    def first_tokens(self, hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return for each token hash the first token of the run that has it, or ``NEVER``."""
        if not self._words.size:
            return np.full(hashes.size, NEVER, dtype=np.int64)
        near = np.minimum(np.searchsorted(self._words, hashes), self._words.size - 1)
        return np.where(self._words[near] == hashes, self._word_places[near], NEVER)

    def holds_sequence(self, hashes: NDArray[np.uint64], *, stop: int) -> bool:
        """Return whether the tokens stand next to each other within the first ``stop`` tokens."""
        count = stop - hashes.size + 1
        if not hashes.size or count <= 0:
            return False
        held = self.tokens.hashes
        places = np.flatnonzero(held[:count] == hashes[0])
        for offset in range(1, hashes.size):
            places = places[held[places + offset] == hashes[offset]]
        last = places + hashes.size - 1
        return bool((self._text_of_token[places] == self._text_of_token[last]).any())

    def _index(self, size: int) -> GramIndex:
        hashes = ngram_hashes(self.tokens.hashes, size)
        count = hashes.size
        owner = self._text_of_token
        place = np.flatnonzero(owner[:count] == owner[size - 1 : size - 1 + count])
        hashes = hashes[place]
        order = np.argsort(hashes)
        hashes, place = hashes[order], place[order]
        if not place.size:
            empty = np.zeros(0, dtype=np.int64)
            return GramIndex(size, hashes, Places(empty, empty, np.zeros(0, dtype=np.bool_)))
        group = np.flatnonzero(np.concatenate(([True], hashes[1:] != hashes[:-1])))
        shown = self._origins[owner[place]] >= Origin.OBSERVATION
        places = Places(
            first=np.minimum.reduceat(place, group),
            shown=np.minimum.reduceat(np.where(shown, place, NEVER), group),
            spoken=np.logical_or.reduceat(~shown, group),
        )
        return GramIndex(size, hashes[group], places)
