"""Whether a page's own words bear out a statement, as far as a rule can tell.

A rule sees words, not what they say. So it confirms only where every number and name of a
statement and most of its words are on the page, and says that it is unclear in between.
"""

import re
from enum import StrEnum
from itertools import pairwise

from generation.core.cuts import has_cjk
from generation.core.selection.texts import words

CONFIRMED_SHARE = 0.6
"""Share of a statement's words that a page must have to bear it out."""
ABSENT_SHARE = 0.4
"""Share below which the page is about something else."""
_STEM = 5
_LEAST_WORD = 4
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<=[a-z0-9,;:'’\"”)] )[A-Z][\w’'-]+")


class Support(StrEnum):
    """What the words tell."""

    CONFIRMED = "confirmed"
    UNCLEAR = "unclear"
    ABSENT = "absent"


class PageWords:
    """A page's words, read once for all statements that are held against it."""

    def __init__(self, page: str) -> None:
        self._is_chinese = has_cjk(page)
        self._units = _units(page, chinese=self._is_chinese)
        self._atoms = _numbers(page) | {word.casefold() for word in re.findall(r"[\w’'-]+", page)}

    def share(self, statement: str) -> float:
        """Return the share of a statement's words that the page has, 0 to 1."""
        own = _units(statement, chinese=self._is_chinese)
        return len(own & self._units) / len(own) if own else 0.0

    def support(self, statement: str) -> Support:
        """Return what the page's words tell of a statement.

        A page in another language tells nothing.
        """
        if has_cjk(statement) is not self._is_chinese:
            return Support.UNCLEAR
        share = self.share(statement)
        atoms = _numbers(statement) | {name.casefold() for name in _NAME.findall(statement)}
        if share >= CONFIRMED_SHARE and atoms <= self._atoms:
            return Support.CONFIRMED
        return Support.ABSENT if share < ABSENT_SHARE else Support.UNCLEAR


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "") for number in _NUMBER.findall(text)}


def _units(text: str, *, chinese: bool) -> set[str]:
    """Return beginnings of words, or pairs of neighbouring Chinese characters."""
    if chinese:
        return {"".join(pair) for pair in pairwise(words(text))}
    return {word[:_STEM] for word in words(text) if len(word) >= _LEAST_WORD}
