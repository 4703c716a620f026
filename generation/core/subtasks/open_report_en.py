"""Choose the best of several reports."""

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
Each question gives a request and several reports written for it. One report is the best: its facts
hold, its reasoning is sound, it reads well and it answers what was asked. Answer with its letter.

"""

_BLOCK = """\
Request:
$query

Reports:
$options

The best report: ("""

SUBTASK = Subtask(
    name="open_report_en",
    scenario=Scenario.OPEN_QA,
    ability=Ability.ATOMIC,
    language=Language.EN,
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
    official=OfficialTask(dataset="deepresearch", task="openend_quality_en"),
    source_kinds=("deepresearch_bench",),
    build_document=report_drafts,
    make_options=report_options,
    set_name="dr",
)
