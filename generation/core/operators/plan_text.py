"""A plan as operators edit it: its steps, and how they are written down again."""

import re
from dataclasses import dataclass

from generation.core.selection.texts import normalise

_NUMBER = re.compile(r"\d{1,3}[.)]\s+")


@dataclass(frozen=True, slots=True)
class PlanText:
    """The steps of a plan, one a line, and whether the lines are numbered.

    A step of a numbered plan holds the indented lines under it as well, as they are written.
    """

    steps: tuple[str, ...]
    numbered: bool

    def written(self, steps: tuple[str, ...]) -> str:
        """Return these steps as lines, numbered anew where the plan is."""
        if not self.numbered:
            return "\n".join(steps)
        return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))


def read_plan(text: str) -> PlanText:
    """Return the lines of a plan that are not blank, without their numbers where all have one.

    Indented lines without a number belong to the numbered step before them.
    """
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    headers = [bool(_NUMBER.match(line.lstrip())) for line in lines]
    is_numbered = bool(lines) and headers[0]
    if not is_numbered or not all(
        header or line[0].isspace() for line, header in zip(lines, headers, strict=True)
    ):
        return PlanText(tuple(line.strip() for line in lines), numbered=False)
    steps: list[str] = []
    for line, is_header in zip(lines, headers, strict=True):
        if is_header:
            steps.append(_NUMBER.sub("", line.lstrip(), count=1))
        else:
            steps[-1] = f"{steps[-1]}\n{line}"
    return PlanText(tuple(steps), numbered=True)


def is_permutation(left: str, right: str) -> bool:
    """Return whether two plans have the same steps, in whatever order."""
    return sorted(map(normalise, read_plan(left).steps)) == sorted(
        map(normalise, read_plan(right).steps)
    )
