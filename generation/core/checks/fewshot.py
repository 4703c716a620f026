"""Whether the worked examples of a prompt already show a text of the item."""

import re
from functools import lru_cache

from generation.core.checks.normalisation import folded
from generation.core.importers.text import holds_chinese
from generation.core.items import Item

EXTRA = "fewshot"
"""The name in ``Item.extra`` of what a prompt shows before the item itself."""

# From the first backslash of a run on, never given back: linear in any text.
_BLANK = re.compile(r"(?<!\\)\\++[nrt]")
_QUOTE = re.compile(r"(?<!\\)\\++(?=[\"'])")


def shown_in_examples(item: Item, text: str, *, shortest: int) -> bool:
    """Say whether the examples show ``text``, however its case, blanks and escapes are written.

    A text under ``shortest`` characters once folded (half as many where it holds Chinese) says
    nothing: it stands in many prompts.
    """
    examples = item.extra.get(EXTRA, "")
    if not examples:
        return False
    wanted = _comparable(text)
    enough = shortest // 2 if holds_chinese(wanted) else shortest
    return len(wanted) >= enough and wanted in _comparable_examples(examples)


@lru_cache(maxsize=32)
def _comparable_examples(examples: str) -> str:
    """Return the examples folded: one text serves all items of a subtask."""
    return _comparable(examples)


def _comparable(text: str) -> str:
    # Official examples write line breaks and quotes as JSON does, with one backslash or more.
    return folded(_QUOTE.sub("", _BLANK.sub(" ", text)))
