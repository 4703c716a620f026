"""Choose the statements that a cited page supports."""

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
Each question shows a report, the text of a page that it cites, and some statements of the report.
Answer with the letters of all statements that the page supports, separated by commas; there is at
least one.

"""

_BLOCK = """\
Report:
$article

Cited page:
$page

Statements:
$options

Supported by the page: ("""

SUBTASK = Subtask(
    name="open_citation_en",
    scenario=Scenario.OPEN_QA,
    ability=Ability.ATOMIC,
    language=Language.EN,
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
    official=OfficialTask(dataset="deepresearch", task="openend_citation_en"),
    source_kinds=("deepresearch_bench",),
    build_document=page_drafts,
    make_options=statement_options,
    set_name="dr",
)
