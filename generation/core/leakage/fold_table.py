"""Tables of what a character becomes when text is normalised, and of what kind it then is."""

import unicodedata
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

TABLE_SIZE = 0x20000
"""Characters from here on are kept as they are: beyond it lie rare ideographs only."""

DROPPED = 0x110000
"""Stands in the fold table for a character that normalisation removes."""

SPLIT = 0x110001
"""Stands in the fold table for a character that becomes several ones."""

SEPARATOR, WORD, SINGLE = 0, 1, 2
"""Kinds of a normalised character: none of a token, part of a word, a token by itself."""

_INVISIBLE = frozenset(
    {
        *(0x00AD, 0x034F, 0x061C, 0x180E, 0xFEFF),
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2065),
        *range(0xFE00, 0xFE10),
    }
)

_SINGLE_RANGES = ((0x3040, 0x3100), (0x31F0, 0x3200), (0x3400, 0x4DC0), (0x4E00, 0xA000))


@dataclass(frozen=True, slots=True)
class FoldTable:
    """What each character below ``TABLE_SIZE`` becomes.

    ``code`` holds the new code point, ``DROPPED`` or ``SPLIT``; ``several`` the text of those that
    split.
    """

    code: NDArray[np.uint32]
    several: dict[int, str]


def fold(character: str) -> str:
    """Return a character in compatibility form, without case and without marks on letters.

    Marks are dropped rather than joined to their letter, so that both spellings of an accented
    letter come out the same and each character can be looked up by itself.
    """
    folded = unicodedata.normalize("NFKC", character).casefold()
    letters = unicodedata.normalize("NFKD", folded)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@cache
def fold_table() -> FoldTable:
    """Return the table, made at the first call."""
    code = np.arange(TABLE_SIZE, dtype=np.uint32)
    several: dict[int, str] = {}
    for point in range(0x41, TABLE_SIZE):
        if 0x3400 <= point < 0xA000 or 0xAC00 <= point < 0xE000:
            continue  # ideographs, whole Hangul syllables and lone surrogates stay as they are
        character = chr(point)
        folded = "" if point in _INVISIBLE else fold(character)
        if folded == character:
            continue
        if not folded:
            code[point] = DROPPED
        elif len(folded) == 1:
            code[point] = ord(folded)
        else:
            code[point] = SPLIT
            several[point] = folded
    return FoldTable(code=code, several=several)


@cache
def kind_table() -> NDArray[np.uint8]:
    """Return the kind of every character below ``TABLE_SIZE``: separator, word or single."""
    kind = np.zeros(TABLE_SIZE, dtype=np.uint8)
    for point in range(TABLE_SIZE):
        character = chr(point)
        if character == "_" or character.isalnum() or unicodedata.category(character)[0] == "M":
            kind[point] = WORD
    for low, high in _SINGLE_RANGES:
        kind[low:high] = SINGLE
    return kind
