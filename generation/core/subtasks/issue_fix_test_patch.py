"""Choose the test that shows a bug. Imported only."""

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
Each question gives a bug report and some tests. One test fails as long as the bug is there and
passes once it is repaired. Answer with its letter.

"""

_BLOCK = """\
Bug report:
$problem_statement

Tests:
$options

The test that shows the bug: ("""

SUBTASK = Subtask(
    name="issue_fix_test_patch",
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
    official=OfficialTask(dataset="issue_fix", task="test_patch"),
    set_name="swe",
)
