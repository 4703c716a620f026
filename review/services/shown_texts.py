"""Reads the texts that a question shows of its source: what the model sees, never what follows."""

from dataclasses import dataclass

from generation.core.prompts import render_tools, slot_names
from generation.core.records import Step
from generation.core.registry import SUBTASKS
from generation.models import Revision, SourceForm
from generation.models import Step as StoredStep
from generation.services.trajectories import load_tools


@dataclass(frozen=True, slots=True)
class ShownTexts:
    """What the prompt shows: texts by slot name, with the steps between those before and after."""

    before: dict[str, str]
    steps: tuple[Step, ...]
    after: dict[str, str]


def is_imported(revision: Revision) -> bool:
    """Return whether the question was imported ready-made: it has slots, no steps."""
    return revision.candidate.source.form == SourceForm.QUESTION


def is_run(revision: Revision) -> bool:
    """Return whether the source is a run, of which something may follow the cut."""
    return revision.candidate.source.form == SourceForm.TRAJECTORY


def read_steps(revision: Revision, *, first: int, last: int | None) -> tuple[Step, ...]:
    """Return steps ``first`` to ``last`` (to the end where None) in order, in one query."""
    return steps_of(revision.candidate.source_id, first=first, last=last)


def steps_of(source_pk: int, *, first: int, last: int | None) -> tuple[Step, ...]:
    """Return steps ``first`` to ``last`` of a source (to the end where None), in one query."""
    rows = StoredStep.objects.filter(source=source_pk, number__gte=first)
    if last is not None:
        rows = rows.filter(number__lte=last)
    columns = rows.values_list("thought", "tool", "arguments", "action", "observation__body")
    return tuple(Step(*texts) for texts in columns.order_by("number"))


def asked_thought(revision: Revision) -> str:
    """Return the thought of the asked step where the prompt shows it, in one query at most."""
    if not SUBTASKS[revision.candidate.subtask].shows_thought or is_imported(revision):
        return ""
    asked = revision.candidate.source.steps.filter(number=revision.candidate.cut)
    return asked.values_list("thought", flat=True).first() or ""


def slot_texts(revision: Revision) -> dict[str, str]:
    """Return the texts that the prompt shows beside the steps, in the prompt's order."""
    names = slot_names(SUBTASKS[revision.candidate.subtask].prompt.block)
    if is_imported(revision):
        slots: dict[str, str] = revision.slots
        return {name: slots[name] for name in names if name in slots} | slots
    source = revision.candidate.source
    texts = {
        "task": source.task.body,
        "system": source.system.body if source.system else "",
        "tools": render_tools(load_tools(source)),
        "thought": asked_thought(revision),
        **revision.slots,
    }
    return {name: texts[name] for name in names if texts.get(name, "").strip()}


def shown_texts(revision: Revision) -> ShownTexts:
    """Return all that the prompt shows of the source, in its order; two queries at most.

    Candidate, source, task and system must be loaded.
    """
    texts = slot_texts(revision)
    names = slot_names(SUBTASKS[revision.candidate.subtask].prompt.block)
    if not is_run(revision) or "history" in texts or "history" not in names:
        return ShownTexts(texts, (), {})
    middle = names.index("history")
    return ShownTexts(
        before={name: texts[name] for name in names[:middle] if name in texts},
        steps=read_steps(revision, first=1, last=revision.candidate.cut - 1),
        after={name: texts[name] for name in names[middle:] if name in texts},
    )
