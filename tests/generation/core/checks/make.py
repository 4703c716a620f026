"""Items of the tests: one small subtask for each answer format, everything else by argument."""

from dataclasses import replace
from typing import Any

from generation.core.items import Item
from generation.core.records import Language
from generation.core.subtask import Ability, AnswerFormat, PromptParts, Reader, Scenario, Subtask

CHOICE = Subtask(
    name="closed_plan_en",
    scenario=Scenario.CLOSED_QA,
    ability=Ability.PLAN,
    language=Language.EN,
    answer_format=AnswerFormat.CHOICE,
    reader=Reader.LETTER,
    metrics=("accuracy",),
    prompt=PromptParts(instruction="", block="$task\n$options\n(", answer_end=")"),
    max_new_tokens=10,
    stop=("\n\n",),
    official_max_new_tokens=10,
    choices=range(2, 8),
)
LOCATE = replace(CHOICE, name="issue_fix_locate", choices=range(4, 5))
PATCH = replace(CHOICE, name="issue_fix_fix_patch")
COMMAND = replace(
    CHOICE,
    name="env_setup_action",
    answer_format=AnswerFormat.COMPLETION,
    reader=Reader.COMMAND,
    max_new_tokens=128,
    stop=("\n```",),
    choices=None,
)
ANSWER = replace(COMMAND, name="closed_answer_en", reader=Reader.ANSWER, max_new_tokens=64)


def make_item(subtask: Subtask = CHOICE, **fields: Any) -> Item:
    defaults: dict[str, Any] = {
        "key": "item",
        "subtask": subtask,
        "language": Language.EN,
        "slots": {"task": "What comes next?"},
        "options": (),
        "gold": ("A",),
        "max_new_tokens": subtask.max_new_tokens,
        "cluster": "task",
    }
    return Item(**defaults | fields)


def choice(*options: str, gold: str = "A", subtask: Subtask = CHOICE, **fields: Any) -> Item:
    return make_item(subtask, options=options, gold=tuple(gold), **fields)


def command(gold: str, **fields: Any) -> Item:
    return make_item(COMMAND, gold=(gold,), **fields)


def answer(gold: str, **fields: Any) -> Item:
    return make_item(ANSWER, gold=(gold,), **fields)
