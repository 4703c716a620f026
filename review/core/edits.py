"""Shows edits as what they remove and add: calls of the file editor, and recorded patches."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any

from review.core.display import shown
from review.core.json_syntax import Syntax

EDITOR = "str_replace_editor"
LARGEST = 200_000
# The matcher's time grows with the product of the lines, on hostile lines faster.
_MOST_PAIRS = 20_000
# A patch with more changes is heavy to show, and no reading.
_MOST_RUNS = 1_000

_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_HAS_HUNK = re.compile(r"^@@ -\d", re.MULTILINE)


class Change(StrEnum):
    """What a line of an edit is; the value is the sign in front of it."""

    REMOVED = "-"
    ADDED = "+"
    KEPT = " "


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one kind that follow one another, fit to show, without a sign."""

    change: Change
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit as blocks; ``left_out`` counts the lines that did not fit the limit."""

    command: str
    path: str
    blocks: tuple[Block, ...]
    left_out: int = 0


def edit_of(tool: str, arguments: Mapping[str, Any], *, limit: int) -> Edit | None:
    """Return the edit that a call of the file editor makes, None where it makes none.

    ``str_replace`` becomes removed and added lines with what stays between them, ``create`` and
    ``insert`` only added ones. The lines that fit into ``limit`` characters are kept. A call of
    another tool, of another shape, with more than 200,000 characters, or whose first line does
    not fit has no edit: it is read as it was recorded.
    """
    if tool != EDITOR:
        return None
    command, path = arguments.get("command"), arguments.get("path")
    old = arguments.get("old_str", "") if command == "str_replace" else ""
    new = arguments.get("file_text" if command == "create" else "new_str", "")
    if command not in ("str_replace", "create", "insert"):
        return None
    if not (isinstance(path, str) and isinstance(old, str) and isinstance(new, str)):
        return None
    if (not old and not new) or len(old) + len(new) > LARGEST:
        return None
    blocks, left_out = _cut(line_diff(_lines(old), _lines(new)), limit)
    if not blocks:
        return None
    place = shown(path).text
    if command == "insert" and isinstance(arguments.get("insert_line"), int | str):
        place += f":{shown(str(arguments['insert_line'])).text}"
    return Edit(command, place, blocks, left_out)


def line_diff(old: Sequence[str], new: Sequence[str]) -> Iterator[Block]:
    """Yield what stays, goes and comes, in order; removed lines come before added ones.

    Lines that both begin and end with are always kept; the rest is matched line by line where the
    product of the numbers of lines is at most 20,000, else all of it goes and comes.
    """
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    yield from _block(Change.KEPT, old[:start])
    yield from _matched(old[start : len(old) - end], new[start : len(new) - end])
    yield from _block(Change.KEPT, old[len(old) - end :])


def patch_marks(text: str) -> tuple[Syntax, ...]:
    """Return the lines of ``text`` that belong to a unified diff, as runs in order.

    Offsets are in characters. Runs are of the kinds ``removed``, ``added`` and ``hunk`` (the line
    that begins with ``@@``). A hunk ends where its counts say so, or at the first line that can
    be none of its lines. Text above 200,000 characters, or with more than 1,000 runs, is plain.
    Linear in time.
    """
    if len(text) > LARGEST or not _HAS_HUNK.search(text):
        return ()
    runs: list[Syntax] = []
    old_left = new_left = 0
    for found in _LINE.finditer(text):
        line, (start, at) = found.group(), found.span()
        hunk = _HUNK.match(line) if line[0] == "@" else None
        if hunk:
            old_left, new_left = (int(count or 1) for count in hunk.groups())
            _join(runs, start, at, "hunk")
        elif old_left <= 0 and new_left <= 0:
            continue
        elif line[0] == "-" and old_left > 0:
            old_left -= 1
            _join(runs, start, at, "removed")
        elif line[0] == "+" and new_left > 0:
            new_left -= 1
            _join(runs, start, at, "added")
        elif line[0] in " \n":
            old_left, new_left = old_left - 1, new_left - 1
        elif line[0] != "\\":
            old_left = new_left = 0
    return tuple(runs) if len(runs) <= _MOST_RUNS else ()


def _lines(text: str) -> list[str]:
    """Return the shown lines; a line break at the end ends the last line and begins no other."""
    return shown(text).text.removesuffix("\n").split("\n") if text else []


def _matched(old: Sequence[str], new: Sequence[str]) -> Iterator[Block]:
    if len(old) * len(new) > _MOST_PAIRS:
        yield from _block(Change.REMOVED, old)
        yield from _block(Change.ADDED, new)
        return
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for what, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if what == "equal":
            yield from _block(Change.KEPT, old[old_start:old_end])
        else:
            yield from _block(Change.REMOVED, old[old_start:old_end])
            yield from _block(Change.ADDED, new[new_start:new_end])


def _block(change: Change, lines: Sequence[str]) -> Iterator[Block]:
    if lines:
        yield Block(change, tuple(lines))


def _cut(blocks: Iterator[Block], limit: int) -> tuple[tuple[Block, ...], int]:
    """Return the whole lines that fit into ``limit`` characters, and how many were left out."""
    kept: list[Block] = []
    left_out = 0
    for block in blocks:
        fitting: list[str] = []
        for line in block.lines:
            limit -= len(line) + 1
            if limit < 0:
                break
            fitting.append(line)
        left_out += len(block.lines) - len(fitting)
        if fitting:
            kept.append(Block(block.change, tuple(fitting)))
    return tuple(kept), left_out


def _join(runs: list[Syntax], start: int, end: int, kind: str) -> None:
    """Add a run, or let the one before it go on where it is of the same kind."""
    if runs and runs[-1].end == start and runs[-1].kind == kind:
        runs[-1] = Syntax(runs[-1].start, end, kind=kind)
    else:
        runs.append(Syntax(start, end, kind=kind))
