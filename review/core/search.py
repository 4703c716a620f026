"""Finds a word in what the page shows, whatever the case and width of its letters."""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from review.core.display import shown
from review.core.folding import PIECE, fold

LONGEST_QUERY = 200
MOST_HITS = 100
_BEFORE, _AFTER = 24, 56
# Normalizing takes time with the square of a run of combining characters: chunks bound the run.
_CHUNK, _CHUNK_SLACK = 256, 64
# Halfwidth sound marks and Hangul letters become characters that join the one before them.
_JOINING = ((0x1100, 0x11FF), (0x3131, 0x318E), (0xFF9E, 0xFFDC))


@dataclass(frozen=True, slots=True)
class Place:
    """A text that is searched: ``anchor`` is its id on the page, ``limit`` what it is folded to.

    ``step`` is the step's number, None for a section; ``part`` names the text within.
    """

    anchor: str
    step: int | None
    title: str
    part: str
    text: str
    limit: int


@dataclass(frozen=True, slots=True)
class Hit:
    """An occurrence, as part of its line; ``start`` and ``end`` are offsets in the shown text.

    ``piece`` is the number of the folded text's piece that holds it, None where it is shown;
    ``tail_start`` is the offset of what is shown after the fold.
    """

    place: Place
    start: int
    end: int
    before: str
    match: str
    after: str
    piece: int | None
    tail_start: int


@dataclass(frozen=True, slots=True)
class Found:
    """The first hits in order; ``has_more`` where there are more than could be listed."""

    hits: tuple[Hit, ...]
    has_more: bool = False

    @property
    def count(self) -> str:
        """How many hits there are, for people: ``3``, ``100+``."""
        return f"{len(self.hits)}{'+' if self.has_more else ''}"


class QueryTooLongError(ValueError):
    """The query has more than ``LONGEST_QUERY`` characters."""


def search(query: str, places: Iterable[Place]) -> Found:
    """Return the first 100 hits of ``query`` in the places, as the page shows their texts.

    Letters match whatever their case and width (NFKC and case folding), everything else as it
    is: no character has a meaning of its own. Space around the query does not count; an empty
    query has no hits. Hits do not overlap. Linear in the texts' length.

    Raises:
        QueryTooLongError: the query has more than 200 characters.
    """
    query = query.strip()
    if len(query) > LONGEST_QUERY:
        msg = f"the query has {len(query)} characters, at most {LONGEST_QUERY} are searched for"
        raise QueryTooLongError(msg)
    needle = _folded_plainly(shown(query).text)
    if not needle:
        return Found(())
    hits: list[Hit] = []
    for place in places:
        text = shown(place.text).text
        for start, end in _occurrences(text, needle):
            if len(hits) == MOST_HITS:
                return Found(tuple(hits), has_more=True)
            hits.append(_hit(place, text, start, end))
    return Found(tuple(hits))


def _hit(place: Place, text: str, start: int, end: int) -> Hit:
    line_start = text.rfind("\n", max(start - _BEFORE, 0), start) + 1 or max(start - _BEFORE, 0)
    line_end = text.find("\n", end, end + _AFTER)
    line_end = min(end + _AFTER, len(text)) if line_end < 0 else line_end
    folded = fold(text, limit=place.limit)
    is_shown = start < folded.middle_start or start >= folded.middle_end
    return Hit(
        place=place,
        start=start,
        end=end,
        before=text[line_start:start].lstrip(),
        match=text[start:end],
        after=text[end:line_end].rstrip(),
        piece=None if is_shown else (start - folded.middle_start) // PIECE + 1,
        tail_start=folded.middle_end,
    )


def _occurrences(text: str, needle: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of every occurrence of a folded ``needle``, as offsets in ``text``."""
    if text.isascii():
        if needle.isascii():
            yield from _finds(text.lower(), needle)
        return
    folded = FoldedText(text)
    for start, end in _finds(folded.text, needle):
        yield folded.start_of(start), folded.end_of(end)


def _finds(text: str, needle: str) -> Iterator[tuple[int, int]]:
    at = text.find(needle)
    while at >= 0:
        yield at, at + len(needle)
        at = text.find(needle, at + len(needle))


class FoldedText:
    """A text in one case and width, with the way back to the offsets in the text as it was."""

    def __init__(self, text: str) -> None:
        self._original = text
        parts: list[str] = []
        self._starts: list[int] = []
        self._folded_starts: list[int] = []
        at = folded_at = 0
        while at < len(text):
            end = _boundary(text, min(at + _CHUNK, len(text)))
            self._starts.append(at)
            self._folded_starts.append(folded_at)
            parts.append(_folded_plainly(text[at:end]))
            folded_at += len(parts[-1])
            at = end
        self.text = "".join(parts)
        self._clusters_of = lru_cache(maxsize=2)(self._clusters)

    def start_of(self, folded_offset: int) -> int:
        """Return where the character begins whose folded form holds ``folded_offset``."""
        return self._cluster_at(folded_offset)[0]

    def end_of(self, folded_offset: int) -> int:
        """Return where the character ends whose folded form ends at or holds ``folded_offset``."""
        return self._cluster_at(folded_offset - 1)[1]

    def _cluster_at(self, folded_offset: int) -> tuple[int, int]:
        chunk = bisect_right(self._folded_starts, folded_offset) - 1
        starts, folded_starts = self._clusters_of(chunk)
        found = bisect_right(folded_starts, folded_offset - self._folded_starts[chunk]) - 1
        return starts[found], starts[found + 1]

    def _clusters(self, chunk: int) -> tuple[list[int], list[int]]:
        """Return where the characters of a chunk start, and their folded forms within it."""
        start = self._starts[chunk]
        is_last = chunk + 1 == len(self._starts)
        end = len(self._original) if is_last else self._starts[chunk + 1]
        starts, folded_starts, folded_at = [start], [0], 0
        for at in range(start + 1, end):
            if _may_join(self._original[at]):
                continue
            folded_at += len(_folded_plainly(self._original[starts[-1] : at]))
            starts.append(at)
            folded_starts.append(folded_at)
        return [*starts, end], folded_starts


def _boundary(text: str, at: int) -> int:
    """Return the first offset from ``at`` on where a text may be cut without changing its folding.

    Where none comes soon, which no writing has, the text is cut all the same.
    """
    end = min(at + _CHUNK_SLACK, len(text))
    return next((offset for offset in range(at, end) if not _may_join(text[offset])), end)


@lru_cache(maxsize=10_000)
def _may_join(character: str) -> bool:
    """Return whether a character may become one with the one before it."""
    code = ord(character)
    return code > 0x2FF and (
        unicodedata.category(character).startswith("M")
        or any(first <= code <= last for first, last in _JOINING)
    )


def _folded_plainly(text: str) -> str:
    """Return a text in one case and width."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", folded)
