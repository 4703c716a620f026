"""Write the short answer that a search agent's run leads to, in Chinese. Imported only."""

from generation.core.records import Language
from generation.core.subtask import (
    Ability,
    AnswerFormat,
    OfficialTask,
    PromptParts,
    Reader,
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

SUBTASK = Subtask(
    name="closed_answer_zh",
    scenario=Scenario.CLOSED_QA,
    ability=Ability.ATOMIC,
    language=Language.ZH,
    answer_format=AnswerFormat.COMPLETION,
    reader=Reader.ANSWER,
    metrics=("em_strict", "em_norm", "rouge1", "rouge2", "rougeL"),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end="]"),
    max_new_tokens=64,
    stop=("]", "\n"),
    official_max_new_tokens=30,
    long_context=False,
    official=OfficialTask(dataset="deepresearch", task="summ_ans_zh"),
    set_name="dr",
)
