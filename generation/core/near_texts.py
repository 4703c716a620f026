"""How nearly two texts are the same, character by character."""

from difflib import SequenceMatcher

RATIO = 0.97
"""Matched characters x 2 / characters of both, from which two options are nearly the same."""

LONGEST_DIFFERENCE = 2_000
"""Characters between the common start and end of two options; beyond, they are not aligned."""


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
