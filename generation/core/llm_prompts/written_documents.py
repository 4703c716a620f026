"""Which plans, patches and reports of a model can stand as options, by rules that don't trust it."""

from collections.abc import Callable

from generation.core.llm_prompts.written import text_fault
from generation.core.near_texts import RATIO, similarity
from generation.core.operators.dependencies import broken_by, dependencies
from generation.core.operators.plan_text import read_plan
from generation.core.patches import PatchError, read_patch
from generation.core.selection.texts import normalise
from generation.core.subtask import PoolEntry

_PATCH_LENGTHS = (0.2, 5.0)
_REPORT_LENGTHS = (0.6, 1.6)
_MOST_STEPS_APART = 2


def plan_fault(text: str, entry: PoolEntry) -> str | None:
    """Return why a plan can't be a wrong option; None when it can.

    One that has gold's steps in another order, or fewer of them, stands only where a step then
    lacks what it needs; one that only adds steps may still work, and does not stand.
    """
    if fault := text_fault(text, entry):
        return fault
    plan = read_plan(entry.draft.gold)
    gold = [normalise(step) for step in plan.steps]
    steps = [normalise(step) for step in read_plan(text).steps]
    if steps == gold:
        return "the text is nearly the right answer"
    if abs(len(steps) - len(gold)) > _MOST_STEPS_APART:
        return "the number of steps gives it away"
    if len(set(steps)) < len(steps):
        return "the plan says a step twice"
    needs = dependencies(plan.steps)
    if sorted(steps) == sorted(gold):
        order = [gold.index(step) for step in steps]
        return None if broken_by(order, needs) else "the order of its steps does not matter"
    if set(steps) < set(gold):
        kept = {gold.index(step) for step in steps}
        lacks = any(need.later in kept and need.earlier not in kept for need in needs)
        return None if lacks else "the plan may work without the steps that it lacks"
    if set(steps) > set(gold):
        return "the plan has every step of the right one"
    return None


def patch_fault(text: str, entry: PoolEntry, *, is_fit: Callable[[str], bool]) -> str | None:
    """Return why a patch, written anew, can't be a wrong option; None when it can.

    ``is_fit`` says of a path whether a patch may change it. That a patch is wrong is not shown by
    any rule: people judge it.
    """
    if fault := text_fault(text, entry, lengths=_PATCH_LENGTHS):
        return fault
    if same_text(text, entry.draft.gold):
        return "the patch does what the right one does"
    try:
        paths = {p for file in read_patch(text) for p in (file.old_path, file.new_path) if p}
    except PatchError:
        return "the patch can't be read"
    return None if all(map(is_fit, paths)) else "the patch changes files that it should not"


def report_fault(text: str, entry: PoolEntry) -> str | None:
    """Return why a report can't be a wrong option; None when it can."""
    if fault := text_fault(text, entry, lengths=_REPORT_LENGTHS):
        return fault
    return "the text is nearly the right answer" if same_report(text, entry.draft.gold) else None


def same_text(one: str, other: str) -> bool:
    """Return whether two texts have the same lines, blanks at their ends aside."""
    return _rows(one) == _rows(other)


def same_report(one: str, other: str) -> bool:
    """Return whether two long texts are nearly one, letter by letter."""
    return same_text(one, other) or similarity(one, other) >= RATIO


def _rows(text: str) -> list[str]:
    return [row.rstrip() for row in text.strip().split("\n")]
