"""Choose the statements that a cited page supports, in Chinese."""

from generation.core.cited_pages import page_drafts, statement_options
from generation.core.records import Language
from generation.core.subtask import (
    Ability,
    AnswerFormat,
    OfficialTask,
    PromptParts,
    Reader,
    Scenario,
    Subtask,
)

_INSTRUCTION = """\
下面每道题给出一篇报告、报告所引用的一个网页的正文，以及报告中的若干论断。请写出该网页能够支持的
全部论断的字母，用逗号隔开；至少有一条。

"""

_BLOCK = """\
报告：
$article

所引网页：
$page

论断：
$options

网页支持的论断：("""

SUBTASK = Subtask(
    name="open_citation_zh",
    scenario=Scenario.OPEN_QA,
    ability=Ability.ATOMIC,
    language=Language.ZH,
    answer_format=AnswerFormat.CHOICES,
    reader=Reader.LETTERS,
    metrics=("set_accuracy", "jaccard", "option_f1"),
    prompt=PromptParts(instruction=_INSTRUCTION, block=_BLOCK, answer_end=")"),
    max_new_tokens=32,
    stop=("\n\n",),
    official_max_new_tokens=10,
    choices=range(6, 7),
    shots=3,
    long_context=True,
    official=OfficialTask(dataset="deepresearch", task="openend_citation_zh"),
    source_kinds=("deepresearch_bench",),
    build_document=page_drafts,
    make_options=statement_options,
    set_name="dr",
)
