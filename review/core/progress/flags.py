"""Signs that a reviewer may not be reading: advisory, for a lead to look at and never to act on alone."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, lgamma, log, log1p
from statistics import median

ENOUGH = 10
FAST_SHARE = 1 / 3
LEAST_CHANCE = 0.001


class Flag(StrEnum):
    """What stands out."""

    TOO_FAST = "too_fast"
    SAME_POSITION = "same_position"
    CONSTANT_DECISION = "constant_decision"
    CONSTANT_CONFIDENCE = "constant_confidence"


@dataclass(frozen=True, slots=True)
class Answered:
    """One review: active seconds in both phases, and the place of the answer among the options.

    ``position`` counts from 0 as the reviewer saw them, of ``choices`` (0 for a written answer).
    """

    seconds: float
    position: int
    choices: int
    decision: str
    confidence: int


@dataclass(frozen=True, slots=True)
class Flagged:
    """A flag with what was seen: a share 0..1, or seconds, beside what is usual; ``n`` reviews."""

    flag: Flag
    seen: float
    usual: float
    n: int


def flags_of(own: Sequence[Answered], *, usual_seconds: float, usual_share: float) -> list[Flagged]:
    """Return what stands out in one reviewer's reviews; nothing for fewer than ten.

    ``usual_seconds`` is the median of everybody's active time, ``usual_share`` the share of the
    most common decision among everybody: one decision alone says little where nearly all items
    are good.
    """
    if len(own) < ENOUGH:
        return []
    return [*_speed(own, usual_seconds), *_position(own), *_constant(own, usual_share)]


def _speed(own: Sequence[Answered], usual: float) -> Iterator[Flagged]:
    middle = median(one.seconds for one in own)
    if usual > 0 and middle < FAST_SHARE * usual:
        yield Flagged(Flag.TOO_FAST, middle, usual, len(own))


def _position(own: Sequence[Answered]) -> Iterator[Flagged]:
    """Flag the place chosen most often where chance would give that or more in under 0.1 %.

    Each place has the chance of the item with the fewest options, which is the kindest.
    """
    chosen = [one for one in own if one.choices > 1]
    if len(chosen) < ENOUGH:
        return
    chance = 1 / min(one.choices for one in chosen)
    _place, most = Counter(one.position for one in chosen).most_common(1)[0]
    places = max(one.choices for one in chosen)
    if places * _at_least(most, len(chosen), chance) < LEAST_CHANCE:
        yield Flagged(Flag.SAME_POSITION, most / len(chosen), chance, len(chosen))


def _constant(own: Sequence[Answered], usual_share: float) -> Iterator[Flagged]:
    if len({one.decision for one in own}) == 1 and usual_share ** len(own) < LEAST_CHANCE:
        yield Flagged(Flag.CONSTANT_DECISION, 1.0, usual_share, len(own))
    if len({one.confidence for one in own}) == 1:
        yield Flagged(Flag.CONSTANT_CONFIDENCE, 1.0, 0.0, len(own))


def _at_least(successes: int, trials: int, chance: float) -> float:
    """Return the chance of ``successes`` or more in independent trials (binomial tail)."""

    def log_term(k: int) -> float:
        ways = lgamma(trials + 1) - lgamma(k + 1) - lgamma(trials - k + 1)
        return ways + k * log(chance) + (trials - k) * log1p(-chance)

    return sum(exp(log_term(k)) for k in range(successes, trials + 1))
