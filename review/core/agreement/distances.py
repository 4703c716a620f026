"""How far two sets of labels are apart, 0..1."""

from collections.abc import Set
from typing import Any


def jaccard_distance(first: Set[Any], second: Set[Any]) -> float:
    """Return 1 minus the share of common members; two empty sets are the same."""
    union = len(first | second)
    return 1 - len(first & second) / union if union else 0.0


def masi_distance(first: Set[Any], second: Set[Any]) -> float:
    """Return 1 - J * M: J the share of common members, M how one set lies to the other.

    M is 1 for equal sets, 2/3 where one holds the other, 1/3 where they overlap, 0 where they
    do not. Two empty sets are the same. Source: Passonneau (2006), Measuring Agreement on
    Set-valued Items (MASI), LREC, with the exact thirds.
    """
    if first == second:
        return 0.0
    one_holds_the_other = first <= second or second <= first
    monotonicity = 2 / 3 if one_holds_the_other else 1 / 3  # times J = 0 where nothing is common
    return 1 - (1 - jaccard_distance(first, second)) * monotonicity
