"""Which options that a model wrote can stand, by rules that don't trust the model."""

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from itertools import combinations, islice
from random import Random

from generation.core.checks.normalisation import folded
from generation.core.cuts import has_cjk, option_fault
from generation.core.operators.calls import read_planned_call
from generation.core.replies.masking import MASK
from generation.core.subtask import PoolEntry

_MARK = re.compile(r"<<(?:end )?[0-9a-f]{16}")
_REFUSES = re.compile(
    r"(?:as an ai\b|i can(?:'|’)?t (?:help|assist)|作为(?:一个)?(?:ai|人工智能))", re.IGNORECASE
)
_LENGTHS = (1 / 3, 3.0)
_ALIKE = 0.92
_MOST_SETS = 400


def written_fault(text: str, entry: PoolEntry) -> str | None:
    """Return why a thought or call that a model wrote can't be an option; None when it can."""
    fault = text_fault(text, entry)
    if fault is not None:
        return fault
    if alike(text, entry.draft.gold):
        return "the text is nearly the right answer"
    return (
        _call_fault(text, entry)
        if read_planned_call(entry.draft.gold)
        else _thought_fault(text, entry)
    )


def text_fault(
    text: str, entry: PoolEntry, *, lengths: tuple[float, float] = _LENGTHS
) -> str | None:
    """Return why any text of a model can't stand beside gold; None when it can.

    ``lengths`` are the least and greatest length, as shares of gold's.
    """
    gold = entry.draft.gold
    if not text.strip():
        return "the text is empty"
    if _MARK.search(text) or MASK.search(text):
        return "the text holds a mark of the request"
    if _REFUSES.search(text):
        return "the text is a refusal"
    if fault := option_fault(text):
        return fault
    if has_cjk(text) != has_cjk(gold):
        return "the text is in another language than the right answer"
    if not lengths[0] <= len(text) / len(gold) <= lengths[1]:
        return "the text's length gives it away"
    return None


def alike(one: str, other: str) -> bool:
    """Return whether two texts are one to a reader, or differ in a few words."""
    left, right = folded(one).split(), folded(other).split()
    if left == right:
        return True
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return matcher.quick_ratio() > _ALIKE and matcher.ratio() > _ALIKE


def _thought_fault(text: str, entry: PoolEntry) -> str | None:
    """Refuse what the run thought at another step: it may be right, or tell of what follows."""
    if any(folded(step.thought) == folded(text) for step in entry.steps):
        return "the text is a thought of the run itself"
    return None


def _call_fault(text: str, entry: PoolEntry) -> str | None:
    call, gold = read_planned_call(text), read_planned_call(entry.draft.gold)
    if call is None or gold is None:
        return "the text is no plan with a call"
    if call.is_same_call(gold):
        return "the call is the right one"
    return call.fault(entry.tools)


def chosen_set(
    texts: Sequence[str],
    *,
    gold: str,
    wanted: range,
    seed: str,
    is_same: Callable[[str, str], bool] = alike,
) -> list[int] | None:
    """Return the places of as many texts as are wanted, none alike; None where there are too few.

    Gold's place by length among the options is drawn before, and of many sets the one is taken
    that comes nearest to it: else a model's habit of writing longer than the agent would tell.
    """
    apart: list[int] = []
    draw = Random(f"written\x1f{seed}\x1f{gold}")  # noqa: S311 - a choice, not a secret
    for place in draw.sample(range(len(texts)), len(texts)):
        if not any(is_same(texts[place], texts[other]) for other in apart):
            apart.append(place)
    if len(apart) < wanted[0]:
        return None
    count = min(len(apart), wanted[-1])
    target = draw.randint(0, count)
    sets = islice(combinations(apart, count), _MOST_SETS)
    best = min(
        sets,
        key=lambda places: abs(sum(len(texts[p]) < len(gold) for p in places) - target),
    )
    return list(best)
