"""How a model's answer is read as option texts, written the way the right answer is."""

import re

from generation.core.bug_fixes import files_of
from generation.core.llm_prompts.patch_attempt import PatchAttempt
from generation.core.llm_prompts.report_degradation import DegradedReport
from generation.core.llm_prompts.wrong_calls import WrongCalls
from generation.core.llm_prompts.wrong_plans import WrongPlans
from generation.core.llm_prompts.wrong_thoughts import WrongThoughts
from generation.core.operators.calls import PlannedCall
from generation.core.operators.failed_patches import rewritten
from generation.core.operators.operator import Unfit, Wrong
from generation.core.operators.plan_text import read_plan
from generation.core.patches import PatchError
from generation.core.replies.reading import Answer
from generation.core.subtask import PoolEntry

_NUMBER = re.compile(r"^\s*\d{1,3}[.)]\s+")
_FENCE = re.compile(r"\A```\w*\n(.*?)\n?```\s*\Z", re.DOTALL)


def thoughts_of(answer: Answer, _entry: PoolEntry) -> list[Wrong | Unfit]:
    """Return the thoughts of a ``WrongThoughts``; nothing of any other answer."""
    if not isinstance(answer, WrongThoughts):
        return []
    return [Wrong(wrong.text, wrong.flaw) for wrong in answer.wrong]


def calls_of(answer: Answer, _entry: PoolEntry) -> list[Wrong | Unfit]:
    """Return the calls of a ``WrongCalls``, written as gold is; nothing of any other answer."""
    if not isinstance(answer, WrongCalls):
        return []
    return [
        Wrong(PlannedCall(wrong.planning, wrong.tool, wrong.arguments).written(), wrong.flaw)
        for wrong in answer.wrong
    ]


def plans_of(answer: Answer, entry: PoolEntry) -> list[Wrong | Unfit]:
    """Return the plans of a ``WrongPlans``, numbered as gold is; nothing of any other answer."""
    if not isinstance(answer, WrongPlans):
        return []
    gold = read_plan(entry.draft.gold)
    has_parts = any("\n" in step for step in gold.steps)
    return [
        Wrong(
            gold.written(tuple(_step(step, has_parts=has_parts) for step in plan.steps)), plan.flaw
        )
        for plan in answer.wrong
    ]


def _step(step: str, *, has_parts: bool) -> str:
    """Return a step without its number: on one line, or its further lines indented as parts."""
    lines = [line.rstrip() for line in _NUMBER.sub("", step).splitlines() if line.strip()]
    if not has_parts:
        return " ".join(line.strip() for line in lines)
    first, *more = lines or [""]
    return "\n".join([first, *(line if line[0].isspace() else f"   {line}" for line in more)])


def patches_of(answer: Answer, entry: PoolEntry) -> list[Wrong | Unfit]:
    """Return the patch of a ``PatchAttempt``, written anew as gold was, or why it is none."""
    if not isinstance(answer, PatchAttempt):
        return []
    fenced = _FENCE.match(answer.patch)
    patch = (fenced.group(1) if fenced else answer.patch).rstrip("\n") + "\n"
    files = files_of(entry.document) if entry.document else {}
    try:
        text = rewritten(patch, files)
    except PatchError:
        return [Unfit("the patch does not apply")]
    said = f" It meant to: {answer.idea}" if answer.idea else ""
    return [Wrong(text, f"A model's attempt, which no test was run on.{said}")]


def report_of(answer: Answer, _entry: PoolEntry) -> list[Wrong | Unfit]:
    """Return the report of a ``DegradedReport``; nothing of any other answer."""
    if not isinstance(answer, DegradedReport):
        return []
    return [Wrong(answer.report, answer.flaw)]
