"""JSON found in what a model wrote: among prose, in fences, after thinking aloud.

Every function takes time linear in the text, whatever the text is: the search for a beginning
ends where it has looked at ``_MOST_LOOKS`` times as many characters as there are.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

DEEPEST = 40
_MOST_LOOKS = 50
_CLOSERS = {"{": "}", "[": "]"}
_THINKING = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Found:
    """The values found, in order, each one once; whether one more began and did not end."""

    values: tuple[Any, ...]
    is_cut: bool


def without_thinking(text: str) -> tuple[str, bool]:
    """Return what is left when thinking aloud is taken out, and whether it never ended.

    A block runs from ``<think>`` to its end mark; an end mark without a beginning ends what the
    server left out of the text; a block without an end takes the rest.
    """
    kept: list[str] = []
    depth = at = 0
    for mark in _THINKING.finditer(text):
        if depth == 0:
            kept.append(text[at : mark.start()])
        if not mark.group(1):
            depth += 1
        elif depth:
            depth -= 1
        else:
            kept.clear()
        at = mark.end()
    if depth == 0:
        kept.append(text[at:])
    return "".join(kept), depth > 0


def find_json(text: str) -> Found:
    """Return the JSON objects and arrays in ``text``, the outermost ones, in order.

    A comma before a closing bracket and line ends inside strings are forgiven; NaN, infinities
    and nesting beyond ``DEEPEST`` are not. Lone surrogates become U+FFFD. Brackets in prose that
    begin no JSON are passed over.
    """
    values: list[Any] = []
    seen: set[str] = set()
    is_cut = False
    at = looked = 0
    while looked <= _MOST_LOOKS * len(text):
        start = _next_start(text, at)
        if start is None:
            break
        end, stopped = _end_of(text, start)
        looked += stopped - start
        if end is None:
            is_cut = is_cut or _looks_like_json(text, start)
            at = start + 1
            continue
        value = _parsed(text[start:end])
        if value is None:
            at = start + 1
            continue
        at = end
        written = json.dumps(value, sort_keys=True)
        if written not in seen:
            seen.add(written)
            values.append(value)
    return Found(tuple(values), is_cut and not values)


def _next_start(text: str, at: int) -> int | None:
    places = [place for place in (text.find("{", at), text.find("[", at)) if place >= 0]
    return min(places, default=None)


def _end_of(text: str, start: int) -> tuple[int | None, int]:
    """Return where the bracket at ``start`` is closed, None where it is not, and where it was seen."""
    closers: list[str] = []
    in_string = escaped = False
    for place in range(start, len(text)):
        character = text[place]
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character in _CLOSERS:
            closers.append(_CLOSERS[character])
            if len(closers) > DEEPEST:
                return None, place
        elif character in "}]":
            if character != closers.pop():
                return None, place
            if not closers:
                return place + 1, place + 1
    return None, len(text)


def _looks_like_json(text: str, start: int) -> bool:
    """Return whether a bracket that is never closed begins JSON and no prose."""
    rest = text[start + 1 : start + 200].lstrip()
    return rest[:1] in {'"', "{", "[", ""}


def _parsed(text: str) -> Any:
    """Return the object or array that ``text`` is; None where it is none."""
    for form in (text, _without_trailing_commas(text)):
        try:
            value = json.loads(form, strict=False, parse_constant=_no_number)
        except (ValueError, RecursionError):
            continue
        return _valid_unicode(value)
    return None


def _no_number(name: str) -> float:
    msg = f"{name} is no JSON"
    raise ValueError(msg)


def _without_trailing_commas(text: str) -> str:
    kept: list[str] = []
    in_string = escaped = False
    comma: int | None = None  # the place in ``kept`` of a comma that nothing but blanks followed
    for character in text:
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character in "}]":
            if comma is not None:
                kept[comma] = ""
            comma = None
        elif character == ",":
            comma = len(kept)
        elif not character.isspace():
            comma = None
            in_string = character == '"'
        kept.append(character)
    return "".join(kept)


def _valid_unicode(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_valid_unicode(inner) for inner in value]
    if isinstance(value, dict):
        return {_valid_unicode(name): _valid_unicode(inner) for name, inner in value.items()}
    return value
