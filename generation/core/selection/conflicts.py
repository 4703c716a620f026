"""Why a real step can't be a wrong answer to a question, and why another one is wrong.

A wrong option must be wrong at this point of this run: not the same call in other words, not done
already, not equally sensible, a valid call of the tools at hand, and no text of what the run saw
only later.
"""

from generation.core.cuts import call_fault
from generation.core.selection.nodes import Node
from generation.core.selection.texts import grams, normalise, overlap

NEAR_DUPLICATE = 0.8
"""Overlap of two texts' words from which they count as one text in other words."""

SAME_MEANING = 0.6
"""Overlap of two calls of one kind from which they count as the same call in other words."""

SAME_TOPIC = 0.5
"""Share of what a call of another run names that this run names as well, from which they agree."""

_LONGEST_TOPIC = 80
_DEEDS = {
    "look": "looks at something",
    "create": "writes a file",
    "edit": "changes a file",
    "run": "runs something",
    "submit": "hands in its work",
}


def why_not(asked: Node, other: Node) -> str | None:
    """Return why ``other`` can't be a wrong option where ``asked`` is right; None when it can."""
    return _same(asked, other) or _done(asked, other) or _unfit(asked, other)


def _same(asked: Node, other: Node) -> str | None:
    if asked.normal == other.normal:
        return "the texts are equal"
    if asked.call == other.call:
        return "both make the same call"
    alike = overlap(asked.words, other.words)
    if alike >= NEAR_DUPLICATE or (asked.kind == other.kind and alike >= SAME_MEANING):
        return "both say the same in other words"
    return None


def _done(asked: Node, other: Node) -> str | None:
    run = asked.run
    if run.first_call.get(other.call, asked.cut) < asked.cut:
        return "its call is done already"
    if run.first_thought.get(normalise(other.step.thought), asked.cut) < asked.cut:
        return "an earlier step had this thought"
    return None


def _unfit(asked: Node, other: Node) -> str | None:
    if fault := call_fault(other.step, asked.entry.tools):
        return fault
    if other.run is asked.run:
        if other.cut < asked.cut:
            return "it is an earlier step of the run"
        if _quotes_the_future(asked, other):
            return "it quotes what the run saw only later"
        if other.kind == asked.kind and not unknown_names(asked, other):
            return "it may do as well: the same sort of step, and nothing in it is unknown yet"
        return None
    if other.entry.cluster == asked.entry.cluster:
        return "it is from another run of the same task and may do as well"
    if _has_arguments(other) and _shared_topic(asked, other) >= SAME_TOPIC:
        return "it may do as well: its topic is this run's, too"
    if other.kind == asked.kind and not (foreign_names(asked, other) or _has_arguments(other)):
        return "it may do as well: the same sort of step, and nothing in it is of other work"
    return None


def _has_arguments(node: Node) -> bool:
    # A search or a page names its topic in its arguments; a shell command in the thought.
    return bool(node.step.arguments) and "command" not in node.step.arguments


def _shared_topic(asked: Node, other: Node) -> float:
    shared = sum(name in asked.run.first_named for name in other.names)
    return shared / len(other.names) if other.names else 0.0


def _quotes_the_future(asked: Node, other: Node) -> bool:
    return any(
        first >= asked.cut <= last
        for gram in grams(other.step.thought)
        for first, last in (other.run.quoted.get(gram, (0, 0)),)
    )


def unknown_names(asked: Node, other: Node) -> list[str]:
    """Return what ``other``, a later step of the same run, names that was not yet seen, sorted."""
    return sorted(
        name
        for name in other.names
        if asked.run.first_named.get(name, asked.cut) >= asked.cut and name not in asked.names
    )


def foreign_names(asked: Node, other: Node) -> list[str]:
    """Return what ``other``, a step of another run, names that no step of this run does, sorted."""
    return sorted(name for name in other.names if name not in asked.run.first_named)


def reason(asked: Node, other: Node) -> str:
    """Return one sentence that tells a reviewer why ``other`` is wrong where ``asked`` is right."""
    if other.run is asked.run:
        unknown = unknown_names(asked, other)
        named = max(unknown, key=len, default="")
        why = f"it names {named}, not seen yet" if named else "it comes too early here"
        return f"Step {other.cut} of this run, asked at step {asked.cut}: {why}."
    if not other.step.arguments:
        return f"Another run's {other.step.tool}: at step {asked.cut} of this run the work goes on."
    if _has_arguments(other):
        topic = next((str(value) for value in other.step.arguments.values()), "")
        return f"A step of another task, about {_shortened(topic)!r}, which is not asked here."
    foreign = foreign_names(asked, other)
    if foreign:
        named = max(foreign, key=len)
        return f"A step of other work: it names {named}, which this run has nothing to do with."
    return f"A step of another run that {_does(other)}; at this point this run {_does(asked)}."


def _does(node: Node) -> str:
    return _DEEDS.get(node.kind, f"calls {node.kind}")


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_TOPIC else f"{text[:_LONGEST_TOPIC]}…"
