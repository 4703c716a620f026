"""Edits of a plan's steps: replace, insert, drop, a small change, a move with a change.

A plan is a tuple of steps. Steps that come in are real steps of other plans, so that no wording
is made up; how often each edit is drawn is measured to leave no trace of which plan was edited.
"""

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from generation.core.selection.texts import names

Plan = tuple[str, ...]
Donor = Callable[[Plan, float], str]
"""Gives a step of another plan that the plan passed does not have, for a place in it, 0 to 1."""
Edit = Callable[[Plan, Donor, Random], Plan]


def replace_step(plan: Plan, donor: Donor, random: Random) -> Plan:
    """Return the plan with one step replaced by another plan's."""
    place = random.randrange(len(plan))
    return (*plan[:place], donor(plan, _share(place, len(plan))), *plan[place + 1 :])


def insert_step(plan: Plan, donor: Donor, random: Random) -> Plan:
    """Return the plan with a step of another plan put in."""
    place = random.randrange(len(plan) + 1)
    return (*plan[:place], donor(plan, _share(place, len(plan) + 1)), *plan[place:])


def drop_step(plan: Plan, donor: Donor, random: Random) -> Plan:
    """Return the plan without one of its steps; a plan of two steps has one replaced instead."""
    if len(plan) <= 2:
        return replace_step(plan, donor, random)
    place = random.randrange(len(plan))
    return (*plan[:place], *plan[place + 1 :])


def change_name(plan: Plan, donor: Donor, random: Random) -> Plan:
    """Return the plan with something that one step names replaced by what another step names.

    Where no step names anything, a part of a step is replaced.
    """
    named = [(place, name) for place, step in enumerate(plan) for name in sorted(names(step))]
    others = sorted(names(donor(plan, 0.5)) | {name for _, name in named})
    pairs = [(place, old, new) for place, old in named for new in others if new != old]
    random.shuffle(pairs)
    for place, old, new in pairs:
        at = plan[place].casefold().find(old)
        if at >= 0:
            step = plan[place]
            changed = f"{step[:at]}{new}{step[at + len(old) :]}"
            return (*plan[:place], changed, *plan[place + 1 :])
    return change_part(plan, donor, random)


def change_part(plan: Plan, donor: Donor, random: Random) -> Plan:
    """Return the plan with a line under one of its steps replaced by one under another plan's.

    Where there is none, a step is replaced.
    """
    places = [place for place, step in enumerate(plan) if "\n" in step]
    parts = donor(plan, 0.5).splitlines()[1:] if places else []
    if not parts:
        return replace_step(plan, donor, random)
    place = random.choice(places)
    header, *own = plan[place].splitlines()
    own[random.randrange(len(own))] = random.choice(parts)
    return (*plan[:place], "\n".join([header, *own]), *plan[place + 1 :])


def move_and_change(plan: Plan, donor: Donor, random: Random) -> Plan:
    """Return the plan with one step moved and another one replaced."""
    steps = list(plan)
    moved = steps.pop(random.randrange(len(steps)))
    steps.insert(random.randrange(len(steps) + 1), moved)
    place = random.choice([place for place, step in enumerate(steps) if step is not moved])
    steps[place] = donor(plan, _share(place, len(steps)))
    return tuple(steps)


def _share(place: int, steps: int) -> float:
    """Return how far into a plan of so many steps a place is: 0 at its start, 1 at its end."""
    return place / max(1, steps - 1)


EDITS: Mapping[Edit, float] = MappingProxyType(
    {
        replace_step: 0.30,
        insert_step: 0.22,
        drop_step: 0.22,
        change_name: 0.16,
        move_and_change: 0.10,
    }
)
"""The edits and how often each is drawn."""


def edited(plan: Plan, donor: Donor, random: Random) -> Plan:
    """Return the plan after one edit, drawn as ``EDITS`` says."""
    edit = random.choices([*EDITS], weights=[*EDITS.values()])[0]
    return edit(plan, donor, random)
