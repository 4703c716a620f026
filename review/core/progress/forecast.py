"""When the remaining reviews may be in, from how many came in on each recent day."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

ENOUGH_DAYS = 3
_DRAWS = 2_000
_LONGEST = 3_650


@dataclass(frozen=True, slots=True)
class Forecast:
    """Days until the remaining reviews are in: the middle and the ends of an 80 % interval.

    None where it can't be said: ``why`` tells. ``per_day`` is the mean of the recent days.
    """

    per_day: float
    days: int | None
    low: int | None
    high: int | None
    why: str = ""


NOTHING_LEFT = "nothing is left"
TOO_FEW_DAYS = "fewer than three days with reviews"
TOO_SLOW = "at this pace it would take more than ten years"


def forecast(recent: Sequence[int], remaining: int, *, seed: int = 0) -> Forecast:
    """Return when ``remaining`` reviews may be in.

    ``recent`` are the reviews of each of the last days, days without any included. Future days
    are drawn from them with replacement (a bootstrap of days, so that weekends and the spread of
    the pace are in the interval); the ends are the 10th and 90th percentile.

    Raises:
        ValueError: a count is negative.
    """
    if remaining < 0 or any(count < 0 for count in recent):
        msg = "counts of reviews are not negative"
        raise ValueError(msg)
    per_day = sum(recent) / len(recent) if recent else 0.0
    if not remaining:
        return Forecast(per_day, 0, 0, 0, NOTHING_LEFT)
    if sum(count > 0 for count in recent) < ENOUGH_DAYS:
        return Forecast(per_day, None, None, None, TOO_FEW_DAYS)
    if remaining / per_day > _LONGEST:
        return Forecast(per_day, None, None, None, TOO_SLOW)
    counts = np.asarray(recent, dtype=np.int64)
    horizon = min(2 * _LONGEST, ceil(4 * remaining / per_day) + 30)
    generator = np.random.default_rng(seed)
    needed = np.full(_DRAWS, horizon)
    for start in range(0, _DRAWS, 100):  # few draws at a time: the horizon may be long
        drawn = generator.choice(counts, size=(100, horizon)).cumsum(axis=1)
        is_done = drawn >= remaining
        first = is_done.argmax(axis=1) + 1
        needed[start : start + 100] = np.where(is_done.any(axis=1), first, horizon)
    low, middle, high = map(ceil, np.percentile(needed, (10, 50, 90)))
    return Forecast(per_day, middle, low, high)
