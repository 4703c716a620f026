"""Two options that differ by a few characters: a person says whether that is a difference."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import combinations

from generation.core.checks.duplicate_choice import comparable
from generation.core.items import Finding, Item, Severity
from generation.core.labels import label_of

KIND = "near_duplicate_choice"

RATIO = 0.97
"""Matched characters x 2 / characters of both, from which two options are nearly the same."""

LONGEST_DIFFERENCE = 2_000
"""Characters between the common start and end of two options; beyond, they are not aligned."""


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


def similarity(left: str, right: str) -> float:
    """Return difflib's ratio of two texts in 0..1, or 0.0 once it is sure to be under ``RATIO``.

    The common start and end are matched first, and only what lies between is aligned.
    """
    total = len(left) + len(right)
    if not total:
        return 1.0
    start = _common_start(left, right)
    left, right = left[start:], right[start:]
    end = _common_start(left[::-1], right[::-1])
    left, right = left[: len(left) - end], right[: len(right) - end]
    same = 2 * (start + end)
    if (same + 2 * min(len(left), len(right))) / total < RATIO:
        return 0.0
    if max(len(left), len(right)) > LONGEST_DIFFERENCE:
        return 0.0
    between = SequenceMatcher(None, left, right, autojunk=False)
    rest = len(left) + len(right)
    if (same + between.quick_ratio() * rest) / total < RATIO:
        return 0.0
    return (same + between.ratio() * rest) / total


def _common_start(left: str, right: str) -> int:
    """Return how many characters two texts share at the start, by halving."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
