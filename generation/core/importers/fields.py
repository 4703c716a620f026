"""Reads the fields of a row that came from a file: what is missing or of another type is named."""

from collections.abc import Mapping
from typing import Any

from generation.core.importers.streams import NotJsonError, parse_json


class FieldError(ValueError):
    """A record that is of an importer's kind and lacks something that it needs; says what."""


def needed_text(row: Mapping[str, Any], name: str) -> str:
    """Return the text of a field.

    Raises:
        FieldError: it is missing, blank, or no text.
    """
    value = row.get(name)
    if value is None or (isinstance(value, str) and not value.strip()):
        msg = f"field {name!r} is {'missing' if value is None else 'empty'}"
        raise FieldError(msg)
    return optional_text(row, name)


def optional_text(row: Mapping[str, Any], name: str) -> str:
    """Return the text of a field, empty where there is none.

    Raises:
        FieldError: it holds something else than text.
    """
    value = row.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        msg = f"field {name!r} holds {_shown(value)}, not text"
        raise FieldError(msg)
    return value


def text_or_number(row: Mapping[str, Any], name: str) -> str:
    """Return a field that holds an identifier: text, or a whole number as text; empty if none.

    Raises:
        FieldError: it holds something else.
    """
    value = row.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return optional_text(row, name)


def texts_of(row: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return the texts of a field that holds a list, or a list as JSON text; empty if none.

    Raises:
        FieldError: it holds neither, or something in the list is no text.
    """
    value = row.get(name)
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        try:
            value, _notes = parse_json(value, field=name)
        except NotJsonError as error:
            msg = f"field {name!r} is no list and no JSON text of one: {error}"
            raise FieldError(msg) from error
    if not isinstance(value, list):
        msg = f"field {name!r} holds {_shown(value)}, not a list of texts"
        raise FieldError(msg)
    for number, item in enumerate(value):
        if not isinstance(item, str):
            msg = f"field {name}[{number}] holds {_shown(item)}, not text"
            raise FieldError(msg)
    return tuple(value)


def _shown(value: Any) -> str:
    names = {bool: "a truth value", int: "a number", float: "a number", list: "a list"}
    return names.get(type(value), "an object" if isinstance(value, Mapping) else "something else")
