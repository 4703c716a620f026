"""Text in the form in which leaks are looked for, with the way back to the original offsets.

Compatibility form (NFKC) without case and without marks on letters, no terminal escapes, no
invisible characters, JSON escapes undone, runs of blanks folded. Line ends stay, because sentences end at them.
"""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from generation.core.leakage.fold_table import DROPPED, SPLIT, TABLE_SIZE, fold_table

_TERMINAL = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\x00]*(?:\x07|\x1b\\)|[()][0-9A-B]|[=>78cDEHM])"
)
_BACKSLASH, _SPACE, _NEWLINE = 0x5C, 0x20, 0x0A

_HEX = np.full(128, 255, dtype=np.uint8)
for _digit in "0123456789abcdefABCDEF":
    _HEX[ord(_digit)] = int(_digit, 16)

_BLANK = np.zeros(0x3001, dtype=np.bool_)
_BLANK[[0x09, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F, 0x20, 0x85, 0xA0, 0x1680, 0x3000]] = True
_BLANK[0x2000:0x200B] = True
_BLANK[[0x2028, 0x2029, 0x202F, 0x205F]] = True


@dataclass(frozen=True)
class Normalised:
    """A normalised text.

    ``codes`` are its code points; the i-th comes from ``original[begins[i]:ends[i]]``.
    """

    codes: NDArray[np.uint32]
    begins: NDArray[np.int32]
    ends: NDArray[np.int32]

    @cached_property
    def text(self) -> str:
        """The normalised text as a string; its offsets are those of ``codes``."""
        return self.codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the original of ``text[start:end]``, which is not empty."""
        return int(self.begins[start]), int(self.ends[end - 1])


def normalise(text: str) -> Normalised:
    """Return ``text`` normalised; offsets count code points of ``text``."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32)
    begins = np.arange(codes.size, dtype=np.int32)
    ends = begins + np.int32(1)
    keep: NDArray[np.bool_] | None = None
    if "\x1b" in text:
        keep = np.ones(codes.size, dtype=np.bool_)
        for match in _TERMINAL.finditer(text):
            keep[match.start() : match.end()] = False
    if "\\" in text:
        keep = np.ones(codes.size, dtype=np.bool_) if keep is None else keep
        _undo_json_escapes(codes, ends, keep)
    if keep is not None:
        codes, begins, ends = codes[keep], begins[keep], ends[keep]
    return _folded_blanks(*_folded_characters(codes, begins, ends))


def _undo_json_escapes(
    codes: NDArray[np.uint32], ends: NDArray[np.int32], keep: NDArray[np.bool_]
) -> None:
    """Write what ``\\n``, ``\\u4e2d`` and the like stand for at their backslash, drop the rest."""
    slashes = np.flatnonzero(codes[:-1] == _BACKSLASH)
    following = codes[slashes + 1]
    for letter, meaning in ((0x6E, _NEWLINE), (0x74, _SPACE), (0x72, _SPACE)):
        places = slashes[following == letter]
        codes[places] = meaning
        keep[places + 1] = False
        ends[places] += 1
    keep[slashes[(following == 0x22) | (following == 0x2F) | (following == 0x27)]] = False
    _undo_unicode_escapes(slashes[following == 0x75], codes, ends, keep)


def _undo_unicode_escapes(
    places: NDArray[np.intp],
    codes: NDArray[np.uint32],
    ends: NDArray[np.int32],
    keep: NDArray[np.bool_],
) -> None:
    places = places[places + 5 < codes.size]
    if not places.size:
        return
    digits = _HEX[np.minimum(codes[places[:, None] + np.arange(2, 6)], 127)]
    right = (digits != 255).all(axis=1)
    places, digits = places[right], digits[right].astype(np.uint32)
    values = digits @ np.array([4096, 256, 16, 1], dtype=np.uint32)
    codes[places] = values
    ends[places] += 5
    keep[(places[:, None] + np.arange(1, 6)).ravel()] = False
    high = (values >= 0xD800) & (values < 0xDC00)
    pairs = np.flatnonzero(
        high[:-1] & (values[1:] >= 0xDC00) & (values[1:] < 0xE000) & (places[1:] == places[:-1] + 6)
    )
    codes[places[pairs]] = (
        0x10000 + ((values[pairs] - 0xD800) << np.uint32(10)) + (values[pairs + 1] - 0xDC00)
    )
    ends[places[pairs]] += 6
    keep[places[pairs + 1]] = False


_Parts = tuple[NDArray[np.uint32], NDArray[np.int32], NDArray[np.int32]]


def _folded_characters(
    codes: NDArray[np.uint32], begins: NDArray[np.int32], ends: NDArray[np.int32]
) -> _Parts:
    table = fold_table()
    if not codes.size:
        return codes, begins, ends
    highest = int(codes.max())
    if highest < TABLE_SIZE:
        folded = table.code[codes]
    else:
        inside = np.minimum(codes, TABLE_SIZE - 1)
        folded = np.where(codes < TABLE_SIZE, table.code[inside], codes)
    if highest < 0x80:
        return folded, begins, ends
    if (folded == SPLIT).any():
        folded, begins, ends = _split(codes, folded, begins, ends)
    shown = folded != DROPPED
    return (folded, begins, ends) if shown.all() else (folded[shown], begins[shown], ends[shown])


def _split(
    codes: NDArray[np.uint32],
    folded: NDArray[np.uint32],
    begins: NDArray[np.int32],
    ends: NDArray[np.int32],
) -> _Parts:
    """Put several characters where one stands for several; all of them come from that one."""
    places = np.flatnonzero(folded == SPLIT)
    several = fold_table().several
    texts = [several[code] for code in codes[places].tolist()]
    lengths = np.ones(codes.size, dtype=np.int64)
    lengths[places] = [len(text) for text in texts]
    source = np.repeat(np.arange(codes.size), lengths)
    result = folded[source]
    result[result == SPLIT] = [ord(character) for text in texts for character in text]
    return result, begins[source], ends[source]


def _folded_blanks(
    codes: NDArray[np.uint32], begins: NDArray[np.int32], ends: NDArray[np.int32]
) -> Normalised:
    """Keep every line end, and a blank only after a character that is neither."""
    blank = _BLANK[np.minimum(codes, _BLANK.size - 1)]
    if codes.size and int(codes.max()) >= _BLANK.size:
        blank &= codes < _BLANK.size
    codes = np.where(blank, np.uint32(_SPACE), codes)
    empty = blank | (codes == _NEWLINE)
    keep = np.ones(codes.size, dtype=np.bool_)
    keep[1:] = ~(blank[1:] & empty[:-1])
    return Normalised(codes=codes[keep], begins=begins[keep], ends=ends[keep])
