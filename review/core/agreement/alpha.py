"""Krippendorff's alpha: nominal, ordinal, interval, ratio and, for sets, MASI.

Alpha is a function of sums over units, so that one definition serves the value and every
resample: ``unit_rows`` gives each pairable unit's terms, ``alphas`` what sums of them come to.
Source: Krippendorff (2011), Computing Krippendorff's Alpha-Reliability.
"""

from collections.abc import Callable, Hashable, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import numpy as np

from review.core.agreement import words
from review.core.agreement.distances import masi_distance
from review.core.agreement.table import Floats, Integers, RatingTable
from review.core.agreement.value import Value, undefined


class Scale(StrEnum):
    """What differences between labels mean."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"
    SETS = "sets"


class Metric(Protocol):
    """Terms of alpha by unit, and alpha from their sums."""

    def unit_rows(self, counts: Integers) -> Floats:
        """Return the terms of units with two or more labels, a row each."""
        ...

    def alphas(self, sums: Floats) -> Floats:
        """Return alpha for each row of sums; NaN where only one label is used."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class FixedDistance:
    """A squared distance that two labels have whatever else was used: labels x labels."""

    squared: Floats

    def unit_rows(self, counts: Integers) -> Floats:
        """Return each unit's counts of labels and its disagreement."""
        apart = ((counts @ self.squared) * counts).sum(axis=1) / (counts.sum(axis=1) - 1)
        return np.column_stack([counts, apart])

    def alphas(self, sums: Floats) -> Floats:
        """Return alpha for each row of sums; NaN where all used labels are alike."""
        totals, observed = sums[:, :-1], sums[:, -1]
        expected = ((totals @ self.squared) * totals).sum(axis=1)
        return _alphas(totals.sum(axis=1), observed, expected)


@dataclass(frozen=True, slots=True)
class RankDistance:
    """The ordinal distance: how many labels of the data lie between two of ``labels`` places.

    It depends on all labels used, so the terms are the coincidences themselves.
    """

    labels: int

    def unit_rows(self, counts: Integers) -> Floats:
        """Return each unit's counts of labels and its coincidences of every two labels."""
        first, second = np.triu_indices(self.labels, 1)
        together = 2 * counts[:, first] * counts[:, second]
        return np.column_stack([counts, together / (counts.sum(axis=1) - 1)[:, None]])

    def alphas(self, sums: Floats) -> Floats:
        """Return alpha for each row of sums; NaN where only one label is used.

        The ordinal distance is the difference of middle ranks: half of both labels and all
        between them.
        """
        totals, together = sums[:, : self.labels], sums[:, self.labels :]
        middle = np.cumsum(totals, axis=1) - totals / 2
        first, second = np.triu_indices(self.labels, 1)
        squared = (middle[:, first] - middle[:, second]) ** 2
        observed = (together * squared).sum(axis=1)
        expected = 2 * (totals[:, first] * totals[:, second] * squared).sum(axis=1)
        return _alphas(totals.sum(axis=1), observed, expected)


def metric_of(scale: Scale, labels: Sequence[Hashable]) -> Metric:
    """Return the metric of a scale; ordinal labels are in their declared order.

    Memory grows with the square of the number of labels.

    Raises:
        ValueError: interval or ratio labels that are no numbers, or sets that are none.
    """
    match scale:
        case Scale.NOMINAL:
            return FixedDistance(1 - np.eye(len(labels)))
        case Scale.ORDINAL:
            return RankDistance(len(labels))
        case Scale.SETS:
            return FixedDistance(set_distances(labels, masi_distance))
    values = np.array([_number(label) for label in labels])
    apart = values[:, None] - values[None, :]
    if scale is Scale.INTERVAL:
        return FixedDistance(apart**2)
    both = values[:, None] + values[None, :]
    return FixedDistance(np.divide(apart, both, out=np.zeros_like(apart), where=both != 0) ** 2)


def set_distances(
    labels: Sequence[Hashable], distance: Callable[[Set[Any], Set[Any]], float]
) -> Floats:
    """Return the distance of every two sets, as it is: not squared again.

    Raises:
        ValueError: a label is no frozenset.
    """
    sets = []
    for label in labels:
        if not isinstance(label, frozenset):
            msg = f"{label!r} is no set of labels"
            raise ValueError(msg)
        sets.append(label)
    apart = [distance(first, second) for first in sets for second in sets]
    return np.array(apart, dtype=float).reshape(len(sets), len(sets))


def alpha_of_counts(counts: Integers, metric: Metric) -> Value:
    """Return alpha from how many raters gave each unit each label."""
    size = counts.sum(axis=1)
    if not size.any():
        return undefined(words.NO_LABELS)
    if not (size >= 2).any():
        return undefined(words.NOT_PAIRABLE)
    rows = metric.unit_rows(counts[size >= 2])
    found = float(metric.alphas(rows.sum(axis=0, keepdims=True))[0])
    return undefined(words.ONE_LABEL) if np.isnan(found) else Value(found)


def alpha(table: RatingTable, scale: Scale) -> Value:
    """Return Krippendorff's alpha: 1 for perfect, 0 for chance, below 0 for less than chance."""
    return alpha_of_counts(table.counts(), metric_of(scale, table.labels))


def _alphas(number: Floats, observed: Floats, expected: Floats) -> Floats:
    found = np.full(len(expected), np.nan)
    np.divide((number - 1) * observed, expected, out=found, where=expected > 0)
    return 1 - found


def _number(label: Hashable) -> float:
    if isinstance(label, int | float):
        return float(label)
    msg = f"{label!r} is no number"
    raise ValueError(msg)
