"""Questions for the best report on a request: the request, and a report as the right answer."""

import re
from collections.abc import Iterator

from generation.core.cuts import option_fault
from generation.core.operators.report_edits import sections_of
from generation.core.plain_reports import plain_report
from generation.core.records import Document, Language
from generation.core.subtask import Draft, Rejection
from generation.core.tokens import count_tokens

MOST_TOKENS = 10_000
"""Of a report: a prompt shows four, and two worked examples of four before it."""
FEWEST_SECTIONS = 3
_SHORTEST_NAME = 4
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_CHINESE_SHARE = 0.2


def report_drafts(document: Document) -> Iterator[Draft | Rejection]:
    """Yield one draft: a report without citations is the right answer to its request.

    So no option differs by its marks. The reports of several agents on one request are questions
    of their own; a report that names its agent is none.
    """
    if not document.of_kind("report"):
        yield Rejection(1, "it is a query, no report")
        return
    report = plain_report(document)
    size = count_tokens(report)
    if len(sections_of(report)) <= FEWEST_SECTIONS:
        yield Rejection(1, f"the report has fewer than {FEWEST_SECTIONS} sections")
    elif _is_chinese(report) is not (document.language is Language.ZH):
        yield Rejection(1, "the report is in another language than its request")
    elif size > MOST_TOKENS:
        yield Rejection(1, f"the report has {size} tokens, {MOST_TOKENS} at most")
    elif fault := option_fault(report):
        yield Rejection(1, fault)
    elif name := _agent_in(report, document):
        yield Rejection(1, f"the report names the agent that wrote it: {name}")
    else:
        yield Draft(cut=1, gold=report, slots={"query": document.title})


def _is_chinese(report: str) -> bool:
    """Return whether a good part of a report's characters are Chinese, names quoted apart."""
    return len(_CHINESE.findall(report)) > _CHINESE_SHARE * len(report)


def _agent_in(report: str, document: Document) -> str:
    """Return the name of the report's agent where it stands in it and the request has it not."""
    name = re.split(r"[-_ /]", document.provenance.model, maxsplit=1)[0]
    if len(name) < _SHORTEST_NAME:
        return ""
    pattern = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    return name if pattern.search(report) and not pattern.search(document.title) else ""
