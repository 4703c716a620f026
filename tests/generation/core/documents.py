"""Reports and research questions of the tests, as their importers give them."""

from generation.core.importers.citations import read_citations, read_references
from generation.core.importers.decompositions import PlanStep, plan_text
from generation.core.records import Document, Language, Provenance, Section
from generation.core.subtask import Draft, PoolEntry, Subtask


def report(
    text: str,
    *,
    pages: dict[str, str] | None = None,
    query: str = "What of the mill?",
    model: str = "sample-a",
    language: Language = Language.EN,
) -> Document:
    """Return a report with its citations and the pages that are at hand, by address."""
    _references, end = read_references(text)
    citations = [
        Section(
            "citation",
            each.statement,
            each.url,
            facts={"style": str(each.style), "start": each.start, "end": each.end},
        )
        for each in read_citations(text)
    ]
    return Document(
        provenance=Provenance("deepresearch_bench", f"{model}:{query}", query, "f", model=model),
        language=language,
        title=query,
        sections=(
            Section("query", query),
            Section("report", text),
            *citations,
            *(Section("page", held, url) for url, held in (pages or {}).items()),
        ),
        facts={"body_end": end},
    )


def research_question(question: str, *parts: tuple[str, tuple[str, ...]]) -> Document:
    """Return a question with its plan: headers and the questions under them."""
    plan = plan_text([PlanStep(header, questions) for header, questions in parts])
    sections = [Section("question", question), Section("plan", plan, is_future=True)]
    return Document(
        provenance=Provenance("researchy_questions", question, question, "f"),
        language=Language.EN,
        title=question,
        sections=tuple(sections if parts else sections[:1]),
    )


def document_pool(subtask: Subtask, documents: list[Document]) -> list[PoolEntry]:
    """Return the drafts of documents as option selection sees them."""
    assert subtask.build_document is not None
    return [
        PoolEntry(
            key=f"{document.provenance.external_id}:{draft.cut}",
            cluster=document.provenance.cluster,
            community="all",
            draft=draft,
            steps=(),
            tools=(),
            document=document,
        )
        for document in documents
        for draft in subtask.build_document(document)
        if isinstance(draft, Draft)
    ]
