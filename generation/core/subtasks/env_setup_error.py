"""Choose the solution of an issue met during set-up."""

from collections.abc import Iterator
from functools import partial

from generation.core.cuts import has_cjk, option_fault
from generation.core.operators.random_root_star import star_options
from generation.core.records import Document, Language
from generation.core.setup_answers import best_answer, is_about_setup, plan_fault, solution_steps
from generation.core.setup_plan import numbered
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

_CUT = 1
_FEWEST_STEPS = 2
"""Answers to issues are short: two things to do are the rule."""


def build(document: Document) -> Iterator[Draft | Rejection]:
    """Yield the one draft of an issue: the steps of its best-liked answer are the right solution.

    Shown are the issue and, where it is known, how the project is set up (a section ``setup``);
    no comment is, whether it came before the answer or after.
    """
    answer = best_answer(document)
    if isinstance(answer, str):
        yield Rejection(_CUT, answer)
        return
    if not is_about_setup(document):
        yield Rejection(_CUT, "the issue does not speak of setting something up")
        return
    steps = solution_steps(answer.text)
    gold = numbered(steps)
    body = "\n\n".join(section.text.strip() for section in document.of_kind("body"))
    fault = (
        plan_fault(steps, fewest=_FEWEST_STEPS)
        or option_fault(gold)
        or ("the answer is in another language than the question" if has_cjk(gold) else None)
        or ("the issue holds a step of the answer" if any(s in body for s in steps) else None)
    )
    if fault:
        yield Rejection(_CUT, fault)
        return
    setup = [section.text for section in document.of_kind("setup")]
    slots = {
        "setup_instruct": "\n".join(setup) or f"Nothing is known but its name: {_name(document)}.",
        "issue_title": document.title,
        "issue_body": body,
    }
    yield Draft(cut=_CUT, gold=gold, slots=slots)


def _name(document: Document) -> str:
    return str(document.facts.get("repository", document.provenance.cluster))


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
    source_kinds=("github_issues",),
    build_document=build,
    make_options=partial(star_options, choices=7, fewest=_FEWEST_STEPS),
    set_name="swe",
)
