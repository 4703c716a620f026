"""Choose the research outline of an open question. Imported only."""

from functools import partial

from generation.core.operators.random_root_star import star_options
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
Each question is one that needs a longer study. Several outlines for such a study follow. One covers
what has to be found out, in a sensible order and without matters that do not belong to it. Answer
with its letter.

"""

_BLOCK = """\
Question to study:
$question

Outlines:
$options

The best outline: ("""

SUBTASK = Subtask(
    name="open_plan_en",
    scenario=Scenario.OPEN_QA,
    ability=Ability.PLAN,
    language=Language.EN,
    answer_format=AnswerFormat.CHOICE,
    reader=Reader.LETTER,
    metrics=("accuracy",),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end=")"),
    max_new_tokens=10,
    stop=("\n\n",),
    official_max_new_tokens=10,
    choices=range(5, 8),
    shots=3,
    long_context=False,
    official=OfficialTask(dataset="deepresearch", task="openend_plan_en"),
    make_options=partial(star_options, choices=7),
    set_name="dr",
)
