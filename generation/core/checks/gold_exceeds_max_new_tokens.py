"""A gold longer than the generation budget can't be produced by any model."""

from collections.abc import Callable, Iterator

from generation.core.checks.answers import has_options
from generation.core.items import Finding, Item, Severity
from generation.core.tokens import fewest_tokens

KIND = "gold_exceeds_max_new_tokens"


def check(item: Item, *, count: Callable[[str], int] = fewest_tokens) -> Iterator[Finding]:
    """Yield one finding where gold takes more tokens than the item's own budget.

    ``count`` maps a text to tokens; unless told otherwise it is the least that o200k_base can
    make of it, so that what is found surely exceeds. Several right labels are one answer; of
    several right texts the shortest must fit.
    """
    if not item.gold:
        return
    answers = (", ".join(item.gold),) if has_options(item) else item.gold
    needed = min(map(count, answers))
    if needed > item.max_new_tokens:
        evidence = f"gold takes at least {needed} tokens, the budget is {item.max_new_tokens}"
        yield Finding(KIND, Severity.BLOCKS_RELEASE, "gold", evidence)
