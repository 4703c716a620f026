"""Write the short answer that a search agent's run leads to, in Chinese."""

from collections.abc import Iterator

from generation.core.records import Language, Trajectory
from generation.core.research_drafts import answer_drafts
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
下面每道题给出一个问题，以及智能体为回答它所走过的全部步骤。请根据这些步骤给出简短的答案，写在方
括号内。

"""

_BLOCK = """\
问题：
$task

全部步骤：
$history

简短答案：["""

_MAX_NEW_TOKENS = 64
_STOP = ("]", "\n")


def build(trajectory: Trajectory) -> Iterator[Draft | Rejection]:
    """Yield one draft, the short answer that the whole run leads to: see ``answer_drafts``."""
    return answer_drafts(trajectory, Language.ZH, max_new_tokens=_MAX_NEW_TOKENS, stop=_STOP)


SUBTASK = Subtask(
    name="closed_answer_zh",
    scenario=Scenario.CLOSED_QA,
    ability=Ability.ATOMIC,
    language=Language.ZH,
    answer_format=AnswerFormat.COMPLETION,
    reader=Reader.ANSWER,
    metrics=("em_strict", "em_norm", "rouge1", "rouge2", "rougeL"),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end="]"),
    max_new_tokens=_MAX_NEW_TOKENS,
    stop=_STOP,
    official_max_new_tokens=30,
    long_context=False,
    official=OfficialTask(dataset="deepresearch", task="summ_ans_zh"),
    source_kinds=("infodeepseek",),
    build=build,
    set_name="dr",
)
