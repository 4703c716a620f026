"""What search agents' runs are asked for, in whatever language: the next step, the short answer."""

import json
from collections.abc import Iterator, Sequence

from generation.core.cuts import (
    call_fault,
    has_cjk,
    option_fault,
    repeat_fault,
    thought_fault,
    turn_fault,
)
from generation.core.records import Language, Step, Trajectory
from generation.core.subtask import Draft, Rejection
from generation.core.tokens import count_tokens


def plan_drafts(trajectory: Trajectory, language: Language) -> Iterator[Draft | Rejection]:
    """Yield a draft for every step that can be asked for: its plan and call are the gold.

    The gold is one line of JSON, ``{"planning":…,"execution":{"name":…,"args":…}}``. A run whose
    question is not in ``language`` gives one rejection and nothing else. An English gold holds no
    Chinese at all; a Chinese one is planned in Chinese, and its call may be in any language.
    """
    if not trajectory.steps:
        return
    if trajectory.language is not language:
        yield Rejection(cut=1, why=f"the question's language is {trajectory.language}")
        return
    for cut, step in enumerate(trajectory.steps, start=1):
        fault = (
            turn_fault(step)
            or thought_fault(step)
            or option_fault(_pair(step))
            or call_fault(step, trajectory.tools)
            or repeat_fault(step, trajectory.steps[: cut - 1])
            or _language_fault(step, language)
        )
        yield Rejection(cut, fault) if fault else Draft(cut=cut, gold=_pair(step), slots={})


def answer_drafts(
    trajectory: Trajectory, language: Language, *, max_new_tokens: int, stop: Sequence[str]
) -> Iterator[Draft | Rejection]:
    """Yield one draft: the whole run is shown, the short answer it ended with is the gold.

    A question that is not in ``language``, and an answer that is missing or can't be written
    within the budget, give a rejection.
    """
    if not trajectory.steps:
        return
    cut = len(trajectory.steps) + 1
    answer = trajectory.outcome.final_answer.strip()
    if trajectory.language is not language:
        yield Rejection(cut, f"the question's language is {trajectory.language}")
    elif not answer:
        yield Rejection(cut, "the run gives no short answer")
    elif any(mark in answer for mark in stop):
        yield Rejection(cut, "the answer holds a stop string")
    elif (size := count_tokens(answer)) > max_new_tokens:
        yield Rejection(cut, f"the answer has {size} tokens, the budget is {max_new_tokens}")
    else:
        yield Draft(cut=cut, gold=answer, slots={})


def _pair(step: Step) -> str:
    pair = {
        "planning": step.thought.strip(),
        "execution": {"name": step.tool, "args": dict(step.arguments)},
    }
    return json.dumps(pair, ensure_ascii=False, separators=(",", ":"))


def _language_fault(step: Step, language: Language) -> str | None:
    is_chinese = language is Language.ZH
    if has_cjk(step.thought if is_chinese else _pair(step)) is not is_chinese:
        return "the plan is in another language than the question"
    return None
