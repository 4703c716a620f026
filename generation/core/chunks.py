"""Cuts a list of keys into runs, since a query takes only so many at a time."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

_T = TypeVar("_T")


def chunks(keys: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    """Yield the keys in order, in runs of at most ``size``.

    Raises:
        ValueError: ``size`` is under 1.
    """
    if size < 1:
        msg = f"runs of {size}: at least 1"
        raise ValueError(msg)
    return (keys[start : start + size] for start in range(0, len(keys), size))
