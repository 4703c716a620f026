"""Reads option labels out of an output: rule set ``letter-1``.

The prompt ends in an open bracket, so the answer stands at the start; a longer output may still
say it in so many words. A letter is a label only where it stands as one: never in a word, as an
article, as an option that is ruled out, and never instead of a label that was not offered.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from .text import cut_at


class LetterStatus(StrEnum):
    """What the reading of an output came to."""

    PARSED = "parsed"
    UNPARSED = "unparsed"
    AMBIGUOUS = "ambiguous"
    OUT_OF_RANGE = "out_of_range"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class LetterReading:
    """The labels read, sorted and distinct, and why there are none where there are none."""

    labels: tuple[str, ...]
    status: LetterStatus


_NOTHING = LetterReading((), LetterStatus.UNPARSED)
_AMBIGUOUS = LetterReading((), LetterStatus.AMBIGUOUS)
_OUT_OF_RANGE = LetterReading((), LetterStatus.OUT_OF_RANGE)

_DECORATION = str.maketrans("", "", "*`$")
_OPEN, _CLOSE = r"(\[{<【〔「『《〈\"“", r")\]}>】〕」』》〉\"”"
_BLANKS, _NEWLINES = re.compile(r"[^\S\n]+"), re.compile(r" ?\n[ \n]*")
_CJK_MARKS = "。、，：；！？｡､"
_DOT = r"\.(?![A-Za-z]\b)"  # not that of "E.g."
_COLON = r":(?![\\/])"  # not that of "C:\Users"
# a blank is skipped before what ends a label, but a word after it would make the label a word
_START = re.compile(
    rf"[{_OPEN}]? *(?:([A-Z]) *(?=\Z|\n|[{_CLOSE},;{_CJK_MARKS}!?]|{_DOT}|{_COLON})"
    rf"|([a-z]) *(?=\Z|[{_CLOSE}]))"
)
_CUE = re.compile(
    r"""(?P<latin>(?<![A-Za-z])
        (?:(?:final|correct|right|best)\s+)?
        (?:answers?|conclusion|(?<=correct\s)(?:option|choice)|(?<=right\s)(?:option|choice)
           |(?<=best\s)(?:option|choice))
        (?:\s+(?:to|for|of)\s[^.:!?。\n]{0,80}?)?
        \s*(?::|\b(?:is|are|(?:would|should|must)\s+be)\b\s*:?)
      )
      |(?P<chinese>(?:正确)?(?:答案|选项|结论)\s*(?:应该?)?(?:就?是|为|选择?|:)\s*:?
         |(?:应该?|故|因此|所以|我)?选(?:择|定)?(?:的?是)?\s*:?)""",
    re.VERBOSE | re.IGNORECASE,
)
_FILLER = re.compile(r"\s*(?:(?:the\s+)?(?:option|choice|letter)s?\s+|选项\s*)?", re.IGNORECASE)
_STATED = re.compile(
    rf" *(?:[{_OPEN}] *([A-Za-z]) *[{_CLOSE}]"
    rf"|([A-Z])(?![A-Za-z0-9_'’-])|([a-z])(?= *(?:\Z|[{_CLOSE}])))"
)
# after a bare capital: a blank and a word is prose ("A good plan"), but for these
_WORD_AFTER = re.compile(r" +(?!(?:because|since|as|due|for the reason)\b)[A-Za-z]")
_ANOTHER = re.compile(
    rf" *[{_CLOSE}]? *(?:,|、|/|&|\b(?:or|and)\b|或者?|和) *"
    rf"[{_OPEN}]? *[A-Z](?![A-Za-z0-9_'’])(?! +[a-z])"
)
_OR_ANOTHER = re.compile(
    rf"[{_CLOSE}]? *(?:\bor\b|或者?) *[{_OPEN}]? *[A-Z](?![A-Za-z0-9_'’])(?! +[a-z])"
)
_BRACKETED = re.compile(rf"[{_OPEN}] *([A-Z]) *[{_CLOSE}]")
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:\.(?!\s|\Z)[^.!?。！？\n]*)*")
_RULED_OUT = re.compile(
    r"\b(?:eliminat\w*|exclud\w*|rul(?:e|es|ed|ing)\s+out|fail(?:s|ed)?|wrong|incorrect|false|not"
    r"|isn['’]t|invalid|reject\w*|neither|nor|cannot|can['’]t)\b|排除|错误?|不|非|否",
    re.IGNORECASE,
)
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:wrong|incorrect|false|bad|not|no|never|isn['’]t)\s+(?:the\s+|an?\s+)?"
    r"|[不勿别未非错][^。，,;:\n]{0,4})\Z",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    rf" *[{_CLOSE}]? *(?:(?:is|are|was)\s+)?"
    r"(?:not\b|wrong\b|incorrect\b|false\b|eliminated\b|ruled\b|fails?\b|不|错|是?错误)",
    re.IGNORECASE,
)
_LIST = re.compile(
    rf"[{_OPEN}]?\s*([A-Z](?:(?:[ ,、;/&和]|and\b)*+[A-Z])*+)"
    rf"(?![A-Za-z0-9_'’-]) ?[,;、]? ?(?=\Z|\n|[{_CLOSE}.:。：])"
)
_SMALL_LIST = re.compile(rf"[{_OPEN}]?\s*([a-z](?: *[,、;/&] *[a-z])*+) *(?=\Z|[{_CLOSE}])")
_BRACKET_LIST = re.compile(
    rf"((?:[{_OPEN}]\s*[A-Z]\s*[{_CLOSE}] *(?:[,、;/&和]|and\b)? *){{2,}}+)\.?(?=\Z|\n)"
)
_CAPITAL = re.compile(r"(?<![a-z])[A-Z]")


def read_choice(
    output: str, offered: Collection[str], *, stop: Sequence[str] = ()
) -> LetterReading:
    """Return the one label that ``output`` gives, if it gives one of ``offered``.

    Three rules, the first that applies decides: a label at the start; the first explicit
    statement ("the answer is X", "Answer: X", "选X"); the only label in brackets.
    """
    text = _prepared(output, stop)
    if not text:
        return LetterReading((), LetterStatus.EMPTY)
    start = _START.match(text)
    if start:
        if _OR_ANOTHER.match(text, start.end()):
            return _AMBIGUOUS
        return _judged([start.group(1) or start.group(2).upper()], offered)
    return _stated(text, offered) or _only_bracketed(text, offered)


def read_choices(
    output: str, offered: Collection[str], *, stop: Sequence[str] = ()
) -> LetterReading:
    """Return the set of labels that ``output`` lists at its start, up to a bracket or newline.

    Labels are separated by commas, 、 ; / & and, 和, blanks, or run together. One label that was
    not offered makes the whole list ``out_of_range``. A stated list ("Answer: A, C") counts too.
    """
    text = _prepared(output, stop)
    if not text:
        return LetterReading((), LetterStatus.EMPTY)
    found = _list_at(text, 0)
    if found is not None:
        return _judged(found, offered)
    for cue in _CUE.finditer(text):
        if _DENIED_BEFORE.search(text, max(0, cue.start() - 24), cue.start()):
            continue
        filler = _FILLER.match(text, cue.end())
        found = _list_at(text, filler.end() if filler else cue.end())
        if found is not None:
            return _judged(found, offered)
    return _NOTHING


def _prepared(output: str, stop: Sequence[str]) -> str:
    cut = cut_at(output, stop)[0]
    if not cut.isascii():
        cut = unicodedata.normalize("NFKC", cut)
    # runs of blanks are one blank, so that no pattern below has to try long ones
    return _NEWLINES.sub("\n", _BLANKS.sub(" ", cut.translate(_DECORATION))).strip()


def _judged(labels: Sequence[str], offered: Collection[str]) -> LetterReading:
    if any(label not in offered for label in labels):
        return _OUT_OF_RANGE
    return LetterReading(tuple(sorted(set(labels))), LetterStatus.PARSED)


def _list_at(text: str, place: int) -> list[str] | None:
    for pattern in (_BRACKET_LIST, _LIST, _SMALL_LIST):
        match = pattern.match(text, place)
        if match:
            listed = match.group(1)
            return _CAPITAL.findall(listed.upper() if pattern is _SMALL_LIST else listed)
    return None


def _stated(text: str, offered: Collection[str]) -> LetterReading | None:
    """Return what the first statement with a label in the same sentence says; None without one."""
    for sentence in _SENTENCE.finditer(text):
        first: int | None = None
        for cue in _CUE.finditer(text, sentence.start(), sentence.end()):
            if _DENIED_BEFORE.search(text, max(0, cue.start() - 24), cue.start()):
                continue
            reading = _label_after(text, cue.end(), offered)
            if reading:
                return reading
            first = cue.end() if first is None else first
        inside = [] if first is None else _bracketed(text[first : sentence.end()])
        if len(inside) == 1:
            return _judged(inside, offered)
    return None


def _label_after(text: str, place: int, offered: Collection[str]) -> LetterReading | None:
    filler = _FILLER.match(text, place)
    label = _STATED.match(text, filler.end() if filler else place)
    if not label or _DENIED_AFTER.match(text, label.end()):
        return None
    if _ANOTHER.match(text, label.end()):
        return _AMBIGUOUS
    bare = label.group(2) is not None
    if bare and _WORD_AFTER.match(text, label.end()):
        return None
    return _judged([next(filter(None, label.groups())).upper()], offered)


def _bracketed(sentence: str) -> list[str]:
    if _RULED_OUT.search(sentence):
        return []
    return list(dict.fromkeys(_BRACKETED.findall(sentence)))


def _only_bracketed(text: str, offered: Collection[str]) -> LetterReading:
    found = {label for sentence in _SENTENCE.findall(text) for label in _bracketed(sentence)}
    valid = sorted(found.intersection(offered))
    if len(valid) > 1:
        return _AMBIGUOUS
    if valid:
        return LetterReading((valid[0],), LetterStatus.PARSED)
    return _OUT_OF_RANGE if found else _NOTHING
