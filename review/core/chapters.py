"""Cuts a long text into chapters at its own headings, so that it can be listed, folded, jumped to."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from review.core.display import one_line
from review.core.folding import SECTION_LIMIT

# A shorter text is read in one go, unless it is made of files or steps.
_SHORT = 3_000
_LEAST = 1_500
_MOST_CHAPTERS = 120
# A tag on a line of its own before a file is no chapter.
_STUB = 40
_ALL_SHOWN = 600_000
_LEAST_SHOWN = 3_000

# Lines that begin a file or a step of a recorded run, as prompts write them.
_BEGINS = re.compile(r"^\[(?:start of (?P<file>[^\]\n]{1,300})|(?P<step>Step \d{1,6}))\][ \t]*\r?$")
_HEADING = re.compile(r"^(?:#{1,3} +(?P<heading>\S[^\n]{0,300})|File: (?P<path>\S[^\n]{0,300}))$")
_TAG = re.compile(r"^<(?P<tag>[a-z][a-z_]{1,30})>[ \t]*\r?$")
# Where it starts, its title, the file's path.
_Heading = tuple[int, str, str]

_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of a text from one heading to the next; the heading belongs to it.

    ``start`` and ``end`` are character offsets; the chapters of a text are the whole text.
    ``title`` is empty for what comes before the first heading; ``file`` is a file's path where
    the heading names one.
    """

    start: int
    end: int
    title: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A text of the source column, or a chapter of one.

    ``name`` is the slot's, with ``-2`` and so on for its second chapter and those after;
    ``heading`` is the chapter's own. ``limit`` is how many characters the page shows at first,
    ``start`` where the part begins in the slot's text.
    """

    slot: str
    name: str
    heading: str
    file: str
    text: str
    limit: int
    start: int = 0

    @property
    def is_first(self) -> bool:
        """Whether the slot's text begins here."""
        return self.name == self.slot


def chapters(text: str) -> tuple[Chapter, ...]:
    """Return the chapters of ``text``, at least one.

    Headings are lines that begin a file or a step of a run; where there are none, Markdown
    headings of the first three levels outside fences, and lines ``File: path``. A text under
    3,000 characters without files or steps is one chapter. Short chapters are joined to the one
    before, so that there are at most 120. Linear in time.
    """
    strong, weak = _headings(text)
    if not strong and len(text) < _SHORT:
        return (Chapter(0, len(text)),)
    found = strong or weak
    least = 0 if found is strong else _LEAST
    if len(found) > _MOST_CHAPTERS:
        least = max(least, len(text) // _MOST_CHAPTERS)
    starts = _joined(text, found, least)
    ends = [start for start, _title, _file in starts[1:]] + [len(text)]
    return tuple(
        Chapter(start, end, title, file)
        for (start, title, file), end in zip(starts, ends, strict=True)
    )


def parts_of(texts: Mapping[str, str]) -> tuple[Part, ...]:
    """Return the parts of texts by slot name, in order; together they show some 600,000 characters.

    Empty texts are left out.
    """
    cut = [(slot, text, chapters(text)) for slot, text in texts.items() if text.strip()]
    count = sum(len(found) for _slot, _text, found in cut)
    limit = max(_LEAST_SHOWN, min(SECTION_LIMIT, _ALL_SHOWN // max(count, 1)))
    return tuple(
        Part(
            slot=slot,
            name=slot if number == 1 else f"{slot}-{number}",
            heading=chapter.title,
            file=chapter.file,
            text=text[chapter.start : chapter.end],
            limit=limit,
            start=chapter.start,
        )
        for slot, text, found in cut
        for number, chapter in enumerate(found, start=1)
    )


def _headings(text: str) -> tuple[list[_Heading], list[_Heading]]:
    """Return the starts, titles and files of strong and weak headings."""
    strong: list[_Heading] = []
    weak: list[_Heading] = []
    fence = ""
    for start, line in _lines(text):
        if line.startswith(("```", "~~~")):
            if not fence:
                fence = line[:3]
            elif line.startswith(fence):
                fence = ""
        elif begins := _BEGINS.match(line):
            file = begins["file"] or ""
            strong.append((start, file or begins["step"], file))
            fence = ""
        elif not fence and (tag := _TAG.match(line)):
            strong.append((start, tag["tag"], ""))
        elif not fence and (heading := _HEADING.match(line)):
            weak.append((start, *_title_of(heading)))
    if all(_is_tag(text, start) for start, _title, _file in strong):
        strong = []
    return strong, weak


def _is_tag(text: str, start: int) -> bool:
    """Return whether the line at ``start`` is a tag alone: that begins a part only beside files."""
    return text.startswith("<", start)


def _title_of(heading: re.Match[str]) -> tuple[str, str]:
    path = (heading["path"] or "").rstrip()
    return (path, path) if path else (one_line(heading["heading"].strip(" #\r")), "")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the offset and beginning of the lines that may be headings."""
    for found in _LINE.finditer(text):
        if text[found.start()] in "#F[<`~":
            yield found.start(), found.group()[:400].rstrip("\n")


def _joined(text: str, found: list[_Heading], least: int) -> list[_Heading]:
    """Return where chapters start: at 0, then at headings at least ``least`` characters apart."""
    starts: list[_Heading] = [(0, "", "")]
    for start, title, file in found:
        last_start, last_title, _file = starts[-1]
        room = start - last_start
        is_stub = room < _STUB and _is_tag(text, last_start)
        if start == 0 or is_stub or (not last_title and room < least):
            starts[-1] = (last_start, title, file)
        elif room >= least:
            starts.append((start, title, file))
    if len(starts) > 1 and len(text) - starts[-1][0] < least // 3:
        starts.pop()
    return starts
