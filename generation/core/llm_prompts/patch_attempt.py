"""A patch for a bug as a model would write it: operator ``llm_patch``, asked of several models.

Whether an attempt is wrong is never taken from the model: rules or tests show it.
"""

from typing import Annotated

from pydantic import Field

from generation.core.llm_prompts.prompt import SYSTEM, LlmPrompt
from generation.core.records import Language
from generation.core.replies.reading import Answer


class PatchAttempt(Answer):
    """A patch in unified format against the shown files."""

    patch: Annotated[str, Field(min_length=1, max_length=60_000)]
    idea: Annotated[str, Field(max_length=1000)] = ""


_FORM = '{"patch": "diff --git a/... b/...\\n...", "idea": "..."}'

EN = LlmPrompt(
    "patch_attempt",
    1,
    Language.EN,
    SYSTEM[Language.EN],
    f"""\
A bug report:
$issue

The code that it concerns:
$files

Write the smallest patch to the shown files that you take to repair the bug, in unified format with
three lines of context, paths as shown. It must apply. Change neither tests nor formatting.

{_FORM}""",
    PatchAttempt,
    max_tokens=6000,
    temperature=1.0,
)

ZH = LlmPrompt(
    "patch_attempt",
    1,
    Language.ZH,
    SYSTEM[Language.ZH],
    f"""\
一份缺陷报告：
$issue

相关代码：
$files

请针对所示文件写出你认为能修复该缺陷的最小补丁，采用 unified 格式，上下文三行，路径与所示一致。
补丁必须能够应用。不要改动测试或排版。

{_FORM}""",
    PatchAttempt,
    max_tokens=6000,
    temperature=1.0,
)
