"""Operators that ask a model for wrong options, by name and subtask.

An operator reads a subtask's answers as option texts with reasons; whether they can stand as
options is for rules (``generation.core.llm_prompts.written``), never for the model.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generation.core.llm_prompts.wrong_calls import WrongCalls
from generation.core.llm_prompts.wrong_thoughts import WrongThoughts
from generation.core.operators.calls import PlannedCall
from generation.core.operators.operator import Wrong
from generation.core.replies.reading import Answer

SPARE = 2
"""Options asked for beyond those needed, since rules will refuse some."""


@dataclass(frozen=True, slots=True)
class AskedOptions:
    """What a subtask asks for: the purpose of its prompt, and how an answer is read."""

    purpose: str
    options: Callable[[Answer], list[Wrong]]


def thoughts_of(answer: Answer) -> list[Wrong]:
    """Return the thoughts of a ``WrongThoughts``; nothing of any other answer."""
    if not isinstance(answer, WrongThoughts):
        return []
    return [Wrong(wrong.text, wrong.flaw) for wrong in answer.wrong]


def calls_of(answer: Answer) -> list[Wrong]:
    """Return the calls of a ``WrongCalls``, written as gold is; nothing of any other answer."""
    if not isinstance(answer, WrongCalls):
        return []
    return [
        Wrong(PlannedCall(wrong.planning, wrong.tool, wrong.arguments).written(), wrong.flaw)
        for wrong in answer.wrong
    ]


LLM_OPERATORS: Mapping[str, Mapping[str, AskedOptions]] = MappingProxyType(
    {
        "llm_degrade": MappingProxyType(
            {
                "issue_fix_plan": AskedOptions("wrong_thoughts", thoughts_of),
                "closed_plan_en": AskedOptions("wrong_calls", calls_of),
                "closed_plan_zh": AskedOptions("wrong_calls", calls_of),
            }
        )
    }
)
