"""Whether an issue tells of a set-up error that its thread solves, and how it was solved."""

from typing import Annotated, Literal

from pydantic import Field

from generation.core.llm_prompts.prompt import SYSTEM, LlmPrompt
from generation.core.records import Language
from generation.core.replies.reading import Answer


class Triage(Answer):
    """``kind`` of the issue; the answer that solved it and its steps where one did.

    ``solving_comment`` is the 1-based number of the comment, 0 for none.
    """

    kind: Literal["setup_error", "other_error", "question", "request", "unclear"]
    is_solved: bool
    solving_comment: Annotated[int, Field(ge=0, le=10_000)]
    cause: Annotated[str, Field(max_length=1000)]
    steps: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=1000)]], Field(max_length=20)
    ]


EN = LlmPrompt(
    "issue_triage",
    1,
    Language.EN,
    SYSTEM[Language.EN],
    """\
A closed issue:
$issue

Its comments, numbered from 1:
$comments

Judge what the issue is about, and whether a comment holds a cure that the reporter or several readers
confirmed. Sum that cure up as steps that can be acted on, without names of people and without anything
that no comment says. Where nothing was confirmed, is_solved is false and steps is empty.

{"kind": "setup_error | other_error | question | request | unclear", "is_solved": true,
"solving_comment": 2, "cause": "...", "steps": ["...", ...]}""",
    Triage,
    temperature=0.0,
)

ZH = LlmPrompt(
    "issue_triage",
    1,
    Language.ZH,
    SYSTEM[Language.ZH],
    """\
一个已关闭的 issue：
$issue

其评论，从 1 编号：
$comments

请判断该 issue 属于哪一类，以及是否有评论给出了由提问者或多位读者确认有效的解决办法。
把该办法概括为可执行的步骤，不提人名，也不添加评论中没有的内容。若无人确认，is_solved 为 false，steps 为空。

{"kind": "setup_error | other_error | question | request | unclear", "is_solved": true,
"solving_comment": 2, "cause": "……", "steps": ["……", ...]}""",
    Triage,
    temperature=0.0,
)
