"""Choose the plan that sets up a repository's environment."""

from collections.abc import Iterator
from functools import partial

from generation.core.cuts import has_cjk, option_fault
from generation.core.operators.random_root_star import FEWEST_STEPS, star_options
from generation.core.records import Document, Language
from generation.core.setup_plan import numbered, repository_info, setup_plan
from generation.core.subtask import (
    Ability,
    AnswerFormat,
    Draft,
    OfficialTask,
    PromptParts,
    Reader,
    Rejection,
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


def build(document: Document) -> Iterator[Draft | Rejection]:
    """Yield the one draft of a README: the plan that its commands and headings make.

    ``cut`` is one more than the README has commands: all of it is known.
    """
    cut = len(document.of_kind("command")) + 1
    steps = setup_plan(document)
    gold, info = numbered(steps), repository_info(document)
    if len(steps) < FEWEST_STEPS:
        yield Rejection(cut, f"fewer than {FEWEST_STEPS} steps can be said in words")
    elif not info:
        yield Rejection(cut, "nothing is known of the repository but its commands")
    elif has_cjk(gold):
        yield Rejection(cut, "the plan is in another language than the question")
    elif fault := option_fault(gold):
        yield Rejection(cut, fault)
    else:
        yield Draft(cut=cut, gold=gold, slots={"repo_info": info})


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
    source_kinds=("readme",),
    build_document=build,
    make_options=partial(star_options, choices=7),
    set_name="swe",
)
