"""Makes JSON bytes readable that hold invalid UTF-8 or lone surrogates, and says where.

A parser stops at the first such byte. So the bytes are rewritten before parsing, with one
noncharacter (never assigned by Unicode, meant for a program's internal use) for each fault, and
after parsing the noncharacters become U+FFFD and a ``Note`` on the field that holds them.
"""

import re
from collections.abc import Iterator
from typing import Any

from generation.core.records import Note

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_LONE_SURROGATE = "\ufdd0"
_INVALID_BYTE = "\ufdd1"
_MARKS = re.compile(f"[{_LONE_SURROGATE}{_INVALID_BYTE}]")
_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")

# An escaped pair, or one half of it; backslashes before it come in pairs, else it is no escape.
_SURROGATE_ESCAPE = re.compile(
    rb"(?<!\\)((?:\\\\)*)(?:(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


def repair(data: bytes) -> bytes:
    """Return ``data`` with a mark for every invalid byte and every lone surrogate escape.

    The same object comes back where there is nothing to repair. ``data`` must not be cut inside
    an escape or a character.
    """
    try:
        data.decode()
    except UnicodeDecodeError:
        text = data.decode(errors="surrogateescape")
        data = _ESCAPED_BYTE.sub(_INVALID_BYTE, text).encode()
    if _HALF.search(data) is None:
        return data
    marked = _SURROGATE_ESCAPE.sub(_keep_pair, data)
    return data if marked == data else marked


def _keep_pair(found: re.Match[bytes]) -> bytes:
    return found.group() if found.group(2) else found.group(1) + rb"\ufdd0"


def settle(value: Any, *, field: str = "") -> tuple[Any, tuple[Note, ...]]:
    """Return a parsed ``value`` with U+FFFD for every mark, and a note a text that held one.

    A note's ``where`` is the dotted path of the text inside ``value``, after ``field``; the byte
    it names counts from 0 in that text as it stood.
    """
    notes: list[Note] = []
    return _settle(value, field, notes), tuple(notes)


def _settle(value: Any, field: str, notes: list[Note]) -> Any:
    if isinstance(value, str):
        if _MARKS.search(value) is None:
            return value
        notes.extend(_notes_on(value, field))
        return _MARKS.sub(REPLACEMENT, value)
    if isinstance(value, list):
        return [_settle(item, f"{field}[{index}]", notes) for index, item in enumerate(value)]
    if isinstance(value, dict):
        return {
            _MARKS.sub(REPLACEMENT, key): _settle(item, f"{field}.{key}".lstrip("."), notes)
            for key, item in value.items()
        }
    return value


def _notes_on(text: str, field: str) -> Iterator[Note]:
    for mark, kind, name in (
        (_INVALID_BYTE, "invalid_utf8", "invalid UTF-8"),
        (_LONE_SURROGATE, "lone_surrogate", "lone surrogate"),
    ):
        found = text.find(mark)
        if found < 0:
            continue
        before = text[:found]
        # An invalid byte was one byte; its mark takes three in UTF-8.
        byte = len(before.encode()) - 2 * before.count(_INVALID_BYTE)
        count = text.count(mark)
        more = f" ({count} replaced)" if count > 1 else ""
        yield Note(kind=kind, where=field, detail=f"{name} at byte {byte}{more}")
