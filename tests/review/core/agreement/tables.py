"""Tables from lists of ratings: one row a unit, one place a rater, None where there is no label."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from review.core.agreement.table import Integers, Rating, RatingTable


def table_of(rows: Iterable[Any], labels: Sequence[Hashable] | None = None) -> RatingTable:
    return RatingTable.of(
        (
            Rating(unit, f"r{rater}", label)
            for unit, row in enumerate(rows)
            for rater, label in enumerate(row)
        ),
        labels=labels,
    )


def from_square(square: Sequence[Sequence[int]], labels: Sequence[Hashable]) -> RatingTable:
    """Return the table of two raters from counts of first's by second's label."""
    rows = [
        (labels[first], labels[second])
        for first, row in enumerate(square)
        for second, number in enumerate(row)
        for _ in range(number)
    ]
    return table_of(rows, labels)


def counts_of(rows: Sequence[Sequence[int]]) -> Integers:
    return np.array(rows, dtype=np.int64)
