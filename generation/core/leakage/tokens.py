"""Tokens of a normalised text and hashes of their n-grams, without a loop over tokens.

A token is a run of letters, digits and underscores, or one Chinese or Japanese character.
Punctuation and blanks are no tokens, so that spacing and quoting change nothing.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generation.core.leakage.fold_table import SEPARATOR, SINGLE, TABLE_SIZE, WORD, kind_table

LONGEST_TOKEN = 32
"""Longer runs count as several tokens, so that a block of base64 is no single one."""

_BLOCK = 1 << 16
_BASE = 0x9E3779B97F4A7C15  # odd, so it has an inverse modulo 2**64
_INVERSE = pow(_BASE, -1, 1 << 64)
_STEP = np.uint64(0xD6E8FEB86659FD93)


def _powers(base: int) -> NDArray[np.uint64]:
    factors = np.full(_BLOCK + LONGEST_TOKEN + 1, base, dtype=np.uint64)
    factors[0] = 1
    return np.cumprod(factors, dtype=np.uint64)


_POWERS = _powers(_BASE)
_INVERSE_POWERS = _powers(_INVERSE)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens in order: offsets into the normalised text, 64-bit hashes, which are characters."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    single: NDArray[np.bool_]

    @property
    def count(self) -> int:
        """How many tokens there are."""
        return int(self.hashes.size)

    def weight(self, first: int, stop: int) -> float:
        """Return what tokens first..stop-1 weigh: 1 a word, 1/2 a Chinese character."""
        return stop - first - 0.5 * float(np.count_nonzero(self.single[first:stop]))


def tokenise(codes: NDArray[np.uint32]) -> Tokens:
    """Return the tokens of a normalised text given as code points."""
    kinds = _kinds(codes)
    word = kinds == WORD
    single = kinds == SINGLE
    begins = word.copy()
    begins[1:] &= ~word[:-1]
    finishes = word.copy()
    finishes[:-1] &= ~word[1:]
    starts = np.flatnonzero(begins | single).astype(np.int64)
    ends = np.flatnonzero(finishes | single).astype(np.int64) + 1
    starts, ends = _cut_long_runs(starts, ends)
    return Tokens(starts, ends, _token_hashes(codes, starts, ends), single[starts])


def ngram_hashes(hashes: NDArray[np.uint64], n: int) -> NDArray[np.uint64]:
    """Return the hash of every n consecutive tokens, in order; empty if there are fewer."""
    count = hashes.size - n + 1
    if count <= 0:
        return np.zeros(0, dtype=np.uint64)
    total = hashes[:count].copy()
    for place in range(1, n):
        total *= _STEP
        total += hashes[place : place + count]
    return _mixed(total)


def word_character(code: int) -> bool:
    """Return whether a normalised code point is part of a word."""
    return code < TABLE_SIZE and kind_table()[code] == WORD


def _kinds(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    table = kind_table()
    if not codes.size or int(codes.max()) < TABLE_SIZE:
        return table[codes]
    ideograph = (codes >= 0x20000) & (codes < 0x32400)
    beyond = np.where(ideograph, np.uint8(SINGLE), np.uint8(SEPARATOR))
    return np.where(codes < TABLE_SIZE, table[np.minimum(codes, TABLE_SIZE - 1)], beyond)


def _cut_long_runs(
    starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    pieces = (ends - starts + LONGEST_TOKEN - 1) // LONGEST_TOKEN
    if not starts.size or int(pieces.max()) == 1:
        return starts, ends
    run = np.repeat(np.arange(starts.size), pieces)
    before = np.cumsum(pieces) - pieces
    offset = (np.arange(run.size) - before[run]) * LONGEST_TOKEN
    cut_starts = starts[run] + offset
    return cut_starts, np.minimum(cut_starts + LONGEST_TOKEN, ends[run])


def _token_hashes(
    codes: NDArray[np.uint32], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Hash each token as a polynomial in its code points, by differences of prefix sums."""
    hashes = np.empty(starts.size, dtype=np.uint64)
    first = 0
    while first < starts.size:
        low = int(starts[first])
        stop = int(np.searchsorted(starts, low + _BLOCK))
        high = int(ends[stop - 1])
        sums = np.zeros(high - low + 1, dtype=np.uint64)
        terms = codes[low:high].astype(np.uint64)
        terms += np.uint64(1)
        terms *= _POWERS[: high - low]
        np.cumsum(terms, out=sums[1:])
        left, right = starts[first:stop] - low, ends[first:stop] - low
        hashes[first:stop] = (sums[right] - sums[left]) * _INVERSE_POWERS[left]
        first = stop
    return _mixed(hashes)


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread the bits in place (the finaliser of splitmix64)."""
    values ^= values >> np.uint64(30)
    values *= np.uint64(0xBF58476D1CE4E5B9)
    values ^= values >> np.uint64(27)
    values *= np.uint64(0x94D049BB133111EB)
    values ^= values >> np.uint64(31)
    return values
