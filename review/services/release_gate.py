"""Holds what a release would ask against the gate: whether its options give their gold away."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from generation.core.attacks.gate import Verdict, sets_needed, why_too_few
from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat
from generation.services.audits import audit_sets

FEWEST = 10
"""Sets of one subtask that are attacked at all: fewer say nothing, whatever an attack gets."""
REMEDY = (
    "Make other wrong options, leave the subtask out (--subtasks), or record why it enters all the "
    "same (--despite-audit REASON)"
)


@dataclass(frozen=True, slots=True)
class Judged:
    """What the gate says of a subtask's ``n`` test items: verdict, why, and how many are needed.

    ``rules_only`` tells that no model made any of their options; None where they were not attacked.
    """

    subtask: str
    n: int
    verdict: Verdict
    needed: int
    reasons: tuple[str, ...] = ()
    rules_only: bool | None = None

    @property
    def fails(self) -> bool:
        """Whether it forbids freezing."""
        return self.verdict is Verdict.FAILS


def judge_release(
    *,
    tests: Mapping[str, Sequence[int]],
    orders: Mapping[int, Sequence[int]],
    seed: int = 0,
    advance: Callable[[str], None] = lambda _name: None,
) -> list[Judged]:
    """Return what the gate says of every subtask that is answered by choice, by its name.

    Args:
        tests: The revisions of the test items by subtask.
        orders: The released order of each revision's options.
        seed: Of every random choice.
        advance: Called with the subtask's name after each kind of attack.
    """
    found: list[Judged] = []
    for name, revisions in sorted(tests.items()):
        subtask = SUBTASKS[name]
        if subtask.answer_format is AnswerFormat.COMPLETION or not revisions:
            continue
        if len(revisions) < FEWEST:
            found.append(_few(name, len(revisions)))
            continue
        audits = audit_sets(
            subtasks=[subtask], revisions=revisions, orders=orders, seed=seed, advance=advance
        )
        for by_subtask in audits.values():
            if audit := by_subtask.get(name):
                gate = audit.gate
                told = (gate.verdict, gate.needed, gate.reasons)
                found.append(Judged(name, audit.n, *told, rules_only=audit.rules_only))
    return found


def _few(name: str, count: int) -> Judged:
    choices = SUBTASKS[name].choices
    chance = 1 / min(choices) if choices else 0.5
    variance = chance * (1 - chance)
    why = why_too_few(count, variance)
    return Judged(name, count, Verdict.TOO_FEW, sets_needed(variance), (why,))


def refusals(judged: Sequence[Judged]) -> list[str]:
    """Return why a release can't be frozen, one reason a subtask.

    It names the attacks, their values and intervals, what is allowed, and what can be done.
    """
    return [
        f"{one.subtask}: gold can be told without the question: {'; '.join(one.reasons)}. {REMEDY}"
        for one in judged
        if one.fails
    ]


def as_json(judged: Sequence[Judged], *, despite: str) -> dict[str, object]:
    """Return what a manifest says of the audit; numbers of attacks only where they failed."""
    return {
        "despite": despite or None,
        "subtasks": [
            {
                "subtask": one.subtask,
                "items": one.n,
                "needed": one.needed,
                "verdict": str(one.verdict),
                "rules_only": one.rules_only,
                "reasons": list(one.reasons if one.fails else one.reasons[:1]),
            }
            for one in judged
        ],
    }
