"""Characters that a wrong decoding left: U+FFFD, or UTF-8 read as Latin-1 or Windows-1252."""

import re
from collections.abc import Iterator

from generation.core.checks.fields import texts_of
from generation.core.items import Finding, Item, Severity

KIND = "mojibake"

# The replacement character; the two letters that é, ü or ñ become; what ’ “ — become.
_BROKEN = re.compile("�|Ã[\u0080-¿]|â€[\u0080-\u00bf™œ\u009d“”˜¦]")

_CONTEXT = 20


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each text with such characters: severity 1 in the prompt, else 2."""
    for field, text in texts_of(item):
        first = _BROKEN.search(text)
        if first:
            severity = Severity.NOTE if field == "prompt" else Severity.NEEDS_PERSON
            around = text[max(0, first.start() - _CONTEXT) : first.end() + _CONTEXT]
            yield Finding(KIND, severity, field, around)
