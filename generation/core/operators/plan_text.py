"""A plan as operators edit it: its steps, and how they are written down again."""

import re
from dataclasses import dataclass

from generation.core.selection.texts import normalise

_NUMBER = re.compile(r"\d{1,3}[.)]\s+")


@dataclass(frozen=True, slots=True)
class PlanText:
    """The steps of a plan, one a line, and whether the lines are numbered."""

    steps: tuple[str, ...]
    numbered: bool

    def written(self, steps: tuple[str, ...]) -> str:
        """Return these steps as lines, numbered anew where the plan is."""
        if not self.numbered:
            return "\n".join(steps)
        return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))


def read_plan(text: str) -> PlanText:
    """Return the lines of a plan that are not blank, without their numbers where all have one."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    numbered = bool(lines) and all(_NUMBER.match(line) for line in lines)
    steps = tuple(_NUMBER.sub("", line, count=1) if numbered else line for line in lines)
    return PlanText(steps, numbered)


def is_permutation(left: str, right: str) -> bool:
    """Return whether two plans have the same steps, in whatever order."""
    return sorted(map(normalise, read_plan(left).steps)) == sorted(
        map(normalise, read_plan(right).steps)
    )
