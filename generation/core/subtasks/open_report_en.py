"""Choose the best of several reports. Imported only."""

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
    choices=range(4, 5),
    shots=2,
    long_context=True,
    official=OfficialTask(dataset="deepresearch", task="openend_quality_en"),
    set_name="dr",
)
