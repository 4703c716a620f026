"""The labels that raters gave units, as arrays."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Rating(NamedTuple):
    """One label: what ``rater`` says of ``unit``.

    ``label`` None is a missing label. ``item`` is what the unit is a part of (an option of a
    question) where it is not an item of its own; resampling draws items whole.
    """

    unit: Hashable
    rater: str
    label: Hashable
    item: Hashable = None


@dataclass(frozen=True, slots=True, eq=False)
class RatingTable:
    """Ratings in three parallel arrays: index of unit, of rater, of label.

    ``labels`` are all declared labels in their order, used or not; ``item_of`` gives every
    unit's index in ``items``. Raters are in the order of their names, units and items in the
    order of their first rating.
    """

    units: tuple[Hashable, ...]
    items: tuple[Hashable, ...]
    raters: tuple[str, ...]
    labels: tuple[Hashable, ...]
    item_of: Integers
    unit: Integers
    rater: Integers
    label: Integers

    @classmethod
    def of(
        cls, ratings: Iterable[Rating], *, labels: Sequence[Hashable] | None = None
    ) -> "RatingTable":
        """Return the table of the ratings; missing labels leave no trace.

        ``labels`` are the declared labels; None takes those that occur, sorted (sets by their
        members), which fits only where the schema has no fixed list.

        Raises:
            ValueError: a label is not declared, a declared one is repeated, or a rater labels
                a unit twice.
        """
        kept = [rating for rating in ratings if rating.label is not None]
        declared = _occurring(kept) if labels is None else tuple(labels)
        code = {label: index for index, label in enumerate(declared)}
        if len(code) < len(declared):
            msg = f"a label is declared twice: {declared}"
            raise ValueError(msg)
        units: dict[Hashable, int] = {}
        items: dict[Hashable, int] = {}
        item_of: list[int] = []
        raters = {name: index for index, name in enumerate(sorted({r.rater for r in kept}))}
        seen: set[tuple[int, int]] = set()
        rows: list[tuple[int, int, int]] = []
        for unit, rater, label, item in kept:
            if label not in code:
                msg = f"{label!r} of {rater} for {unit} is not declared: {declared}"
                raise ValueError(msg)
            if unit not in units:
                units[unit] = len(units)
                item_of.append(items.setdefault(unit if item is None else item, len(items)))
            key = units[unit], raters[rater]
            if key in seen:
                msg = f"{rater} labels {unit} twice"
                raise ValueError(msg)
            seen.add(key)
            rows.append((*key, code[label]))
        columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
        return cls(
            units=tuple(units),
            items=tuple(items),
            raters=tuple(raters),
            labels=declared,
            item_of=np.array(item_of, dtype=np.int64),
            unit=columns[0],
            rater=columns[1],
            label=columns[2],
        )

    def counts(self) -> Integers:
        """Return how many raters gave each unit each label: units x labels."""
        width = len(self.labels)
        flat = np.bincount(self.unit * width + self.label, minlength=len(self.units) * width)
        return flat.astype(np.int64).reshape(len(self.units), width)

    def pairable(self) -> NDArray[np.bool_]:
        """Return which units have two or more labels."""
        return np.bincount(self.unit, minlength=len(self.units)) >= 2

    def by_item(self, rows: Floats, chosen: NDArray[np.bool_]) -> Floats:
        """Return the sums of the chosen units' ``rows``, one row for each item that has any."""
        _, item = np.unique(self.item_of[chosen], return_inverse=True)
        sums = np.zeros((int(item.max(initial=-1)) + 1, rows.shape[1]))
        np.add.at(sums, item, rows)
        return sums


def _occurring(ratings: Iterable[Rating]) -> tuple[Hashable, ...]:
    return tuple(sorted({rating.label for rating in ratings}, key=_sort_key))


def _sort_key(label: Hashable) -> tuple[str, tuple[str, ...], float, str]:
    """Order numbers by size, sets by size and members, all else by text."""
    if isinstance(label, frozenset):
        return "set", (f"{len(label):09d}", *sorted(map(str, label))), 0.0, ""
    if isinstance(label, int | float):
        return "number", (), float(label), ""
    return "text", (), 0.0, str(label)
