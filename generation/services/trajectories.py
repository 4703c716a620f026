"""Turns stored rows back into the records that pure code works on."""

from django.db.models import QuerySet

from generation.core import records
from generation.core.checks import fewshot, final_answer_in_prefix
from generation.core.community import community_of
from generation.core.items import Item
from generation.core.prompts import prefix_slots
from generation.core.records import Language, Outcome, Provenance, Success, Tool, Trajectory
from generation.core.registry import SUBTASKS
from generation.core.subtask import Prefix, Subtask
from generation.models import Revision, Source, SourceForm, Step


def load_tools(source: Source) -> tuple[Tool, ...]:
    """Return the tools that the source declares."""
    return tuple(
        Tool(tool["name"], tool["description"], tool["arguments"], tuple(tool["required"]))
        for tool in source.tools
    )


def load_steps(source: Source) -> tuple[records.Step, ...]:
    """Return all steps of a trajectory in order, in one query."""
    rows: QuerySet[Step] = source.steps.select_related("observation").order_by("number")
    return tuple(
        records.Step(row.thought, row.tool, row.arguments, row.action, row.observation.body)
        for row in rows
    )


def load_trajectory(source: Source) -> Trajectory:
    """Return the record of a stored trajectory, the future included: for builders and checks."""
    return Trajectory(
        provenance=Provenance(
            kind=source.kind,
            external_id=source.external_id,
            cluster=source.cluster,
            where=source.place,
            licence=source.licence,
            url=source.url,
            model=source.model,
        ),
        language=Language(source.language),
        task=source.task.body,
        steps=load_steps(source),
        tools=load_tools(source),
        system=source.system.body if source.system else "",
        outcome=Outcome(**source.outcome),
        success=Success(source.success),
    )


def prefix_at(trajectory: Trajectory, cut: int, subtask: Subtask) -> Prefix:
    """Return what a prompt at ``cut`` may show: never step ``cut`` itself nor what follows."""
    shows_thought = subtask.shows_thought and cut <= len(trajectory.steps)
    return Prefix(
        task=trajectory.task,
        system=trajectory.system,
        tools=trajectory.tools,
        steps=trajectory.steps[: cut - 1],
        thought=trajectory.steps[cut - 1].thought if shows_thought else "",
    )


def slots_of(revision: Revision, trajectory: Trajectory | None) -> dict[str, str]:
    """Return every text that the prompt of a revision shows, by slot name.

    A built revision takes the history from its ``trajectory`` and may override a slot by its
    own; an imported one holds all its slots.
    """
    if trajectory is None:
        return dict(revision.slots)
    candidate = revision.candidate
    prefix = prefix_at(trajectory, candidate.cut, SUBTASKS[candidate.subtask])
    return {**prefix_slots(prefix), **revision.slots}


def load_item(revision: Revision, trajectory: Trajectory | None, *, examples: str = "") -> Item:
    """Return a revision as the checks see it; its options and source must be loaded.

    ``examples`` is what the prompt that came with an imported row shows before it.
    """
    candidate, source = revision.candidate, revision.candidate.source
    subtask = SUBTASKS[candidate.subtask]
    imported = source.form == SourceForm.QUESTION
    return Item(
        key=str(revision.pk),
        subtask=subtask,
        language=Language(source.language),
        slots=slots_of(revision, trajectory),
        options=tuple(option.text for option in revision.options.all()),
        gold=tuple(revision.gold),
        max_new_tokens=subtask.official_max_new_tokens if imported else subtask.max_new_tokens,
        cluster=source.cluster,
        shown_actions=_shown_actions(revision, trajectory),
        tools=load_tools(source),
        reference_answer=source.outcome.get("reference_answer", ""),
        imported=imported,
        extra=_extra(source, examples if imported else ""),
    )


def _extra(source: Source, examples: str) -> dict[str, str]:
    extra = {fewshot.EXTRA: examples} if examples else {}
    answer = source.outcome.get("final_answer", "")
    return {**extra, final_answer_in_prefix.EXTRA: answer} if answer else extra


def _shown_actions(revision: Revision, trajectory: Trajectory | None) -> tuple[str, ...]:
    """Return what the prompt says was done: a run's steps, what a row names, a README's commands."""
    source, cut = revision.candidate.source, revision.candidate.cut
    if trajectory is not None:
        return tuple(step.action for step in trajectory.steps[: cut - 1])
    if source.form == SourceForm.DOCUMENT:
        return tuple(revision.slots.get("executed_commands", "").splitlines())
    return tuple(source.outcome.get("shown_actions", ()))


def community_of_source(source: Source) -> str:
    """Return the repository or topic of a source: whose steps may serve as its distractors."""
    return community_of(source.kind, source.cluster, source.language)
