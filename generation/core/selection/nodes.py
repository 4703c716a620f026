"""Real steps as option selection sees them: each with its run, its call and what it names."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from generation.core.cuts import same_call
from generation.core.records import Step
from generation.core.selection.texts import grams, names, normalise, tokens, topics
from generation.core.subtask import PoolEntry

_LOOK = frozenset({"view", "cat", "head", "tail", "less", "sed", "grep", "find", "ls", "rg", "wc"})
_RUN = frozenset(
    {"python", "python3", "pytest", "tox", "make", "node", "go", "cargo", "bash", "sh"}
)
_EDIT = frozenset({"str_replace", "insert", "edit", "undo_edit", "patch"})
_QUIET = frozenset({"cd", "export", "source", "set"})


@dataclass(slots=True)
class Run:
    """One run: what each of its steps did, and when each thing was seen first.

    Step numbers are 1-based. ``first_call``, ``first_thought`` and ``first_named`` map to the
    first step that did, thought or showed it; ``quoted`` holds, for runs of words of the run's own
    thoughts that an observation holds as well, the first step that showed them and the last whose
    observation did.
    """

    identity: str
    length: int
    first_call: dict[str, int] = field(default_factory=dict)
    first_thought: dict[str, int] = field(default_factory=dict)
    first_named: dict[str, int] = field(default_factory=dict)
    quoted: dict[tuple[str, ...], tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A real step that is the right answer of one question and may be a wrong one of others."""

    entry: PoolEntry
    run: Run
    step: Step
    text: str
    normal: str
    call: str
    kind: str
    words: frozenset[str]
    names: frozenset[str]

    @property
    def key(self) -> str:
        """The key of the question whose right answer this is."""
        return self.entry.key

    @property
    def cut(self) -> int:
        """The 1-based step this is."""
        return self.entry.draft.cut


def kind_of(step: Step) -> str:
    """Return what sort of thing a step does: look, create, edit, run, or a tool's or program's name."""
    command = step.arguments.get("command")
    if not isinstance(command, str):
        return step.tool
    if step.tool != "bash":
        word = command
    else:
        parts = command.replace("||", "&&").replace(";", "&&").split("&&")
        programs = [part.split()[0] for part in parts if part.split()]
        word = next((program for program in programs if program not in _QUIET), "cd")
    if word in _LOOK:
        return "look"
    if word in _RUN:
        return "run"
    return "edit" if word in _EDIT else word


def nodes_of(entries: Iterable[PoolEntry]) -> list[Node]:
    """Return one node for each entry, in the order of their keys.

    Reads each run once, however many of its steps are asked for.
    """
    runs: dict[int, Run] = {}
    made: dict[str, Run] = {}
    nodes = []
    for entry in sorted(entries, key=lambda entry: entry.key):
        run = runs.get(id(entry.steps))
        if run is None:
            identity = _identity(entry)
            run = made.get(identity) or _read(identity, entry.steps)
            runs[id(entry.steps)] = made[identity] = run
        nodes.append(_node(entry, run))
    return nodes


def _node(entry: PoolEntry, run: Run) -> Node:
    step = entry.steps[entry.draft.cut - 1]
    text = entry.draft.gold
    return Node(
        entry=entry,
        run=run,
        step=step,
        text=text,
        normal=normalise(text),
        call=same_call(step),
        kind=kind_of(step),
        words=frozenset(tokens(_content(step))),
        names=_named(step),
    )


def _content(step: Step) -> str:
    # Without the words that every call has in common: tool names, argument names, JSON.
    if isinstance(step.arguments.get("command"), str):
        return step.thought
    values = (value for value in step.arguments.values() if isinstance(value, str))
    return " ".join((step.thought, *values))


def _named(step: Step) -> frozenset[str]:
    # A shell command's topic stands in the thought; that of a search or a page in its arguments.
    if isinstance(step.arguments.get("command"), str) or not step.arguments:
        return names(step.thought)
    values = " ".join(value for value in step.arguments.values() if isinstance(value, str))
    return topics(values) | topics(step.thought[1:])


def _identity(entry: PoolEntry) -> str:
    parts = [entry.cluster, *(part for step in entry.steps for part in (step.thought, step.action))]
    return sha256(json.dumps(parts).encode()).hexdigest()


def _read(identity: str, steps: Sequence[Step]) -> Run:
    run = Run(identity=identity, length=len(steps))
    wanted = {gram for step in steps for gram in grams(step.thought)}
    wanted_names = {name for step in steps for name in _named(step)}
    first_shown: dict[tuple[str, ...], int] = {}
    last_observed: dict[tuple[str, ...], int] = {}
    for number, step in enumerate(steps, start=1):
        run.first_call.setdefault(same_call(step), number)
        run.first_thought.setdefault(normalise(step.thought), number)
        shown = "\n".join((step.thought, step.action, step.observation)).casefold()
        for name in sorted(name for name in wanted_names if name in shown):
            run.first_named[name] = number
            wanted_names.discard(name)
        observed = wanted.intersection(grams(step.observation))
        for gram in wanted.intersection(grams(f"{step.thought}\n{step.action}")) | observed:
            first_shown.setdefault(gram, number)
        last_observed.update(dict.fromkeys(observed, number))
    run.quoted = {gram: (first_shown[gram], last) for gram, last in last_observed.items()}
    return run
