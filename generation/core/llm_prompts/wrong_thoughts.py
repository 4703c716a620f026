"""Wrong next thoughts for a point of a repair: operator ``llm_degrade`` of plans in words."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from generation.core.llm_prompts.prompt import SYSTEM, LlmPrompt
from generation.core.records import Language
from generation.core.replies.reading import Answer


class WrongThought(Answer):
    """A thought that does not fit, and why."""

    text: Annotated[str, Field(min_length=1, max_length=4000)]
    flaw: Annotated[str, Field(min_length=1, max_length=600)]


class WrongThoughts(Answer):
    """Thoughts that do not fit at this point."""

    wrong: Annotated[list[WrongThought], Field(min_length=1, max_length=12)]


EN_1 = LlmPrompt(
    "wrong_thoughts",
    1,
    Language.EN,
    SYSTEM[Language.EN],
    """\
An agent works on this task:
$task

This is what it did last:
$history

Next it thought, rightly:
$gold

Write $wanted other thoughts that the same agent might have had at this very point, each of them a
mistake for anyone who has read the work so far: it goes back to something already settled, skips a
step that is needed first, follows a cause that the work has ruled out, changes the wrong place, or
stops too early. Stay on the topic. Write like the agent: the same person, tone, detail and about the
same length as the right thought. Say nothing that only later work could tell. No thought may be a
right next step in other words, and none may say that it is wrong.

{"wrong": [{"text": "the thought", "flaw": "one sentence: why it is wrong here"}, ...]}""",
    WrongThoughts,
)

ZH_1 = LlmPrompt(
    "wrong_thoughts",
    1,
    Language.ZH,
    SYSTEM[Language.ZH],
    """\
智能体正在处理这项任务：
$task

它最近做了这些：
$history

接下来它的想法是（正确）：
$gold

请写出 $wanted 个同一智能体在此刻可能产生、但读过以上过程的人都会判定为错误的想法：例如重做已经解决的事、
跳过必须先做的一步、追查已被排除的原因、改错地方，或过早结束。不要离题。语气、详略和长度与正确想法相近。
不要透露之后才会知道的内容。任何一个都不能是正确想法的另一种说法，也不能自称有误。

{"wrong": [{"text": "想法", "flaw": "一句话：为何在此处是错的"}, ...]}""",
    WrongThoughts,
)

# Small models copied the words that stood in the form's places.
EN = replace(
    EN_1,
    number=2,
    user=EN_1.user.replace('"the thought"', '"..."')
    .replace('"one sentence: why it is wrong here"', '"..."')
    .replace(
        "wrong.\n\n{", "wrong.\nAs flaw say in one sentence why a thought is wrong here.\n\n{"
    ),
)
ZH = replace(
    ZH_1,
    number=2,
    user=ZH_1.user.replace('"想法"', '"……"')
    .replace('"一句话：为何在此处是错的"', '"……"')
    .replace("也不能自称有误。", "也不能自称有误。flaw 用一句话说明该想法为何在此处是错的。"),
)
EARLIER = (EN_1, ZH_1)
"""Versions that are asked no more; stored answers are read by them."""
