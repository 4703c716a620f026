"""Quotes or backticks around a whole gold text belong to the page it was copied from."""

from collections.abc import Iterator

from generation.core.checks.answers import has_options
from generation.core.items import Finding, Item, Severity

KIND = "gold_wrapped_in_quotes"

_PAIRS = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "「": "」"}


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each completion gold that is one quoted text from end to end."""
    if has_options(item):
        return
    for text in item.gold:
        trimmed = text.strip()
        closing = _PAIRS.get(trimmed[:1])
        if closing and len(trimmed) > 1 and trimmed.find(closing, 1) == len(trimmed) - 1:
            yield Finding(KIND, Severity.NEEDS_PERSON, "gold", text[:200])
