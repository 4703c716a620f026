"""Choose the best of several reports, in Chinese."""

from generation.core.operators.report_star import CHOICES, report_options
from generation.core.records import Language
from generation.core.report_drafts import report_drafts
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
下面每道题给出一项请求和为它撰写的几篇报告。其中一篇最好：事实可靠、推理严密、行文清楚，并且切合
请求。请写出它的字母。

"""

_BLOCK = """\
请求：
$query

报告：
$options

最好的一篇：("""

SUBTASK = Subtask(
    name="open_report_zh",
    scenario=Scenario.OPEN_QA,
    ability=Ability.ATOMIC,
    language=Language.ZH,
    answer_format=AnswerFormat.CHOICE,
    reader=Reader.LETTER,
    metrics=("accuracy",),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end=")"),
    max_new_tokens=10,
    stop=("\n\n",),
    official_max_new_tokens=10,
    choices=range(CHOICES, CHOICES + 1),
    shots=2,
    long_context=True,
    official=OfficialTask(dataset="deepresearch", task="openend_quality_zh"),
    source_kinds=("deepresearch_bench",),
    build_document=report_drafts,
    make_options=report_options,
    set_name="dr",
)
