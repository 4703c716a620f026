"""Stores the sections of documents, and turns stored documents back into records."""

from collections.abc import Mapping

from generation.core import records
from generation.core.records import Document, Language, Note, Provenance, Success
from generation.models import Section, Source, Text
from generation.services.texts import storable


def section_rows(source: Source, document: Document, texts: Mapping[str, Text]) -> list[Section]:
    """Return the unsaved rows of a document's sections; ``texts`` holds the rows of their texts."""
    return [
        Section(
            source=source,
            number=number,
            kind=section.kind,
            title=storable(section.title),
            text=texts[section.text],
            is_future=section.is_future,
            facts=dict(section.facts),
        )
        for number, section in enumerate(document.sections, start=1)
    ]


def load_document(source: Source) -> Document:
    """Return the record of a stored document, the future included: for builders and checks."""
    rows = source.sections.select_related("text").order_by("number")
    return Document(
        provenance=Provenance(
            kind=source.kind,
            external_id=source.external_id,
            cluster=source.cluster,
            where=source.place,
            licence=source.licence,
            url=source.url,
            model=source.model,
        ),
        language=Language(source.language),
        title=source.task.body,
        sections=tuple(
            records.Section(row.kind, row.text.body, row.title, row.is_future, row.facts)
            for row in rows
        ),
        facts=source.raw,
        success=Success(source.success),
        notes=tuple(Note(**note) for note in source.notes),
    )
