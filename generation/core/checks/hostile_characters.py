"""Characters that a reader does not see or that act on a terminal: they may hide text."""

import re
from collections.abc import Iterator

from generation.core.checks.fields import texts_of
from generation.core.items import Finding, Item, Severity

KIND = "hostile_characters"

# Controls but for tab, newline and carriage return (ESC and NUL among them); zero-width
# characters; the directional marks, embeddings, overrides and isolates; tag characters. The
# joiner U+200D and non-joiner U+200C are part of emoji and of several scripts.
_HOSTILE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u0080-\u009f"
    "\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each text with such characters: severity 1 in the prompt, else 2.

    The evidence names the first by code point and says how many there are.
    """
    for field, text in texts_of(item):
        found = _HOSTILE.findall(text)
        if found:
            severity = Severity.NOTE if field == "prompt" else Severity.NEEDS_PERSON
            evidence = f"U+{ord(found[0]):04X} is the first of {len(found)}"
            yield Finding(KIND, severity, field, evidence)
