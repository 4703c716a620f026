"""What an operator is: a right answer, what surrounds it and a seed in; a wrong answer out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from generation.core.records import Step, Tool


@dataclass(frozen=True, slots=True)
class Context:
    """What an operator may take from.

    ``shown`` are the steps before the asked one, with their observations; ``later`` those after
    it, of which thoughts and calls may be taken and never observations; ``others`` right answers
    of other tasks of the same community; ``files`` texts by path at the base commit;
    ``failed_patches`` predictions whose tests are known to have failed.
    """

    task: str = ""
    tools: tuple[Tool, ...] = ()
    shown: tuple[Step, ...] = ()
    later: tuple[Step, ...] = ()
    others: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    failed_patches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong answer and one sentence that says why it is wrong."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why an operator makes nothing of this right answer."""

    why: str


Operator = Callable[[str, Context, int], Wrong | Unfit]
"""Never returns the right answer itself; the same arguments give the same wrong answer."""


def seeded(name: str, gold: str, seed: int) -> Random:
    """Return the random numbers of one call of an operator."""
    return Random(f"{name}\x1f{seed}\x1f{gold}")  # noqa: S311 - a choice, not a secret
