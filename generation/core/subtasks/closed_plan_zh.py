"""Choose the next plan and tool call of a search agent, in Chinese."""

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
下面每道题给出一个待回答的问题、可调用的工具以及智能体目前走过的各步。请在候选项中选出此刻最
应当执行的下一步（含计划与工具调用），只写出它的字母。

"""

_BLOCK = """\
待回答的问题：
$task

可用工具：
$tools

目前的各步：
$history

候选的下一步：
$options

应选：("""


def build(trajectory: Trajectory) -> Iterator[Draft | Rejection]:
    """Yield a draft for every step that can be asked for: see ``plan_drafts``."""
    return plan_drafts(trajectory, Language.ZH)


SUBTASK = Subtask(
    name="closed_plan_zh",
    scenario=Scenario.CLOSED_QA,
    ability=Ability.PLAN,
    language=Language.ZH,
    answer_format=AnswerFormat.CHOICE,
    reader=Reader.LETTER,
    metrics=("accuracy",),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end=")"),
    max_new_tokens=10,
    stop=("\n\n",),
    official_max_new_tokens=10,
    choices=range(6, 7),
    shots=3,
    long_context=False,
    official=OfficialTask(dataset="deepresearch", task="plan_zh"),
    source_kinds=("infodeepseek",),
    build=build,
    make_options=call_options,
    set_name="dr",
)
