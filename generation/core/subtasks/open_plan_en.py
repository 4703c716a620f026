"""Choose the research outline of an open question."""

from collections.abc import Iterator
from functools import partial

from generation.core.cuts import option_fault
from generation.core.operators.plan_text import read_plan
from generation.core.operators.random_root_star import FEWEST_STEPS, star_options
from generation.core.records import Document, Language
from generation.core.selection.texts import normalise
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
_CHOICES = 7


def build(document: Document) -> Iterator[Draft | Rejection]:
    """Yield one draft: the question, and the plan that came with it as the right outline.

    Wrong ones are edits of it. A mere other order of its parts is never one: that an outline's
    parts need one another in an order can't be seen from their words.
    """
    plans = document.of_kind("plan")
    if not plans:
        yield Rejection(1, "no plan came with the question")
        return
    plan = read_plan(plans[0].text)
    headers = {normalise(step) for step in plan.steps}
    if len(plan.steps) < FEWEST_STEPS:
        yield Rejection(1, f"the plan has fewer than {FEWEST_STEPS} parts")
    elif not plan.numbered:
        yield Rejection(1, "the plan's parts are not numbered")
    elif fault := option_fault(plans[0].text):
        yield Rejection(1, fault)
    elif len(headers) < len(plan.steps):
        yield Rejection(1, "two parts of the plan are the same")
    else:
        yield Draft(cut=1, gold=plan.written(plan.steps), slots={"question": document.title})


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
    source_kinds=("researchy_questions",),
    build_document=build,
    make_options=partial(star_options, choices=_CHOICES),
    set_name="dr",
)
