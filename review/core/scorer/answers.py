"""Reads a short answer and compares it with the gold ones: rule set ``ans-1``."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from .dates import iso_date
from .text import cut_at

_CLOSING = "]"
_BLANKS = re.compile(r"\s+")
_LEADING = " ,;:!?'\"“”‘’„‚«»‹›「」『』《》〈〉【】〔〕()[]{}<>。、·…¿¡*_`"
_TRAILING = _LEADING + "."


@dataclass(frozen=True, slots=True)
class AnswerReading:
    """The answer's text, trimmed, and whether something ended it before the output did."""

    text: str
    ended: bool


def read_answer(output: str, *, stop: Sequence[str] = ()) -> AnswerReading:
    """Return the text before the closing bracket, the first stop string or the end."""
    text, ended = cut_at(output, (*stop, _CLOSING))
    return AnswerReading(text.strip(), ended)


def normalise(answer: str) -> str:
    """Return ``answer`` without what does not change it.

    Compatibility forms, case, runs of blanks, and punctuation, quotes and brackets around it. An
    answer of marks alone keeps them.
    """
    folded = _BLANKS.sub(" ", unicodedata.normalize("NFKC", answer).casefold()).strip()
    return folded.lstrip(_LEADING).rstrip(_TRAILING) or folded


def same_answer(prediction: str, gold: str) -> bool:
    """Whether two answers are equal after ``normalise``, or are one date in two forms.

    An empty prediction equals nothing.
    """
    left, right = normalise(prediction), normalise(gold)
    if not left:
        return False
    if left == right:
        return True
    date = iso_date(left)
    return date is not None and date == iso_date(right)
