"""Choose the code excerpt that holds the bug. Imported only."""

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
Each question gives a bug report and some excerpts of the project's code. The fix changes the code
of one excerpt. Answer with the letter of that excerpt.

"""

_BLOCK = """\
Bug report:
$issue_statement

Excerpts:
$options

The excerpt to change: ("""

SUBTASK = Subtask(
    name="issue_fix_locate",
    scenario=Scenario.ISSUE_FIX,
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
    shots=3,
    long_context=False,
    official=OfficialTask(dataset="issue_fix", task="locate"),
    set_name="swe",
)
