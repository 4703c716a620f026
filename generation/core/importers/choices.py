"""Takes the text of official choices, ``(A) … (B) …``, apart into options."""

import re
from dataclasses import dataclass
from string import ascii_uppercase

_LABEL = re.compile(r"\(([A-Z])\)(?=\s|\Z)")


@dataclass(frozen=True, slots=True)
class Choices:
    """The options in order, and what else in the text looks like a label.

    ``strays`` are the letters of such marks that name one of the options, in order; any means
    that the text can be read in a second way. ``lead`` is text before the first label.
    """

    options: tuple[str, ...]
    strays: tuple[str, ...]
    lead: str = ""


def parse_choices(text: str) -> Choices:
    """Return the options between the labels A, B, C, … of ``text``.

    Labels that begin a line are believed before labels inside one, unless the latter give more
    options: official files separate options by a line break or by a blank. One blank after a
    label and the one separator before the next belong to no option; all else is kept, so that
    the text can be made again from the options. No label: no option.
    """
    marks = list(_LABEL.finditer(text))
    at_lines = _in_order([mark for mark in marks if _begins_line(text, mark)])
    anywhere = _in_order([mark for mark in marks if _stands_free(text, mark)])
    chosen = at_lines if len(at_lines) >= len(anywhere) else anywhere
    taken = {mark.start() for mark in chosen}
    ends = [*(mark.start() - 1 for mark in chosen[1:]), len(text)]
    return Choices(
        options=tuple(
            text[mark.end() : max(mark.end(), end)].removeprefix(" ")
            for mark, end in zip(chosen, ends, strict=False)
        ),
        strays=tuple(
            mark.group(1)
            for mark in marks
            if mark.start() not in taken and mark.group(1) in ascii_uppercase[: len(chosen)]
        ),
        lead=text[: chosen[0].start()] if chosen else text,
    )


def _in_order(marks: list[re.Match[str]]) -> list[re.Match[str]]:
    """Return the marks that spell A, B, C, …, each the first after the one before."""
    chosen: list[re.Match[str]] = []
    for mark in marks:
        if len(chosen) < len(ascii_uppercase) and mark.group(1) == ascii_uppercase[len(chosen)]:
            chosen.append(mark)
    return chosen


def _begins_line(text: str, mark: re.Match[str]) -> bool:
    return mark.start() == 0 or text[mark.start() - 1] == "\n"


def _stands_free(text: str, mark: re.Match[str]) -> bool:
    return mark.start() == 0 or text[mark.start() - 1].isspace()
