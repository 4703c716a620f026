"""Means with their errors: of one metric over items, and of several subtasks together.

Sums are exact (fsum), so that every version of Python prints the same digits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from .intervals import clustered_se, interval, weighted_clustered_se

_UNBOUNDED = {"margin", "brier", "bits_per_byte"}


@dataclass(frozen=True, slots=True)
class Column:
    """One metric of some items: a value and a cluster per item, at least one."""

    values: Sequence[float]
    clusters: Sequence[str]

    @property
    def mean(self) -> float:
        """The unweighted mean."""
        return fsum(self.values) / len(self.values)


def metric_entry(name: str, column: Column) -> dict[str, Any]:
    """Return value, clustered standard error, 95 % interval, items and clusters of one metric."""
    total = len(column.values)
    se = clustered_se(column.values, column.clusters)
    low, high = interval(column.mean, se, total, share=name not in _UNBOUNDED)
    return {
        "value": column.mean,
        "se": se,
        "low": low,
        "high": high,
        "n": total,
        "clusters": len(set(column.clusters)),
    }


def macro_entry(columns: Sequence[Column]) -> dict[str, Any]:
    """Return the mean of the columns' means, each with the same weight."""
    weight = 1 / len(columns)
    value = fsum(column.mean for column in columns) * weight
    return _weighted(value, [(weight, column) for column in columns])


def micro_entry(columns: Sequence[Column]) -> dict[str, Any]:
    """Return the mean over all items of the columns, each item with the same weight."""
    total = sum(len(column.values) for column in columns)
    value = fsum(one for column in columns for one in column.values) / total
    return _weighted(value, [(len(column.values) / total, column) for column in columns])


def _weighted(value: float, parts: Sequence[tuple[float, Column]]) -> dict[str, Any]:
    se = weighted_clustered_se((weight, column.values, column.clusters) for weight, column in parts)
    total = sum(len(column.values) for _, column in parts)
    low, high = interval(value, se, total, share=True)
    return {"value": value, "se": se, "low": low, "high": high, "n": total}


def average_of(
    columns: Mapping[str, Column | None],
) -> dict[str, Any]:
    """Return the mean of named columns; a missing one makes the value None and is named.

    The reason is None where the value is not.
    """
    missing = sorted(name for name, column in columns.items() if column is None)
    present = [column for column in columns.values() if column is not None]
    if missing or not present:
        reason = f"no column {', '.join(missing)}" if missing else "no columns"
        return {"value": None, "se": None, "low": None, "high": None, "reason": reason}
    entry = macro_entry(present)
    return {**{key: entry[key] for key in ("value", "se", "low", "high")}, "reason": None}
