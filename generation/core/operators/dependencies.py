"""Which steps of a plan need which earlier ones, as far as their words tell.

A step needs an earlier one that first names what it names too (a file, a folder, quoted code, a
package), or that must come first in any set-up: fetch the code, enter it, make an environment,
enter that, install, run. What is not found here may still be needed; what is found is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from generation.core.selection.texts import names

_STAGES = (
    ("fetch the code", re.compile(r"\b(?:git\s+clone|clone)\b|克隆", re.IGNORECASE)),
    (
        "make an environment",
        re.compile(
            r"\b(?:conda|mamba)\s+(?:env\s+)?create\b|\bpython3?\s+-m\s+venv\b|\bvirtualenv\b"
            r"|\b(?:create|set up|make)\b[^.\n]{0,40}\b(?:environment|venv)\b"
            r"|创建[^。\n]{0,20}环境",
            re.IGNORECASE,
        ),
    ),
    (
        "enter the environment",
        re.compile(r"\bactivate\b|激活", re.IGNORECASE),
    ),
    (
        "install what is required",
        re.compile(r"\b(?:pip3?|npm|yarn|conda|mamba|apt(?:-get)?|poetry|uv|make)\s+(?:\S+\s+){0,2}"
        r"(?:install|sync)\b|\binstall\b|安装", re.IGNORECASE),
    ),
    (
        "run it",
        re.compile(
            r"\b(?:run|execute|launch|train|evaluate|test)\b|\bpython3?\s+\S+\.py\b|\bpytest\b"
            r"|运行|执行|训练|测试",
            re.IGNORECASE,
        ),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dependency:
    """Step ``later`` needs step ``earlier`` (0-based places); ``why`` names what it needs."""

    earlier: int
    later: int
    why: str


def dependencies(steps: Sequence[str]) -> tuple[Dependency, ...]:
    """Return what steps need earlier ones, in the order of the later step."""
    first_named: dict[str, int] = {}
    found = []
    stages = [_stage(step) for step in steps]
    for later, step in enumerate(steps):
        needed: dict[int, str] = {}
        for name in sorted(names(step)):
            if name in first_named:
                needed.setdefault(first_named[name], name)
            else:
                first_named[name] = later
        for earlier in range(later):
            before, after = stages[earlier], stages[later]
            if before is not None and after is not None and before < after:
                needed.setdefault(earlier, _STAGES[before][0])
        found += [Dependency(earlier, later, why) for earlier, why in sorted(needed.items())]
    return tuple(found)


def broken_by(order: Sequence[int], needs: Sequence[Dependency]) -> Dependency | None:
    """Return the first dependency that an order of the steps' places breaks; None where none.

    An order that breaks nothing may do as well as the plan's own.
    """
    place = {step: index for index, step in enumerate(order)}
    return next((need for need in needs if place[need.later] < place[need.earlier]), None)


def _stage(step: str) -> int | None:
    """Return the only stage that a step speaks of; None where it speaks of none or several."""
    spoken = [number for number, (_, words) in enumerate(_STAGES) if words.search(step)]
    return spoken[0] if len(spoken) == 1 else None
