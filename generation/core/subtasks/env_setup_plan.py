"""Choose the plan that sets up a repository's environment. Imported only."""

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
Each question describes a code repository: its files, what they import, what they require and what
its README says. Several plans for setting up its environment follow. One of them works; the others
have their steps in an order that fails, lack a step that is needed, or add one that does harm or
is of no use. Answer with the letter of the plan that works.

"""

_BLOCK = """\
What is known of the repository:
$repo_info

Plans:
$options

The plan that works: ("""

SUBTASK = Subtask(
    name="env_setup_plan",
    scenario=Scenario.ENV_SETUP,
    ability=Ability.PLAN,
    language=Language.EN,
    answer_format=AnswerFormat.CHOICE,
    reader=Reader.LETTER,
    metrics=("accuracy",),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end=")"),
    max_new_tokens=10,
    stop=("\n\n",),
    official_max_new_tokens=10,
    choices=range(7, 8),
    shots=3,
    long_context=False,
    official=OfficialTask(dataset="env_setup", task="plan"),
    make_options=partial(star_options, choices=7),
    set_name="swe",
)
