"""A report made worse in one respect: facts, logic, readability or fit to the request."""

from typing import Annotated

from pydantic import Field

from generation.core.llm_prompts.prompt import SYSTEM, LlmPrompt
from generation.core.records import Language
from generation.core.replies.reading import Answer

RESPECTS: dict[str, dict[Language, str]] = {
    "facts": {
        Language.EN: "several of its facts are false: figures, dates, names or relations that the "
        "good report states, changed to others that sound likely",
        Language.ZH: "若干事实有误：把好报告中的数字、日期、名称或关系改成听来合理的另一种",
    },
    "logic": {
        Language.EN: "its conclusions do not follow: reasons are missing, two parts contradict each "
        "other, or a cause is taken for its effect, while single facts stay true",
        Language.ZH: "结论推不出来：缺少依据、前后矛盾或因果颠倒，而单个事实仍然属实",
    },
    "readability": {
        Language.EN: "it is hard to follow: parts in a poor order, terms that change, sentences "
        "that say things twice, while facts and conclusions stay",
        Language.ZH: "难以阅读：次序混乱、用语不一、反复赘述，而事实与结论不变",
    },
    "fit": {
        Language.EN: "it misses the request: one thing that was asked for is not answered and a "
        "neighbouring matter takes its place",
        Language.ZH: "偏离要求：有一项要求没有回答，代之以相近的另一件事",
    },
}
"""What is made worse, as the prompt says it, by the reason's name."""


class DegradedReport(Answer):
    """The worse report, and where it is worse."""

    report: Annotated[str, Field(min_length=1, max_length=100_000)]
    flaw: Annotated[str, Field(min_length=1, max_length=1000)]


EN = LlmPrompt(
    "report_degradation",
    1,
    Language.EN,
    SYSTEM[Language.EN],
    """\
A request:
$query

A good report on it:
$gold

Write the report again so that it is clearly worse in one respect: $respect. Leave everything else as
good as it is: length, headings, manner and number of citations.

{"report": "...", "flaw": "one or two sentences: what is worse, and where"}""",
    DegradedReport,
    max_tokens=12_000,
)

ZH = LlmPrompt(
    "report_degradation",
    1,
    Language.ZH,
    SYSTEM[Language.ZH],
    """\
一项要求：
$query

一份好的报告：
$gold

请重写这份报告，使其仅在一个方面明显变差：$respect。其余保持原有水准：篇幅、标题、写法和引用数量不变。

{"report": "……", "flaw": "一两句话：哪里变差了"}""",
    DegradedReport,
    max_tokens=12_000,
)
