"""Choose the next plan and tool call of a search agent."""

from collections.abc import Iterator

from generation.core.operators.real_step_block import call_options
from generation.core.records import Language, Trajectory
from generation.core.research_drafts import plan_drafts
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
    """Yield a draft for every step that can be asked for: see ``plan_drafts``."""
    return plan_drafts(trajectory, Language.EN)


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
