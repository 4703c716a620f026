"""Cuts a long text into a head, a tail and a folded middle that opens piece by piece."""

from dataclasses import dataclass

from review.core.display import size_of

PIECE = 20_000
_STEP_SHARE = 600_000
_STEP_LEAST, _STEP_MOST = 800, 6_000
SECTION_LIMIT = 40_000


@dataclass(frozen=True, slots=True)
class Folded:
    """A text as the page first shows it; ``tail`` and the counts are empty where all is shown.

    ``middle_start`` and ``middle_end`` are character offsets of the folded part.
    """

    head: str
    tail: str
    middle_start: int
    middle_end: int
    folded_lines: int
    size: int

    @property
    def is_folded(self) -> bool:
        """Whether a part of the text is not shown at first."""
        return self.middle_end > self.middle_start

    @property
    def folded_size(self) -> int:
        """How many characters are folded."""
        return self.middle_end - self.middle_start


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the folded middle; ``following`` is the next piece's number, None at the end.

    ``start`` is its character offset in the whole text.
    """

    text: str
    following: int | None
    left: int
    start: int

    @property
    def left_size(self) -> str:
        """How much is still folded, for people."""
        return size_of(self.left)


def step_limit(steps: int) -> int:
    """Return how many characters of one text a page with ``steps`` steps shows at first.

    All steps together stay near 600,000 characters, so that the page of a long run stays light.
    """
    return max(_STEP_LEAST, min(_STEP_MOST, _STEP_SHARE // max(steps, 1)))


def fold(text: str, *, limit: int) -> Folded:
    """Return ``text`` with its middle folded where it is longer than ``limit`` characters.

    Three quarters of the limit are head, the rest is tail; both end at line ends where one is
    near, so that no line is torn without need.
    """
    size = len(text)
    if size <= limit:
        return Folded(text, "", size, size, 0, size)
    head = _line_end(text, limit * 3 // 4)
    tail = _line_start(text, size - limit // 4)
    lines = text.count("\n", head, tail)
    return Folded(text[:head], text[tail:], head, tail, lines, size)


def piece(text: str, *, limit: int, number: int) -> Piece | None:
    """Return piece ``number`` (from 1) of the folded middle of ``text``, None where there is none."""
    folded = fold(text, limit=limit)
    start = folded.middle_start + (number - 1) * PIECE
    if number < 1 or start >= folded.middle_end:
        return None
    end = min(start + PIECE, folded.middle_end)
    left = folded.middle_end - end
    return Piece(text[start:end], number + 1 if left else None, left, start)


def _line_end(text: str, at: int) -> int:
    """Return the offset after the last newline in the quarter before ``at``, else ``at``."""
    found = text.rfind("\n", at * 3 // 4, at)
    return at if found < 0 else found + 1


def _line_start(text: str, at: int) -> int:
    """Return the offset after the first newline near ``at``, else ``at``."""
    found = text.find("\n", at, at + (len(text) - at) // 4)
    return at if found < 0 else found + 1
