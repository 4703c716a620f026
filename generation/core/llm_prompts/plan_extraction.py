"""The plan behind a README's set-up, in words without commands."""

from typing import Annotated

from pydantic import Field

from generation.core.llm_prompts.prompt import SYSTEM, LlmPrompt
from generation.core.records import Language
from generation.core.replies.reading import Answer


class PlannedStep(Answer):
    """A step in words, and the commands of the README that carry it out, as they stand there."""

    step: Annotated[str, Field(min_length=1, max_length=1000)]
    commands: Annotated[list[str], Field(max_length=60)]


class SetupPlan(Answer):
    """The steps of one way to set the project up; ``way`` names it where there are several."""

    way: Annotated[str, Field(max_length=300)] = ""
    steps: Annotated[list[PlannedStep], Field(min_length=2, max_length=40)]


EN = LlmPrompt(
    "plan_extraction",
    1,
    Language.EN,
    SYSTEM[Language.EN],
    """\
The README of a project:
$readme

Files of the project:
$files

State how to set the project up from nothing to its first run, as steps in the order in which they
have to be done. Where the README offers several ways, take the first one that it recommends, whole,
and mix none. Say in each step what is achieved, in plain words and without the command itself; list
beside it the commands that the README gives for it, letter by letter. Leave out what it does not say.

{"way": "...", "steps": [{"step": "...", "commands": ["..."]}, ...]}""",
    SetupPlan,
    max_tokens=3000,
    temperature=0.0,
)

ZH = LlmPrompt(
    "plan_extraction",
    1,
    Language.ZH,
    SYSTEM[Language.ZH],
    """\
某项目的 README：
$readme

项目文件：
$files

请说明如何从零开始完成环境配置直到首次运行，按必须遵循的先后顺序列出步骤。README 给出多种方式时，
完整采用其最先推荐的一种，不要混用。每一步用平实的话说明达成什么，不写命令本身；
旁边逐字列出 README 为该步给出的命令。README 没有说的不要补充。

{"way": "……", "steps": [{"step": "……", "commands": ["……"]}, ...]}""",
    SetupPlan,
    max_tokens=3000,
    temperature=0.0,
)
