"""Resamples items: what a number would have been had chance given other items."""

from dataclasses import dataclass

import numpy as np

from review.core.agreement.table import Floats

RESAMPLES = 2_000
_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """The middle 95 % of a number's resamples; None where no resample defines it.

    ``undefined`` counts the resamples in which the number has no value; they are left out.
    """

    low: float | None
    high: float | None
    undefined: int

    @property
    def width(self) -> float | None:
        """How far the ends are apart."""
        return None if self.low is None or self.high is None else self.high - self.low


def resampled_sums(rows: Floats, *, resamples: int = RESAMPLES, seed: int) -> Floats:
    """Return the sums of ``rows`` (items x terms) over as many items drawn with replacement.

    One row a resample. Items with the same terms are drawn as one kind, so that neither their
    order nor their number costs; few kinds are drawn by their numbers at once (multinomial),
    many by counting drawn places, which is then faster.

    Raises:
        ValueError: there are no items, or fewer than one resample is wanted.
    """
    if not len(rows) or resamples < 1:
        msg = f"nothing to resample: {len(rows)} items, {resamples} resamples"
        raise ValueError(msg)
    # Rounding makes one kind of terms that differ in their last bit.
    kinds, numbers = np.unique(np.round(rows, 9), axis=0, return_counts=True)
    random, items = np.random.default_rng(seed), len(rows)
    if len(kinds) * 8 <= items or len(kinds) <= 64:
        drawn = random.multinomial(items, numbers / items, size=resamples)
        few: Floats = drawn @ kinds
        return few
    kind_of = np.repeat(np.arange(len(kinds)), numbers)
    sums = np.empty((resamples, rows.shape[1]))
    step = max(1, _AT_ONCE // items)
    for start in range(0, resamples, step):
        size = min(step, resamples - start)
        places = kind_of[random.integers(0, items, size=(size, items), dtype=np.int32)]
        places += np.arange(size)[:, None] * len(kinds)
        counts = np.bincount(places.ravel(), minlength=size * len(kinds))
        sums[start : start + size] = counts.reshape(size, len(kinds)) @ kinds
    return sums


def interval_of(values: Floats) -> Interval:
    """Return the percentile interval of resampled values; NaN marks an undefined one."""
    defined = values[~np.isnan(values)]
    missing = len(values) - len(defined)
    if not len(defined):
        return Interval(None, None, missing)
    low, high = np.percentile(defined, [2.5, 97.5])
    return Interval(float(low), float(high), missing)
