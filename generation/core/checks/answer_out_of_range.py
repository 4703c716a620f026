"""A choice item whose gold names no option can't be answered."""

from collections.abc import Iterator

from generation.core.checks.answers import has_options, option_index
from generation.core.items import Finding, Item, Severity

KIND = "answer_out_of_range"


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each gold label without an option, or one where gold is empty."""
    if not has_options(item):
        return
    count = len(item.options)
    if not item.gold:
        yield _finding(f"no gold label is given for {count} options")
    for label in item.gold:
        if option_index(item, label) is None:
            yield _finding(f"gold label {label!r} has no option: there are {count}")


def _finding(evidence: str) -> Finding:
    return Finding(KIND, Severity.BLOCKS_RELEASE, "gold", evidence)
