"""The ways through a README's commands: what one person types from the first to the last.

A README offers alternatives and may set up several environments. A way takes one branch of each
choice and stays in one environment, so that the command after another is really the next one.
"""

from collections.abc import Sequence

from generation.core.records import Section

Choice = dict[str, str]


def command_paths(commands: Sequence[Section]) -> tuple[tuple[Section, ...], ...]:
    """Return the ways through the ``command`` sections of a README, each in order, none twice.

    Of each choice every branch is on one way at least, while the other choices are taken by their
    first branch: ways are added up, not multiplied. Commands outside any environment are on the way
    of each.
    """
    branches: dict[str, dict[str, Choice]] = {}
    for command in commands:
        outer: Choice = {}
        for group, branch in _alternatives(command):
            # A choice inside a branch of another is made only where that one is taken.
            branches.setdefault(group, {}).setdefault(branch, dict(outer))
            outer[group] = branch
    base: Choice = {group: next(iter(known)) for group, known in branches.items()}
    choices = [base]
    choices += [
        base | outer | {group: branch}
        for group, known in branches.items()
        for branch, outer in list(known.items())[1:]
    ]
    found: dict[tuple[int, ...], tuple[Section, ...]] = {}
    for choice in choices:
        taken = [
            number
            for number, command in enumerate(commands)
            if all(choice[group] == branch for group, branch in _alternatives(command))
        ]
        for path in _by_environment(commands, taken):
            found.setdefault(tuple(path), tuple(commands[number] for number in path))
    return tuple(path for path in found.values() if path)


def _alternatives(command: Section) -> list[tuple[str, str]]:
    return [(group, branch) for group, branch in command.facts.get("alternatives", ())]


def _by_environment(commands: Sequence[Section], taken: Sequence[int]) -> list[list[int]]:
    """Return the taken commands parted by environment; those before any are in each part."""
    environments = list(
        dict.fromkeys(name for number in taken if (name := _environment(commands[number])))
    )
    if len(environments) < 2:
        return [list(taken)]
    return [
        [number for number in taken if _environment(commands[number]) in {"", name}]
        for name in environments
    ]


def _environment(command: Section) -> str:
    name = command.facts.get("environment", "")
    return name if isinstance(name, str) else ""
