"""A test for a bug as a model would write it: operator ``llm_patch`` of questions on test patches.

Whether an attempt shows the bug is never taken from the model: people judge it like any option.
"""

from generation.core.llm_prompts.patch_attempt import PatchAttempt
from generation.core.llm_prompts.prompt import SYSTEM, LlmPrompt
from generation.core.records import Language

_FORM = '{"patch": "diff --git a/... b/...\\n...", "idea": "..."}'

EN = LlmPrompt(
    "attempted_test",
    1,
    Language.EN,
    SYSTEM[Language.EN],
    f"""\
A bug report:
$issue

Test files of the project:
$files

Write the smallest patch to the shown test files after which the tests fail as long as the bug is
there and pass once it is repaired, in unified format with three lines of context, paths as shown. It
must apply. Change nothing but tests.

{_FORM}""",
    PatchAttempt,
    max_tokens=6000,
    temperature=1.0,
)

ZH = LlmPrompt(
    "attempted_test",
    1,
    Language.ZH,
    SYSTEM[Language.ZH],
    f"""\
一份缺陷报告：
$issue

项目中的测试文件：
$files

请针对所示测试文件写出最小的补丁，使测试在缺陷存在时失败、修复后通过，采用 unified 格式，上下文三行，
路径与所示一致。补丁必须能够应用，且只改动测试。

{_FORM}""",
    PatchAttempt,
    max_tokens=6000,
    temperature=1.0,
)
