"""Cohen's kappa of two raters, and of several as Conger's."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from review.core.agreement import words
from review.core.agreement.coefficients import raw_agreement
from review.core.agreement.table import Floats, Integers, RatingTable
from review.core.agreement.value import Value, undefined

_CERTAIN = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two raters and the units that both labelled: ``both`` counts first's by second's label."""

    first: str
    second: str
    both: Integers

    @property
    def n(self) -> int:
        """How many units both labelled."""
        return int(self.both.sum())

    @property
    def raw(self) -> Value:
        """The share of units with the same label."""
        return Value(float(np.trace(self.both)) / self.n) if self.n else undefined(words.NO_PAIR)


def cohen(both: Integers, weights: Floats | None = None) -> Value:
    """Return Cohen's kappa from a square table of counts; observed and chance use the same units.

    Source: Cohen (1960), Educational and Psychological Measurement 20, 37-46; weighted: Cohen
    (1968), Psychological Bulletin 70, 213-220.
    """
    total = int(both.sum())
    if not total:
        return undefined(words.NO_PAIR)
    given = np.eye(len(both)) if weights is None else weights
    shares = both / total
    expected = float(shares.sum(axis=1) @ given @ shares.sum(axis=0))
    if 1 - expected < _CERTAIN:
        return undefined(words.ONE_PAIR_LABEL)
    return Value((float((shares * given).sum()) - expected) / (1 - expected))


def cohen_standard_error(both: Integers, weights: Floats | None = None) -> Value:
    """Return the standard error of Cohen's kappa in a large sample.

    Source: Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72, 323-327.
    """
    kappa = cohen(both, weights)
    if kappa.number is None:
        return kappa
    given = np.eye(len(both)) if weights is None else weights
    total = int(both.sum())
    shares = both / total
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    expected = float(rows @ given @ columns)
    mean_weights = (given @ columns)[:, None] + (rows @ given)[None, :]
    lost = 1 - kappa.number
    spread = float((shares * (given - mean_weights * lost) ** 2).sum())
    variance = (spread - (kappa.number - expected * lost) ** 2) / (total * (1 - expected) ** 2)
    return Value(sqrt(max(0.0, variance)))


def pairs(table: RatingTable) -> tuple[Pair, ...]:
    """Return every two raters that share a unit, in the order of their names."""
    width, raters = len(table.labels), len(table.raters)
    order = np.lexsort((table.rater, table.unit))
    unit, rater, label = table.unit[order], table.rater[order], table.label[order]
    cells = [
        ((rater[a] * raters + rater[b]) * width + label[a]) * width + label[b]
        for a, b in _together(unit)
    ]
    if not cells:
        return ()
    keys, numbers = np.unique(np.concatenate(cells), return_counts=True)
    found: dict[int, Integers] = {}
    for key, number in zip(keys.tolist(), numbers.tolist(), strict=True):
        pair, cell = divmod(key, width * width)
        both = found.setdefault(pair, np.zeros((width, width), dtype=np.int64))
        both[divmod(cell, width)] = number
    return tuple(
        Pair(table.raters[pair // raters], table.raters[pair % raters], both)
        for pair, both in found.items()
    )


def _together(unit: Integers) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Yield places of two ratings of one unit, first by how far apart; ``unit`` is sorted."""
    step = 1
    while step < len(unit):
        first = np.flatnonzero(unit[:-step] == unit[step:])
        if not len(first):
            return
        yield first, first + step
        step += 1


def conger(table: RatingTable, weights: Floats | None = None) -> Value:
    """Return Conger's kappa: as Fleiss', with chance from each rater's own shares of labels.

    Source: Conger (1980), Psychological Bulletin 88, 322-328, generalised to missing labels by
    Gwet (2014).
    """
    counts = table.counts()
    observed = raw_agreement(counts, weights)
    if observed.number is None:
        return observed
    width, raters = len(table.labels), len(table.raters)
    given = np.eye(width) if weights is None else weights
    own = np.bincount(table.rater * width + table.label, minlength=raters * width)
    shares = own.reshape(raters, width) / own.reshape(raters, width).sum(axis=1, keepdims=True)
    whole = shares.sum(axis=0)
    ordered_pairs = np.outer(whole, whole) - shares.T @ shares
    expected = float((given * ordered_pairs).sum()) / (raters * (raters - 1))
    if 1 - expected < _CERTAIN:
        return undefined(words.ONE_LABEL)
    return Value((observed.number - expected) / (1 - expected))
