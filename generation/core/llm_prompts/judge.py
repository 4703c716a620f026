"""A second look at an item's options. It advises: nothing is approved or rejected by it."""

from typing import Annotated, Literal

from pydantic import Field

from generation.core.llm_prompts.prompt import SYSTEM, LlmPrompt
from generation.core.records import Language
from generation.core.replies.reading import Answer


class Advice(Answer):
    """What a model thinks of one option; ``label`` is its letter."""

    label: Annotated[str, Field(pattern=r"^[A-Z]$")]
    verdict: Literal["right", "wrong", "unclear"]
    why: Annotated[str, Field(min_length=1, max_length=1000)]


class Judgement(Answer):
    """Advice on every option."""

    options: Annotated[list[Advice], Field(min_length=1, max_length=26)]


EN = LlmPrompt(
    "judge",
    1,
    Language.EN,
    SYSTEM[Language.EN],
    """\
A question:
$question

Its options:
$options

Judge every option by itself: would it be a right answer at this point, a wrong one, or can the
question not tell? More than one may be right, and perhaps none is.

{"options": [{"label": "A", "verdict": "right | wrong | unclear", "why": "one sentence"}, ...]}""",
    Judgement,
    temperature=0.0,
)

ZH = LlmPrompt(
    "judge",
    1,
    Language.ZH,
    SYSTEM[Language.ZH],
    """\
一道题目：
$question

选项：
$options

请逐一判断每个选项：在此处它是正确答案、错误答案，还是题目不足以判断？正确的可能不止一个，也可能一个都没有。

{"options": [{"label": "A", "verdict": "right | wrong | unclear", "why": "一句话"}, ...]}""",
    Judgement,
    temperature=0.0,
)
