"""Operators on plans: reorder, drop, insert something harmful or useless, swap versions.

For one wrong plan at a time: a whole set is made by ``random_root_star``, whose edits leave no
trace of which plan was edited.
"""

import re

from generation.core.operators.dependencies import broken_by, dependencies
from generation.core.operators.operator import Context, Unfit, Wrong, seeded
from generation.core.operators.plan_text import is_permutation, read_plan
from generation.core.selection.texts import normalise

_FEWEST = 3
_VERSION = re.compile(r"(?<![\w.])v?(\d{1,4})\.(\d{1,3})((?:\.\d{1,3})*)(?![\w.]*\w)")
_UNDO = (
    ("install", "uninstall"),
    ("create", "delete"),
    ("activate", "deactivate"),
    ("enable", "disable"),
    ("download", "delete"),
    ("extract", "delete"),
    ("add", "remove"),
    ("start", "stop"),
    ("upgrade", "downgrade"),
    ("increase", "decrease"),
    ("安装", "卸载"),
    ("创建", "删除"),
    ("激活", "停用"),
    ("启用", "禁用"),
    ("下载", "删除"),
    ("添加", "移除"),
    ("启动", "停止"),
)


def reorder_steps(gold: str, _context: Context, seed: int) -> Wrong | Unfit:
    """Return the plan with a step moved before one that it needs.

    A plan in which no step is seen to need another gives none: its orders may all be right.
    """
    plan = read_plan(gold)
    needs = dependencies(plan.steps)
    if not needs:
        return Unfit("no step is seen to need an earlier one, so that any order may do")
    need = seeded("reorder_steps", gold, seed).choice(needs)
    order = [place for place in range(len(plan.steps)) if place != need.later]
    order.insert(order.index(need.earlier), need.later)
    broken = broken_by(order, needs)
    steps = tuple(plan.steps[place] for place in order)
    if broken is None or tuple(map(normalise, steps)) == tuple(map(normalise, plan.steps)):
        return Unfit("the moved steps say the same")
    moved = plan.steps[need.later]
    return Wrong(plan.written(steps), f"{moved!r} comes before what it needs: {need.why}.")


def drop_step(gold: str, _context: Context, seed: int) -> Wrong | Unfit:
    """Return the plan without a step that a later one needs; no other drop is sure to be wrong."""
    plan = read_plan(gold)
    if len(plan.steps) < _FEWEST:
        return Unfit(f"the plan has fewer than {_FEWEST} steps")
    needs = dependencies(plan.steps)
    if not needs:
        return Unfit("no step is seen to be needed by a later one")
    need = seeded("drop_step", gold, seed).choice(needs)
    steps = plan.steps[: need.earlier] + plan.steps[need.earlier + 1 :]
    dropped = plan.steps[need.earlier]
    return Wrong(
        plan.written(steps),
        f"Lacks {dropped!r}, which {plan.steps[need.later]!r} needs: {need.why}.",
    )


def insert_harmful(gold: str, _context: Context, seed: int) -> Wrong | Unfit:
    """Return the plan with a step, right after another, that undoes it: install, uninstall."""
    plan = read_plan(gold)
    undone = [(place, undo) for place, step in enumerate(plan.steps) if (undo := _undone(step))]
    if not undone:
        return Unfit("no step does what another could undo")
    place, step = seeded("insert_harmful", gold, seed).choice(undone)
    steps = (*plan.steps[: place + 1], step, *plan.steps[place + 1 :])
    return Wrong(plan.written(steps), f"{step!r} undoes what the step before it did.")


def insert_redundant(gold: str, context: Context, seed: int) -> Wrong | Unfit:
    """Return the plan with a step of another task's plan put in, which is of no use here."""
    plan = read_plan(gold)
    own = {normalise(step) for step in plan.steps}
    foreign = sorted(
        {
            step
            for other in context.others
            for step in read_plan(other).steps
            if normalise(step) not in own
        }
    )
    if not foreign:
        return Unfit("no other task's plan has a step that this one lacks")
    random = seeded("insert_redundant", gold, seed)
    step = random.choice(foreign)
    place = random.randrange(len(plan.steps) + 1)
    steps = (*plan.steps[:place], step, *plan.steps[place:])
    return Wrong(plan.written(steps), f"{step!r} belongs to another task.")


def swap_versions(gold: str, _context: Context, seed: int) -> Wrong | Unfit:
    """Return the answer with one version changed, at each place where it names it."""
    versions = list(dict.fromkeys(match.group() for match in _VERSION.finditer(gold)))
    if not versions:
        return Unfit("no version is named")
    random = seeded("swap_versions", gold, seed)
    old = random.choice(versions)
    new = next(one for one in _other_versions(old, random.randrange(4)) if one not in versions)
    changed = _VERSION.sub(lambda match: new if match.group() == old else match.group(), gold)
    return Wrong(changed, f"Asks for version {new} where {old} is right.")


def other_item(gold: str, context: Context, seed: int) -> Wrong | Unfit:
    """Return another task's right answer, unless it has the same steps."""
    others = sorted(
        other
        for other in set(context.others)
        if normalise(other) != normalise(gold) and not is_permutation(other, gold)
    )
    if not others:
        return Unfit("no other task has another answer")
    other = seeded("other_item", gold, seed).choice(others)
    return Wrong(other, "It is the answer of another task.")


def _undone(step: str) -> str:
    """Return the step with what it does turned round; empty where that is not known."""
    folded = step.casefold()
    for verb, undo in _UNDO:
        at = folded.find(verb)
        # The first word a person reads must be the verb: "install X", not "to be installed".
        if (
            at >= 0
            and len(folded) == len(step)
            and (not verb.isascii() or _is_word(folded, at, verb))
        ):
            turned = undo.capitalize() if step[at].isupper() else undo
            return f"{step[:at]}{turned}{step[at + len(verb) :]}"
    return ""


def _is_word(text: str, at: int, word: str) -> bool:
    before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
    return not before.isalnum() and not after.isalnum()


def _other_versions(version: str, first: int) -> list[str]:
    """Return neighbours of a version in the same form, one of them first."""
    match = _VERSION.fullmatch(version)
    if match is None:
        msg = f"{version!r} is no version"
        raise ValueError(msg)
    start = "v" if version.startswith("v") else ""
    major, minor, rest = int(match.group(1)), int(match.group(2)), match.group(3)
    moves = [(0, 2), (0, -2), (0, 1), (1, 0)]
    near = [(major + more, minor + less) for more, less in moves[first:] + moves[:first]]
    near += [(major, minor + 3 + further) for further in range(40)]
    return [f"{start}{one}.{two}{rest}" for one, two in near if two >= 0]
