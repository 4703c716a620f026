"""Texts that are asked about, with the places of their n-grams in a trajectory."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generation.core.leakage.first_seen import GRAM_SIZES, NEVER, FirstSeenMap, Places
from generation.core.leakage.normalise import Normalised, normalise
from generation.core.leakage.tokens import Tokens, ngram_hashes, tokenise

_BOUNDARY = "\x00"  # neither blank nor token nor part of an escape: what it parts stays as it is


@dataclass(frozen=True, slots=True)
class LookedUp:
    """One text; ``places`` has for each n of ``GRAM_SIZES`` the places of its n-grams.

    ``word_places`` holds for each token the first token of the run that equals it, or ``NEVER``.
    """

    original: str
    normalised: Normalised
    tokens: Tokens
    places: dict[int, Places]
    word_places: NDArray[np.int64]


def look_up_texts(texts: Sequence[str], seen: FirstSeenMap) -> list[LookedUp]:
    """Return each text looked up, in order.

    They are worked on as one text, because each array operation costs more to call than to run on
    texts as short as these. N-grams that reach over a boundary are looked up and left out.
    """
    whole = normalise(_BOUNDARY.join(texts))
    tokens = tokenise(whole.codes)
    places = _places(tokens.hashes, seen)
    words = seen.first_tokens(tokens.hashes)
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    ends = np.cumsum(lengths + len(_BOUNDARY)) - len(_BOUNDARY)
    begins = ends - lengths
    code_bounds = whole.begins.searchsorted(np.stack([begins, ends]))
    token_bounds = tokens.starts.searchsorted(code_bounds)
    return [
        LookedUp(
            original=text,
            normalised=_part_of_normalised(whole, slice(*codes), begin),
            tokens=_part_of_tokens(tokens, slice(*held), codes[0]),
            places={size: _part_of_places(places[size], size, *held) for size in GRAM_SIZES},
            word_places=words[slice(*held)],
        )
        for text, begin, codes, held in zip(
            texts, begins.tolist(), code_bounds.T.tolist(), token_bounds.T.tolist(), strict=True
        )
    ]


def _places(hashes: NDArray[np.uint64], seen: FirstSeenMap) -> dict[int, Places]:
    """Look up only the n-grams whose smaller ones all stand somewhere: no other can."""
    places: dict[int, Places] = {}
    smaller = 0
    for size in GRAM_SIZES:
        grams = ngram_hashes(hashes, size)
        if smaller:
            unknown = places[smaller].first == NEVER
            likely = ~windows_touching(unknown, size - smaller + 1)
            places[size] = seen.grams[size].look_up_some(grams, likely)
        else:
            places[size] = seen.grams[size].look_up(grams)
        smaller = size
    return places


def _part_of_normalised(whole: Normalised, part: slice, begin: int) -> Normalised:
    offset = np.int32(begin)
    return Normalised(whole.codes[part], whole.begins[part] - offset, whole.ends[part] - offset)


def _part_of_tokens(whole: Tokens, part: slice, begin: int) -> Tokens:
    return Tokens(
        whole.starts[part] - begin, whole.ends[part] - begin, whole.hashes[part], whole.single[part]
    )


def _part_of_places(whole: Places, size: int, first: int, stop: int) -> Places:
    part = slice(first, max(stop - size + 1, first))
    return Places(whole.first[part], whole.shown[part], whole.spoken[part])


def windows_touching(marked: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """Return for each n-gram whether it holds a marked token."""
    count = max(marked.size - size + 1, 0)
    touching = np.zeros(count, dtype=np.bool_)
    for offset in range(size):
        touching |= marked[offset : offset + count]
    return touching
