"""Says which characters of a code text are keywords, strings, comments: with Pygments' lexers.

The result are stretches by offset, not markup, so that colours cost the page no element.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name, find_lexer_class_for_filename
from pygments.token import Comment, Keyword, Literal, Name, Operator, _TokenType
from pygments.util import ClassNotFound

LARGEST = 200_000
"""Longer texts are plain."""

KINDS = ("keyword", "string", "comment", "number", "name")
"""What is told apart; a stretch holds the index."""

_KEYWORD, _STRING, _COMMENT, _NUMBER, _NAME = range(len(KINDS))
_BY_TOKEN = (
    (Comment, _COMMENT),
    (Literal.Number, _NUMBER),
    (Literal.String, _STRING),
    (Keyword, _KEYWORD),
    (Operator.Word, _KEYWORD),
    (Name.Function, _NAME),
    (Name.Class, _NAME),
    (Name.Decorator, _NAME),
    (Name.Tag, _NAME),
)
# Texts of no use as code, or whose colours say nothing.
_PLAIN = frozenset({"text", "diff", "output", "restructuredtext", "markdown"})
_NUMBERED = re.compile(r"^[ \t]*\d{1,6}(?:\t|: ?|\| ?)", re.MULTILINE)
_NUMBERED_LINE = re.compile(r"[ \t]*\d{1,6}(?:\t|: ?|\| ?)")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_FENCE = re.compile(r"^(```|~~~)[ \t]*([A-Za-z][\w+#.-]{0,20})[^\n]{0,60}\n", re.MULTILINE)
_NAMED_FILE = re.compile(r"[\w./-]{0,200}[\w-]\.[A-Za-z][A-Za-z0-9]{0,9}\b")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters of one kind: ``kind`` is an index of ``KINDS``."""

    start: int
    end: int
    kind: int


def language_of(path: str) -> str:
    """Return the name of the language that a file's name tells, empty where it tells none."""
    name = path.rsplit("/", 1)[-1]
    return _language_of_name(name) if 0 < len(name) <= 200 else ""


@lru_cache(maxsize=1000)  # a run names few files, and each of them often
def _language_of_name(name: str) -> str:
    try:
        found = find_lexer_class_for_filename(name)
    except ClassNotFound:
        return ""
    return _useful(found.aliases[0] if found and found.aliases else "")


def language_named(word: str) -> str:
    """Return the name of the language that a fence calls ``word``, empty where there is none."""
    try:
        return _useful(find_lexer_class_by_name(word.lower()).aliases[0])
    except ClassNotFound:
        return ""


def file_in(action: str) -> str:
    """Return the path of the last file that a command names, empty where it names none."""
    found = _NAMED_FILE.findall(action[:2_000])
    return found[-1] if found else ""


def colours(text: str, language: str) -> tuple[Stretch, ...]:
    """Return the coloured stretches of ``text`` in order, none above 200,000 characters.

    Where ``language`` is empty, the fenced parts are coloured that say their language. Numbers
    before the lines, as file viewers print them, are no code.
    """
    if len(text) > LARGEST:
        return ()
    return _colours(text, language)


@lru_cache(maxsize=16)
def _colours(text: str, language: str) -> tuple[Stretch, ...]:
    if not language:
        return tuple(_fenced(text))
    if len(_NUMBERED.findall(text, 0, 4_000)) > 2:
        return tuple(_numbered(text, language))
    return tuple(_plain(text, language))


def _useful(language: str) -> str:
    return "" if language in _PLAIN else language


@lru_cache(maxsize=32)
def _lexer(language: str) -> Lexer:
    return find_lexer_class_by_name(language)(stripnl=False, ensurenl=False)


def _plain(text: str, language: str) -> Iterator[Stretch]:
    """Yield the stretches of a code text; those of one kind that touch are one."""
    last: Stretch | None = None
    for start, token, value in _lexer(language).get_tokens_unprocessed(text):
        kind = _kind_of(token)
        if kind is None or not value or value.isspace():
            continue
        end = start + len(value)
        if last and last.kind == kind and last.end == start:
            last = Stretch(last.start, end, kind)
            continue
        if last:
            yield last
        last = Stretch(start, end, kind)
    if last:
        yield last


@lru_cache(maxsize=512)
def _kind_of(token: _TokenType) -> int | None:
    return next((kind for parent, kind in _BY_TOKEN if token[: len(parent)] == parent), None)


def _numbered(text: str, language: str) -> Iterator[Stretch]:
    """Yield the stretches of code whose lines have numbers before them."""
    code: list[str] = []
    shifts: list[tuple[int, int]] = []
    at = bare = 0
    for line in _LINE.findall(text):
        found = _NUMBERED_LINE.match(line)
        begin = found.end() if found else 0
        shifts.append((bare, at + begin - bare))
        code.append(line[begin:])
        bare += len(line) - begin
        at += len(line)
    index = 0
    for part in _by_line("".join(code), language):
        while index + 1 < len(shifts) and shifts[index + 1][0] <= part.start:
            index += 1
        shift = shifts[index][1]
        yield Stretch(part.start + shift, part.end + shift, part.kind)


def _by_line(code: str, language: str) -> Iterator[Stretch]:
    """Yield stretches that end with their line."""
    for part in _plain(code, language):
        start = part.start
        while start < part.end:
            line_end = code.find("\n", start, part.end)
            end = part.end if line_end < 0 else line_end
            if end > start:
                yield Stretch(start, end, part.kind)
            start = end + 1


def _fenced(text: str) -> Iterator[Stretch]:
    at = 0
    while found := _FENCE.search(text, at):
        end = text.find(f"\n{found[1]}", found.end() - 1)
        end = len(text) if end < 0 else end + 1
        language = language_named(found[2])
        if language:
            for part in _plain(text[found.end() : end], language):
                yield Stretch(part.start + found.end(), part.end + found.end(), part.kind)
        at = max(end, found.end())
