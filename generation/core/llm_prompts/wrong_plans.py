"""Plans of several steps made worse: operator ``llm_degrade`` of set-up and research plans."""

from typing import Annotated

from pydantic import Field

from generation.core.llm_prompts.prompt import SYSTEM, LlmPrompt
from generation.core.records import Language
from generation.core.replies.reading import Answer


class WrongPlan(Answer):
    """A plan that fails, step by step, and why."""

    steps: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=2000)]],
        Field(min_length=1, max_length=40),
    ]
    flaw: Annotated[str, Field(min_length=1, max_length=600)]


class WrongPlans(Answer):
    """Plans that fail."""

    wrong: Annotated[list[WrongPlan], Field(min_length=1, max_length=12)]


EN = LlmPrompt(
    "wrong_plans",
    1,
    Language.EN,
    SYSTEM[Language.EN],
    """\
This is to be done:
$task

This is known of it:
$context

A plan that works:
$gold

Write $wanted plans that a hurried expert might put down instead and that fail: one puts a step
before what it depends on, one lacks a step that nothing replaces, one takes a tool, version or source
that the material rules out, one adds a step that undoes or harms the rest. Keep the number of steps
and their wording close to the good plan's, so that neither length nor style tells them apart. A plan
that would still work is no answer; nor is one that is wrong on its face.

{"wrong": [{"steps": ["...", ...], "flaw": "one sentence: what fails, and at which step"}, ...]}""",
    WrongPlans,
    max_tokens=4000,
)

ZH = LlmPrompt(
    "wrong_plans",
    1,
    Language.ZH,
    SYSTEM[Language.ZH],
    """\
要完成：
$task

已知情况：
$context

一份可行的计划：
$gold

请写出 $wanted 份匆忙的专家可能写下、却行不通的计划：有的把步骤放到其前提之前，有的缺少无可替代的一步，
有的采用素材已排除的工具、版本或来源，有的加入会破坏其余步骤的一步。步数与措辞应接近可行的计划，
不能凭长度或文风分辨。仍然可行的计划不算，一望便知错误的也不算。

{"wrong": [{"steps": ["……", ...], "flaw": "一句话：哪一步为何失败"}, ...]}""",
    WrongPlans,
    max_tokens=4000,
)
