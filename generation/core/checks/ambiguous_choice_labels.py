"""An option that holds ``(B)`` makes the list of options readable in two ways.

In the official layout the options are one text, split at their labels: a label inside an
option cuts it in two. Labels beyond the last option are taken for text by every reader.
"""

import re
from collections.abc import Iterator

from generation.core.checks.answers import option_index
from generation.core.items import Finding, Item, Severity

KIND = "ambiguous_choice_labels"

_LABEL = re.compile(r"\(([A-Z])\)(?!\S)")


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each option that holds one of the item's own labels and a blank."""
    for index, text in enumerate(item.options):
        inside = next(
            (m for m in _LABEL.finditer(text) if option_index(item, m.group(1)) is not None), None
        )
        if inside:
            yield Finding(
                KIND,
                Severity.BLOCKS_RELEASE,
                f"option:{index}",
                inside.group(),
                inside.start(),
                inside.end(),
            )
