"""Choose the next plan and tool call of a search agent."""

import json
from collections.abc import Iterator

from generation.core.cuts import (
    call_fault,
    has_cjk,
    option_fault,
    repeat_fault,
    thought_fault,
    turn_fault,
)
from generation.core.operators.real_step_block import call_options
from generation.core.records import Language, Step, Trajectory
from generation.core.subtask import (
    Ability,
    AnswerFormat,
    Draft,
    OfficialTask,
    PromptParts,
    Reader,
    Rejection,
    Scenario,
    Subtask,
)

_INSTRUCTION = """\
Each question shows something to find out, the tools at hand and what an agent has done so far.
Some next steps follow, each a plan with a tool call. One of them brings the agent on at this point;
the others repeat, stray, or stop or go on at the wrong time. Answer with its letter.

"""

_BLOCK = """\
To find out:
$task

Tools:
$tools

Done so far:
$history

Next steps:
$options

The right next step: ("""


def build(trajectory: Trajectory) -> Iterator[Draft | Rejection]:
    """Yield a draft for every step that can be asked for: its plan and call are the gold.

    The gold is one line of JSON, ``{"planning":…,"execution":{"name":…,"args":…}}``. A run whose
    question is not in English gives one rejection and nothing else.
    """
    if not trajectory.steps:
        return
    if trajectory.language is not Language.EN:
        yield Rejection(cut=1, why=f"the question's language is {trajectory.language}")
        return
    for cut, step in enumerate(trajectory.steps, start=1):
        fault = (
            turn_fault(step)
            or thought_fault(step)
            or option_fault(_pair(step))
            or call_fault(step, trajectory.tools)
            or repeat_fault(step, trajectory.steps[: cut - 1])
        )
        if fault is None and has_cjk(_pair(step)):
            fault = "the plan is in another language than the question"
        yield Rejection(cut, fault) if fault else Draft(cut=cut, gold=_pair(step), slots={})


def _pair(step: Step) -> str:
    pair = {
        "planning": step.thought.strip(),
        "execution": {"name": step.tool, "args": dict(step.arguments)},
    }
    return json.dumps(pair, ensure_ascii=False, separators=(",", ":"))


SUBTASK = Subtask(
    name="closed_plan_en",
    scenario=Scenario.CLOSED_QA,
    ability=Ability.PLAN,
    language=Language.EN,
    answer_format=AnswerFormat.CHOICE,
    reader=Reader.LETTER,
    metrics=("accuracy",),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end=")"),
    max_new_tokens=10,
    stop=("\n\n",),
    official_max_new_tokens=10,
    choices=range(6, 7),
    long_context=False,
    official=OfficialTask(dataset="deepresearch", task="plan_en"),
    source_kinds=("infodeepseek",),
    build=build,
    make_options=call_options,
    set_name="dr",
)
