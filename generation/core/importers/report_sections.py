"""What a report of a research agent cites, as sections, and what a person should know of it."""

import re
from collections.abc import Iterator
from typing import Any

from generation.core.importers.citations import (
    MOST_CITATIONS,
    read_citations,
    read_references,
    styles_of,
)
from generation.core.importers.importer import InputFile
from generation.core.importers.pages import Pages
from generation.core.records import Note, Section


def cited_sections(
    file: InputFile, report: str
) -> tuple[list[Section], dict[str, Any], list[Note]]:
    """Return sections of citations, references and pages, the facts of them, and notes."""
    citations = read_citations(report)
    references, body_end = read_references(report)
    notes = []
    if len(citations) == MOST_CITATIONS:
        detail = f"only the first {MOST_CITATIONS} are kept"
        notes.append(Note("many_citations", "article", detail))
    if unresolved := sum(not each.url for each in citations):
        notes.append(Note("unresolved_citations", "article", f"{unresolved} without an address"))
    sections = [
        Section(
            "citation",
            each.statement,
            each.url,
            facts={
                "style": str(each.style),
                "number": each.number,
                "start": each.start,
                "end": each.end,
            },
        )
        for each in citations
    ]
    sections += [
        Section("reference", each.title, each.url, facts={"number": each.number})
        for each in references
    ]
    if file.pages is not None:
        pages = file.remembered(file.pages, Pages)
        cited = [each.url for each in citations] + [each.url for each in references]
        urls = dict.fromkeys(filter(None, cited))
        sections += [Section("page", text, url) for url in urls if (text := pages.text(url))]
    return sections, {"styles": list(styles_of(citations)), "body_end": body_end}, notes


def doubts_on(prompt: str, given: str, known: str, report: str, model: str) -> Iterator[Note]:
    """Yield notes on what may give a report away or makes its query unsure."""
    if given and known and " ".join(given.split()) != " ".join(known.split()):
        yield Note("other_prompt", "prompt", "not the text of the query with this id")
    if " ".join(prompt.split()) in " ".join(report.split()):
        yield Note("quotes_prompt", "article", "the report quotes its query")
    name = re.split(r"[-_ /]", model, maxsplit=1)[0]
    if len(name) > 3 and re.search(rf"\b{re.escape(name)}\b", report, re.IGNORECASE):
        yield Note("names_agent", "article", f"the report names {name}")


def addresses_left(report: str) -> Iterator[Note]:
    """Yield a note where a report without citations still holds addresses."""
    count = report.count("http://") + report.count("https://")
    if count:
        yield Note("cleaned_holds_addresses", "article", f"{count} addresses are left in it")
