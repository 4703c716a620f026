"""Holds items against the future of their run."""

from collections.abc import Mapping, Sequence

from generation.core.items import Finding, Item, Severity
from generation.core.labels import index_of
from generation.core.leakage.check import LeakChecker
from generation.core.prompts import render_block, render_tools
from generation.core.records import Trajectory
from generation.core.subtask import AnswerFormat


def leak_checker(trajectory: Trajectory) -> LeakChecker:
    """Return the checker of a trajectory: its first-seen map, built once for all its items."""
    return LeakChecker.for_trajectory(
        task=trajectory.task,
        tools_text=render_tools(trajectory.tools),
        steps=trajectory.steps,
        final_answer=trajectory.outcome.final_answer,
        submission=trajectory.outcome.submission,
        visible_extra=trajectory.system,
    )


def leaks_of(
    item: Item, cut: int, checker: LeakChecker, *, own: Mapping[str, str]
) -> list[Finding]:
    """Return what an item's prompt and options show of the future.

    ``own`` are the slots that the revision wrote itself. All else in the prompt is the shown
    part of the run, or our wording: there a mere likeness (severity 1) is no news, since a few
    words of both can meet by chance.
    """
    is_completion = item.subtask.answer_format is AnswerFormat.COMPLETION
    places = [] if is_completion else [index_of(label) for label in item.gold]
    chosen = tuple(item.options[place] for place in places if place < len(item.options))
    gold = item.gold if is_completion else chosen
    prompt = render_block(item.subtask.prompt, {**item.slots, "options": ""}, ())
    found = checker.check(
        cut=cut,
        prompt=prompt,
        options=item.options,
        gold=gold,
        visible_thought=item.subtask.shows_thought,
    )
    written = [(prompt.find(text), text) for text in own.values() if text]
    return [
        finding
        for finding in found
        if finding.field != "prompt"
        or finding.severity >= Severity.NEEDS_PERSON
        or any(at <= finding.start < at + len(text) for at, text in written)
    ]


def leaking_option(options: Sequence[str], cut: int, checker: LeakChecker) -> str:
    """Return what an option shows of a later observation, empty where none does.

    Options may hold text of later thoughts and actions, never of observations or outcomes.
    """
    found = checker.check(cut=cut, prompt="", options=tuple(options))
    leaks = (finding for finding in found if finding.severity >= Severity.NEEDS_PERSON)
    return next((finding.evidence for finding in leaks), "")
