"""How well an attack does, against what guessing gives.

Questions of one cluster are not independent: an accuracy counts for as many questions as its
variance over clusters says (Kish's design effect, never below one).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import erfc, sqrt

from generation.core.attacks.option_set import OptionSet, clusters_of
from generation.core.selection.cues import top_share

Z = 1.959963984540054
"""Standard-normal quantile of a two-sided 95 % interval."""

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class AttackResult:
    """How an attack did on ``n`` sets; all shares are in [0, 1].

    ``chance`` is what guessing gives and ``low`` and ``high`` bound what it gives in 95 of 100
    cases; ``accuracy_low`` and ``accuracy_high`` are the 95 % interval of ``accuracy``; ``p`` is
    how often guessing does as well or better, ``p_holm`` the same after Holm's correction for all
    attacks on the corpus. ``detail`` says which form of the attack this is.
    """

    name: str
    n: int
    accuracy: float
    chance: float
    low: float
    high: float
    accuracy_low: float
    accuracy_high: float
    p: float
    p_holm: float
    detail: str = ""

    @property
    def within_chance(self) -> bool:
        """Whether the accuracy is one that guessing gives."""
        return self.low - _ROUNDING <= self.accuracy <= self.high + _ROUNDING


def wilson_interval(share: float, count: float) -> tuple[float, float]:
    """Return the 95 % interval of a share of ``count`` draws, which may be fractional.

    Source: Wilson (1927), JASA 22 (158), 209-212.
    """
    shrink = Z * Z / count
    half = Z * sqrt(share * (1 - share) / count + shrink / (4 * count))
    low = (share + shrink / 2 - half) / (1 + shrink)
    high = (share + shrink / 2 + half) / (1 + shrink)
    return max(0.0, low), min(1.0, high)


def design_effect(hits: Sequence[float], clusters: Sequence[int]) -> float:
    """Return by how much clusters raise the variance of a mean of ``hits``; 1.0 at least.

    Source: Kish (1965), Survey Sampling, with the squared cluster totals of the residuals.
    """
    mean = sum(hits) / len(hits)
    totals: dict[int, float] = defaultdict(float)
    for hit, cluster in zip(hits, clusters, strict=True):
        totals[cluster] += hit - mean
    alone = sum((hit - mean) ** 2 for hit in hits)
    if alone <= _ROUNDING:
        return max(1.0, len(hits) / len(totals))
    return max(1.0, sum(total * total for total in totals.values()) / alone)


def measure_scores(
    name: str,
    scores: Sequence[Sequence[float]],
    corpus: Sequence[OptionSet],
    detail: str = "",
) -> AttackResult:
    """Return how an attack did that gave these scores to the options of each set.

    Ties are shared evenly, so that an attack that sees no difference is right as often as chance.

    Raises:
        ValueError: the corpus is empty.
    """
    return measure_hits(name, hits_of(scores, corpus), corpus, detail)


def hits_of(scores: Sequence[Sequence[float]], corpus: Sequence[OptionSet]) -> list[float]:
    """Return how often, 0 to 1, the option with the highest score is a right one, for each set."""
    return [
        sum(share for place, share in enumerate(top_share(row)) if place in question.right)
        for row, question in zip(scores, corpus, strict=True)
    ]


def measure_hits(
    name: str, hits: Sequence[float], corpus: Sequence[OptionSet], detail: str = ""
) -> AttackResult:
    """Return how an attack did that was right so often on each set; see ``AttackResult``.

    Chance is the mean of the sets' own, its interval the normal one, mean ± 1.96 ·
    sqrt(D · Σ p(1-p)) / n with the design effect D; ``p`` is one-sided.

    Raises:
        ValueError: the corpus is empty.
    """
    if not corpus:
        msg = "there is no option set to attack"
        raise ValueError(msg)
    n = len(corpus)
    chances = [question.chance for question in corpus]
    chance, accuracy = sum(chances) / n, sum(hits) / n
    effect = design_effect(hits, clusters_of(corpus))
    deviation = sqrt(effect * sum(p * (1 - p) for p in chances)) / n
    low, high = wilson_interval(min(1.0, accuracy), n / effect)
    p = erfc((accuracy - chance) / deviation / sqrt(2)) / 2 if deviation else 1.0
    return AttackResult(
        name=name,
        n=n,
        accuracy=accuracy,
        chance=chance,
        low=chance - Z * deviation,
        high=chance + Z * deviation,
        accuracy_low=low,
        accuracy_high=high,
        p=p,
        p_holm=p,
        detail=detail,
    )


def holm_adjusted(results: Sequence[AttackResult]) -> list[AttackResult]:
    """Return the results with ``p_holm`` set, in their order.

    Source: Holm (1979), Scandinavian Journal of Statistics 6 (2), 65-70.
    """
    order = sorted(range(len(results)), key=lambda index: results[index].p)
    adjusted = [0.0] * len(results)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(results) - rank) * results[index].p))
        adjusted[index] = largest
    return [replace(result, p_holm=p) for result, p in zip(results, adjusted, strict=True)]
