"""Stores the sections of documents, and turns stored documents back into records."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from django.db.models import Max

from generation.core import records
from generation.core.records import CONTEXT, Document, Language, Note, Provenance, Success
from generation.models import Section, Source, Text
from generation.services import audit
from generation.services.texts import storable, store_texts


def section_rows(
    source: Source,
    sections: Sequence[records.Section],
    texts: Mapping[str, Text],
    *,
    first: int = 1,
) -> list[Section]:
    """Return the unsaved rows of sections, numbered from ``first``; ``texts`` holds their texts."""
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
        for number, section in enumerate(sections, start=first)
    ]


def merged(first: Document, second: Document) -> Document:
    """Return ``first`` with what a copy of it brings besides: found sections, facts, notes."""
    there = {(section.kind, section.title) for section in first.sections}
    more = [each for each in second.sections if each.kind in CONTEXT]
    return replace(
        first,
        sections=(*first.sections, *(e for e in more if (e.kind, e.title) not in there)),
        facts={**second.facts, **first.facts},
        success=second.success if first.success is Success.UNCONFIRMED else first.success,
        notes=tuple(dict.fromkeys((*first.notes, *second.notes))),
    )


def missing_sections(source: Source, document: Document) -> list[records.Section]:
    """Return what a document brings that was found beside it and that its stored source lacks."""
    if not any(section.kind in CONTEXT for section in document.sections):
        return []
    there = set(source.sections.values_list("kind", "title"))
    return [
        section
        for section in document.sections
        if section.kind in CONTEXT and (section.kind, storable(section.title)) not in there
    ]


def complete(source: Source, document: Document) -> None:
    """Add to a stored document what a later import found beside it; nothing that is there changes.

    Facts that were not known are added as well, and the notes are those of what is there now. One
    audit event says that it was completed.
    """
    sections = missing_sections(source, document)
    facts = {name: value for name, value in document.facts.items() if name not in source.raw}
    if not sections and not facts:
        return
    texts = store_texts({section.text for section in sections})
    last = source.sections.aggregate(last=Max("number"))["last"] or 0
    rows = section_rows(source, sections, texts, first=last + 1)
    Section.objects.bulk_create(rows, batch_size=500)
    notes = [asdict(note) for note in document.notes] if sections else source.notes
    Source.objects.filter(pk=source.pk).update(raw=source.raw | facts, notes=notes)
    audit.record(
        "source.completed",
        source,
        before=last,
        after=last + len(sections),
        detail=f"{len(sections)} sections, {len(facts)} facts",
    )


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
