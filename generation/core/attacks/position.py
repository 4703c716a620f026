"""Whether gold stands at some places more often than chance gives."""

from collections.abc import Sequence
from dataclasses import dataclass

from scipy.stats import chi2

from generation.core.attacks.option_set import OptionSet


@dataclass(frozen=True, slots=True)
class Positions:
    """Right answers by place, what chance gives, and the chi-square test of the difference.

    ``p`` is None where there is but one place.
    """

    counts: tuple[int, ...]
    expected: tuple[float, ...]
    chi_square: float
    degrees: int
    p: float | None


def positions(corpus: Sequence[OptionSet]) -> Positions:
    """Return where gold stands in the sets of ``corpus``.

    A set with K options gives each of its places 1/K of each right answer; sets of different size
    are taken together (Pearson's chi-square, one degree less than places).
    """
    widest = max((len(question.options) for question in corpus), default=0)
    counts = [0] * widest
    expected = [0.0] * widest
    for question in corpus:
        for place in question.right:
            counts[place] += 1
        for place in range(len(question.options)):
            expected[place] += question.chance
    chi_square = sum((n - e) ** 2 / e for n, e in zip(counts, expected, strict=True))
    degrees = max(0, widest - 1)
    p = float(chi2.sf(chi_square, degrees)) if degrees else None
    return Positions(tuple(counts), tuple(expected), chi_square, degrees, p)
