"""Statements on a cited page: some that it supports, some that it does not."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from generation.core.llm_prompts.prompt import SYSTEM, LlmPrompt
from generation.core.records import Language
from generation.core.replies.reading import Answer


class Statement(Answer):
    """A statement; ``evidence`` is the page's own words where it is supported, else why it is not."""

    text: Annotated[str, Field(min_length=1, max_length=1000)]
    is_supported: bool
    evidence: Annotated[str, Field(min_length=1, max_length=2000)]


class Statements(Answer):
    """Statements of both sorts."""

    statements: Annotated[list[Statement], Field(min_length=2, max_length=20)]

    @model_validator(mode="after")
    def has_both_sorts(self) -> Self:
        """Refuse a set in which all are supported or none is.

        Raises:
            ValueError: it is one.
        """
        if len({statement.is_supported for statement in self.statements}) != 2:
            msg = "supported and unsupported statements are both needed"
            raise ValueError(msg)
        return self


EN = LlmPrompt(
    "citation_statements",
    1,
    Language.EN,
    SYSTEM[Language.EN],
    """\
A passage of a report:
$passage

The page that it cites:
$page

Write $supported statements on the passage's matter that the page supports in full, and $unsupported
that it does not: near the page in topic and words, but going beyond it, turning a relation round,
changing a figure, or holding more generally than it says. Each stands by itself, without "the page".
Give as evidence the words of the page, letter by letter, or for the others what the page says instead.

{"statements": [{"text": "...", "is_supported": true, "evidence": "..."}, ...]}""",
    Statements,
    max_tokens=3000,
)

ZH = LlmPrompt(
    "citation_statements",
    1,
    Language.ZH,
    SYSTEM[Language.ZH],
    """\
报告中的一段：
$passage

它所引用的网页：
$page

请就这段内容写出 $supported 条网页完全支持的陈述，以及 $unsupported 条网页不支持的陈述：
后者在主题和用词上接近网页，但超出其内容、颠倒关系、改动数字，或说得比原文更笼统。每条独立成句，不提“该网页”。
支持的给出网页原文作为依据，逐字引用；不支持的说明网页实际怎么说。

{"statements": [{"text": "……", "is_supported": true, "evidence": "……"}, ...]}""",
    Statements,
    max_tokens=3000,
)
