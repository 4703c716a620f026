"""Which items lower a number: those on which raters disagree most."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from review.core.agreement.alpha import FixedDistance, Scale, metric_of
from review.core.agreement.table import Floats, RatingTable


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item, how far apart its labels are (mean over pairs of raters) and its number of pairs."""

    item: Hashable
    distance: float
    pairs: int


def worst_items(
    table: RatingTable, scale: Scale, *, limit: int | None = None
) -> tuple[Disagreement, ...]:
    """Return the items whose raters disagree, farthest apart first; agreed ones are left out.

    The distance of two labels is that of the scale (1 for two different nominal labels); that
    of ordinal labels the difference of their places, squared.
    """
    counts, chosen = table.counts(), table.pairable()
    kept = counts[chosen]
    apart = ((kept @ _squared(table, scale)) * kept).sum(axis=1) / 2
    size = kept.sum(axis=1)
    rows = np.column_stack([apart, size * (size - 1) / 2])
    sums = table.by_item(rows, chosen)
    found = [
        Disagreement(table.items[item], float(total / number), int(number))
        for item, (total, number) in zip(
            np.unique(table.item_of[chosen]).tolist(), sums.tolist(), strict=True
        )
        if total > 0
    ]
    found.sort(key=lambda row: (-row.distance, -row.pairs, str(row.item)))
    return tuple(found[:limit])


def _squared(table: RatingTable, scale: Scale) -> Floats:
    metric = metric_of(scale, table.labels)
    if isinstance(metric, FixedDistance):
        return metric.squared
    places = np.arange(len(table.labels))
    squared: Floats = (places[:, None] - places[None, :]).astype(float) ** 2
    return squared
