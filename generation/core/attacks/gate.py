"""The gate of a release: whether a set of questions gives its right answers away.

A set made by the project passes where no single cue and neither sign of the text classifier is
right more often than guessing, and the learned attack at most 0.08 more often (no more often than
guessing where a model or further runs gave distractors on the topic). "More often" means that the
lower end of the 95 % interval lies above.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

from generation.core.attacks.catalogue import LEARNED, Attacked
from generation.core.attacks.measuring import AttackResult, Z
from generation.core.attacks.option_set import OptionSet

MARGIN = 0.08
"""What the learned attack may gain over chance where rules alone made the options."""
BEYOND_DOUBT = 0.05
"""Below this Holm-adjusted p an attack fails a corpus that is too small to pass."""

_ROUNDING = 1e-9


class Verdict(StrEnum):
    """What the gate says of a set."""

    PASSES = "passes"
    FAILS = "fails"
    TOO_FEW = "too_few"
    NO_LIMIT = "no_limit"


@dataclass(frozen=True, slots=True)
class Gate:
    """What the gate says, and why; ``needed`` is the number of sets that would be enough."""

    verdict: Verdict
    reasons: tuple[str, ...]
    needed: int


def judge(corpus: Sequence[OptionSet], attacked: Attacked, *, rules_only: bool) -> Gate:
    """Return whether a corpus passes.

    Enough sets are those with which guessing stays within ``MARGIN`` of chance in 95 of 100
    cases; with fewer a corpus can't pass, and it fails only beyond doubt: of some twenty attacks
    on a handful of sets a few are right in all of them by chance. ``rules_only`` tells that no
    model and no further run gave a distractor.
    """
    high = [
        (result, limit)
        for result in attacked.results
        if result.accuracy_low > (limit := _limit(result, rules_only=rules_only)) + _ROUNDING
    ]
    reasons = tuple(_too_high(result, limit) for result, limit in high)
    variance = sum(q.chance * (1 - q.chance) for q in corpus) / len(corpus)
    needed = sets_needed(variance)
    is_enough = len(corpus) >= needed
    if reasons and (is_enough or any(result.p_holm < BEYOND_DOUBT for result, _limit in high)):
        return Gate(Verdict.FAILS, reasons, needed)
    if not is_enough:
        return Gate(Verdict.TOO_FEW, (why_too_few(len(corpus), variance), *reasons), needed)
    if attacked.left_out:
        missing = tuple(f"{name} not made: {why}" for name, why in attacked.left_out.items())
        return Gate(Verdict.TOO_FEW, missing, needed)
    return Gate(Verdict.PASSES, (), needed)


def sets_needed(variance: float) -> int:
    """Return with how many sets guessing stays within ``MARGIN``; ``variance`` is that of one set."""
    return int(variance * (Z / MARGIN) ** 2) + 1


def why_too_few(sets: int, variance: float) -> str:
    """Return the sentence that says why so few sets are not enough to say."""
    half = Z * sqrt(variance / sets)
    return (
        f"not enough to say: {sets} sets, {sets_needed(variance)} are needed; guessing alone gives "
        f"chance ± {half:.2f}"
    )


def _limit(result: AttackResult, *, rules_only: bool) -> float:
    return result.chance + (MARGIN if rules_only and result.name == LEARNED else 0.0)


def _too_high(result: AttackResult, limit: float) -> str:
    return (
        f"{result.name} is right in {result.accuracy:.3f} of {result.n} sets "
        f"(95 % {result.accuracy_low:.3f} to {result.accuracy_high:.3f}); at most {limit:.3f} is "
        f"allowed, chance is {result.chance:.3f}, p adjusted {result.p_holm:.2g}"
    )
