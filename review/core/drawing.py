"""Where control items come in a person's queue, and in which order: seeded, so that it repeats.

The queue is cut into stretches that hold one control item each; within its stretch the item's
place is drawn. So the share is right soon, and nobody can tell the next place from the last.
"""

import hashlib
from collections.abc import Collection


def is_control_place(seed: str, place: int, *, percent: int) -> bool:
    """Return whether the item at ``place`` (0, 1, …) of the queue named by ``seed`` is a control.

    ``percent`` of the places are, 0 to 100; over any whole number of stretches exactly so, for
    places 0 up to a multiple of 100.

    Raises:
        ValueError: ``place`` is negative or ``percent`` is none.
    """
    if place < 0 or not 0 <= percent <= 100:
        msg = f"no place {place} with {percent} % control items"
        raise ValueError(msg)
    if percent == 0:
        return False
    stretch = place * percent // 100
    first = _first_place(stretch, percent)
    length = _first_place(stretch + 1, percent) - first
    return place - first == _number(f"{seed}:{percent}:{stretch}") % length


def _first_place(stretch: int, percent: int) -> int:
    """Return the first place of a stretch: the least whose share of ``percent`` reaches it."""
    return -(-stretch * 100 // percent)


def drawn_control(seed: str, controls: Collection[int]) -> int | None:
    """Return which of the controls left comes next in the queue named by ``seed``; None of none.

    Each queue has an order of its own, in which controls that come or go later move no other.
    """
    return min(controls, key=lambda key: (_number(f"{seed}:{key}"), key), default=None)


def left_with_controls(work: int, *, seed: str, place: int, percent: int, controls: int) -> int:
    """Return how many items are left at ``place``: ``work`` ones and the controls among them.

    ``controls`` is how many the person has not had. So the number falls by one with every item,
    whatever it was.
    """
    left = 0
    while work > 0:
        if controls > 0 and is_control_place(seed, place, percent=percent):
            controls -= 1
        else:
            work -= 1
        left, place = left + 1, place + 1
    return left


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
