"""Two options that differ by a few characters: a person says whether that is a difference."""

from collections.abc import Iterator
from itertools import combinations

from generation.core.checks.duplicate_choice import comparable
from generation.core.items import Finding, Item, Severity
from generation.core.labels import label_of
from generation.core.near_texts import RATIO, similarity

KIND = "near_duplicate_choice"


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each pair of unequal options whose ratio reaches ``RATIO``.

    It is given for the later option of the pair.
    """
    texts = [comparable(item, text) for text in item.options]
    for (earlier, left), (later, right) in combinations(enumerate(texts), 2):
        ratio = similarity(left, right)
        if left != right and ratio >= RATIO:
            evidence = f"({label_of(later)}) is nearly ({label_of(earlier)}): ratio {ratio:.3f}"
            yield Finding(KIND, Severity.NEEDS_PERSON, f"option:{later}", evidence)
