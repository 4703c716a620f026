"""Keeps a spreadsheet from running what a cell holds."""

from typing import Any

_STARTS = ("=", "+", "-", "@", "\t", "\r")


def harmless(value: Any) -> Any:
    """Return a cell's value; a text that a spreadsheet would take for a formula gets a ``'`` first.

    Source: OWASP, "CSV Injection".
    """
    if isinstance(value, str) and value.startswith(_STARTS):
        return f"'{value}"
    return value
