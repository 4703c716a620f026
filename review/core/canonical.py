"""JSON in one form, so that equal content has equal bytes and equal digests."""

import hashlib
import json
from typing import Any

# These three end a line for str.splitlines(), so a reader that uses it would see torn records.
_LINE_SEPARATORS = {"\u0085": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def canonical_json(value: Any) -> str:
    """Return compact JSON with sorted keys, for digests.

    Raises:
        ValueError: the value holds NaN or an infinity.
    """
    return json.dumps(
        value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )


def json_line(value: Any) -> str:
    """Return one line of JSON ending in LF, keys in their given order, safe for any line splitter.

    Raises:
        ValueError: the value holds NaN or an infinity.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for separator, escape in _LINE_SEPARATORS.items():
        text = text.replace(separator, escape)
    return text + "\n"


def sha256_of(text: str) -> str:
    """Return the hex sha256 of a text's UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()
