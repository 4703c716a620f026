"""Finds the parts of a JSON call that only hold it together: brackets, quotes, keys.

The reader sees the call exactly as the model does; what carries no meaning can be set quiet.
"""

import re
from dataclasses import dataclass

_CALL = re.compile(r"\s*+\{\s*+\"")
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[{}\[\]:,\s]++|[^"{}\[\]:,\s]++', re.DOTALL)
_IS_KEY = re.compile(r"\s*+:")


@dataclass(frozen=True, slots=True)
class Syntax:
    """A run of quiet characters; ``starts_line``: it reads better on a line of its own.

    Where ``kind`` is given the run is no syntax but a line of a patch of that kind.
    """

    start: int
    end: int
    starts_line: bool = False
    kind: str = ""


def json_syntax(text: str) -> tuple[Syntax, ...]:
    """Return the quiet runs of ``text`` in order, none where it does not begin as a JSON object.

    Offsets are in characters. Quiet are brackets, commas, colons, space between them, keys, and
    the quotes around strings. Every key of the outermost object but the first starts a line,
    where the text has no line break there. The text need not be whole or valid: an option that is
    not, looks like the others. Linear in time.
    """
    if not _CALL.match(text):
        return ()
    runs: list[Syntax] = []
    depth, keys = 0, 0
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        if text[start] == '"':
            if not _IS_KEY.match(text, end):
                _join(runs, start, start + 1)
                if end > start + 1 and text[end - 1] == '"':
                    _join(runs, end - 1, end)
                continue
            keys += depth == 1
            if depth == 1 and keys > 1 and "\n" not in text[runs[-1].start : start]:
                runs.append(Syntax(start, end, starts_line=True))
                continue
        elif text[start] in "{}[]:," or text[start].isspace():
            held = token.group()
            depth += held.count("{") + held.count("[") - held.count("}") - held.count("]")
        else:
            continue
        _join(runs, start, end)
    return tuple(runs)


def _join(runs: list[Syntax], start: int, end: int) -> None:
    """Add a run, or let the one before it go on."""
    if runs and runs[-1].end == start:
        runs[-1] = Syntax(runs[-1].start, end, runs[-1].starts_line)
    else:
        runs.append(Syntax(start, end))
