"""Wrong next plans with a tool call: operator ``llm_degrade`` of research runs."""

from typing import Annotated, Any

from pydantic import Field

from generation.core.llm_prompts.prompt import SYSTEM, LlmPrompt
from generation.core.records import Language
from generation.core.replies.reading import Answer


class WrongCall(Answer):
    """A plan and its call that do not serve the question, and why."""

    planning: Annotated[str, Field(min_length=1, max_length=4000)]
    tool: Annotated[str, Field(min_length=1, max_length=200)]
    arguments: dict[str, Any]
    flaw: Annotated[str, Field(min_length=1, max_length=600)]


class WrongCalls(Answer):
    """Plans with calls that do not fit at this point."""

    wrong: Annotated[list[WrongCall], Field(min_length=1, max_length=12)]


EN = LlmPrompt(
    "wrong_calls",
    1,
    Language.EN,
    SYSTEM[Language.EN],
    """\
An agent tries to find this out:
$task

Its tools:
$tools

This is what it did last:
$history

Its next plan and call, rightly:
$gold

Write $wanted other plans, each with one call, that the same agent might have chosen at this very
point and that do not bring it on: a search that misses the point, one whose answer is already there,
a page among those shown that has no bearing, a jump past evidence at hand, or an end before the
answer is known. A call must be valid: a tool from the list, its arguments by their names, nothing
left out that is required. It is wrong by what it means, never by its spelling. Use the tools about as
the right call does. Write plans like the agent, about as long as the right one. Say nothing that only
later work could tell, and do not say that a plan is wrong.

{"wrong": [{"planning": "...", "tool": "...", "arguments": {...},
"flaw": "one sentence: why it is wrong here"}, ...]}""",
    WrongCalls,
)

ZH = LlmPrompt(
    "wrong_calls",
    1,
    Language.ZH,
    SYSTEM[Language.ZH],
    """\
智能体要查明：
$task

可用工具：
$tools

它最近做了这些：
$history

它接下来的计划与调用（正确）：
$gold

请写出 $wanted 个同一智能体在此刻可能选择、却无助于推进的计划，各带一次调用：检索偏离要点、答案已经得到、
打开列表中无关的网页、跳过手边的证据，或在得到答案前结束。调用必须有效：工具取自列表，参数名正确，必填项齐全；
错在含义，不错在写法。工具的选用与正确调用相仿。计划的语气和长度与正确的相近。
不要透露之后才会知道的内容，也不要自称有误。

{"wrong": [{"planning": "……", "tool": "……", "arguments": {…},
"flaw": "一句话：为何在此处是错的"}, ...]}""",
    WrongCalls,
)
