"""The run of a source as its questions need it: what they are shown from and held against.

A README is a run of commands: each way through it is held against as one, its plan being the task.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from generation.core.items import Finding, Item
from generation.core.leakage.check import LeakChecker
from generation.core.records import Document, Step, Trajectory
from generation.core.setup_steps import setup_steps
from generation.models import Source, SourceForm
from generation.services.documents import load_document
from generation.services.leaks import leak_checker, leaks_of
from generation.services.trajectories import load_trajectory

_KEPT = 2


@dataclass(frozen=True, slots=True)
class Run:
    """A source's run and the map of what it shows when; neither for a ready-made question.

    ``ways`` are those of a README by its commands' numbers: the checker of the way that the
    command stands on, and its place there, 1-based.
    """

    trajectory: Trajectory | None = None
    leaks: LeakChecker | None = None
    ways: Mapping[int, tuple[LeakChecker, int]] = field(default_factory=dict)


def load_run(source: Source) -> Run:
    """Return a source's run: read, and its first-seen map built, which takes 0.2 s a megabyte."""
    if source.form == SourceForm.DOCUMENT:
        return Run(ways=_ways(load_document(source)))
    if source.form != SourceForm.TRAJECTORY:
        return Run()
    trajectory = load_trajectory(source)
    return Run(trajectory, leak_checker(trajectory))


def run_at_hand(source: Source) -> Run:
    """Return a source's run; the last ones are kept, for a person who edits is held against one
    run at every pause of typing. What is kept goes by the digest of the run's content.
    """
    return _load_once(source.digest, source.pk)


@lru_cache(maxsize=_KEPT)
def _load_once(_digest: str, pk: int) -> Run:
    return load_run(Source.objects.select_related("task", "system").get(pk=pk))


def leaks_in(item: Item, *, cut: int, own: Mapping[str, str], run: Run) -> list[Finding]:
    """Return what an item shows of its run's future; ``own`` are the texts of its own."""
    checker, place = run.ways.get(cut, (run.leaks, cut))
    return leaks_of(item, place, checker, own=own) if checker else []


def _ways(document: Document) -> dict[int, tuple[LeakChecker, int]]:
    checkers: dict[tuple[str, ...], LeakChecker] = {}
    found: dict[int, tuple[LeakChecker, int]] = {}
    for number, step in setup_steps(document).items():
        commands = (*step.earlier, step.command, *step.later)
        if commands not in checkers:
            steps = [Step("", "bash", {"command": text}, text, "") for text in commands]
            checkers[commands] = LeakChecker.for_trajectory(task=step.plan, steps=steps)
        found[number] = checkers[commands], len(step.earlier) + 1
    return found
