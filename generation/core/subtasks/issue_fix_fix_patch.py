"""Choose the patch that repairs a bug. Imported only."""

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
Each question gives a bug report and some patches. One patch repairs the bug and breaks nothing
else. Answer with its letter.

"""

_BLOCK = """\
Bug report:
$issue_statement

Patches:
$options

The patch that repairs it: ("""

SUBTASK = Subtask(
    name="issue_fix_fix_patch",
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
    official=OfficialTask(dataset="issue_fix", task="fix_patch"),
    set_name="swe",
)
