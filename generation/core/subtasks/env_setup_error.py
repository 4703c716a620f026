"""Choose the solution of an issue met during set-up. Imported only."""

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
Each question shows how a project is set up and an issue that a user met while doing so. Several
ways out follow. Answer with the letter of the one that solves the issue.

"""

_BLOCK = """\
How the project is set up:
$setup_instruct

Issue: $issue_title
$issue_body

Proposed solutions:
$options

The solution: ("""

SUBTASK = Subtask(
    name="env_setup_error",
    scenario=Scenario.ENV_SETUP,
    ability=Ability.ATOMIC,
    language=Language.EN,
    answer_format=AnswerFormat.CHOICE,
    reader=Reader.LETTER,
    metrics=("accuracy",),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end=")"),
    max_new_tokens=10,
    stop=("\n\n",),
    official_max_new_tokens=10,
    choices=range(4, 8),
    shots=3,
    long_context=False,
    official=OfficialTask(dataset="env_setup", task="error"),
    make_options=partial(star_options, choices=7),
    set_name="swe",
)
