"""Whether people are as often right as they say they are sure."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from review.core.scorer.intervals import wilson_interval


@dataclass(frozen=True, slots=True)
class Calibration:
    """At one confidence: answers, how many were right, and the Wilson interval of the share."""

    confidence: int
    answers: int
    right: int
    low: float
    high: float


def calibration(answers: Iterable[tuple[str, int, bool]]) -> dict[str, tuple[Calibration, ...]]:
    """Return, by reviewer, how often blind answers were right at each confidence given.

    Answers are (reviewer, confidence 1..5, is right). A confidence never given has no row.
    """
    seen: dict[str, dict[int, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for reviewer, confidence, is_right in answers:
        seen[reviewer][confidence].append(is_right)
    return {
        reviewer: tuple(_row(level, levels[level]) for level in sorted(levels))
        for reviewer, levels in sorted(seen.items())
    }


def _row(confidence: int, right: list[bool]) -> Calibration:
    low, high = wilson_interval(sum(right) / len(right), len(right))
    return Calibration(confidence, len(right), sum(right), low, high)
