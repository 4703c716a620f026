"""The audit of one set of questions: attacks, position of gold, the gate; and its JSON."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from generation.core.attacks.catalogue import Attacked, attack_all
from generation.core.attacks.completion import (
    Completion,
    CompletionResult,
    guess_completions,
)
from generation.core.attacks.gate import Gate, Verdict, judge
from generation.core.attacks.measuring import AttackResult
from generation.core.attacks.option_set import OptionSet
from generation.core.attacks.position import Positions, positions

NO_COMPLETION_LIMIT = "no limit is set for completions: what a constant reaches is shown"


@dataclass(frozen=True, slots=True)
class SetAudit:
    """What the audit says of one subtask's questions of one origin.

    ``positions`` is None where options have no order yet; ``unanswerable`` are questions left
    out because no option of theirs is right or all are; ``completions`` are for a subtask that is
    not answered by choice, whose ``attacked`` is None; ``rules_only`` is what the gate went by.
    """

    n: int
    unanswerable: int
    gate: Gate
    attacked: Attacked | None = None
    positions: Positions | None = None
    rules_only: bool | None = None
    completions: tuple[CompletionResult, ...] = ()


def audit_choices(
    corpus: Sequence[OptionSet],
    *,
    unanswerable: int = 0,
    ordered: bool,
    rules_only: bool,
    seed: int,
    advance: Callable[[], None] = lambda: None,
) -> SetAudit:
    """Return the audit of choice questions.

    Args:
        corpus: The questions; those without a right or a wrong option must not be among them.
        unanswerable: How many were left out for that.
        ordered: Whether the options stand in the order that a model sees.
        rules_only: Whether no model and no further run gave a distractor.
        seed: Of every random choice.
        advance: Called after each kind of attack.
    """
    if not corpus:
        why = f"not enough to say: no answerable set, {unanswerable} without a right answer"
        return SetAudit(0, unanswerable, Gate(Verdict.TOO_FEW, (why,), 1), rules_only=rules_only)
    # Trained attacks draw by places: the same questions give the same numbers in any order.
    corpus = sorted(corpus, key=_content)
    attacked = attack_all(corpus, seed=seed, advance=advance)
    return SetAudit(
        n=len(corpus),
        unanswerable=unanswerable,
        gate=judge(corpus, attacked, rules_only=rules_only),
        attacked=attacked,
        positions=positions(corpus) if ordered else None,
        rules_only=rules_only,
    )


def _content(question: OptionSet) -> tuple[str, tuple[str, ...], int]:
    return question.cluster, question.options, question.gold


def audit_completions(corpus: Sequence[Completion]) -> SetAudit:
    """Return the audit of completions; the gate has no limit for them.

    Raises:
        ValueError: the corpus is empty.
    """
    gate = Gate(Verdict.NO_LIMIT, (NO_COMPLETION_LIMIT,), 0)
    return SetAudit(len(corpus), 0, gate, completions=tuple(guess_completions(corpus)))


def as_json(audit: SetAudit) -> dict[str, Any]:
    """Return the audit as an object for JSON: shares in [0, 1], what is missing null."""
    found = audit.attacked
    return {
        "n": audit.n,
        "unanswerable": audit.unanswerable,
        "gate": asdict(audit.gate),
        "rules_only": audit.rules_only,
        "attacks": {result.name: _attack(result) for result in found.results} if found else {},
        "left_out": dict(found.left_out) if found else {},
        "position": _position(audit.positions),
        "completions": {result.name: asdict(result) for result in audit.completions},
    }


def _attack(result: AttackResult) -> dict[str, Any]:
    return {
        "n": result.n,
        "accuracy": result.accuracy,
        "low": result.accuracy_low,
        "high": result.accuracy_high,
        "chance": result.chance,
        "chance_low": result.low,
        "chance_high": result.high,
        "p": result.p,
        "p_holm": result.p_holm,
        "within_chance": result.within_chance,
        "detail": result.detail,
    }


def _position(found: Positions | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "counts": list(found.counts),
        "expected": list(found.expected),
        "chi_square": found.chi_square,
        "degrees": found.degrees,
        "p": found.p,
    }
