"""Stores imported records: each once, whole or not at all."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import IntegrityError, transaction

from generation.core.importers.digest import content_digest
from generation.core.records import Document, Question, Record, Success, Tool, Trajectory
from generation.models import (
    AuditEvent,
    Candidate,
    Option,
    Revision,
    Section,
    Source,
    SourceForm,
    Step,
)
from generation.services import audit
from generation.services.documents import complete, merged, section_rows
from generation.services.texts import storable, store_texts


@dataclass(frozen=True, slots=True)
class Stored:
    """How many of a batch were new, and how many were there already.

    ``forms`` and ``licences`` count the new ones.
    """

    imported: int
    skipped: int
    forms: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)


def store_records(records: Sequence[Record]) -> Stored:
    """Store a batch of records in one transaction; those already there are skipped.

    A trajectory becomes a source with steps, a document one with sections; a ready-made question
    becomes a source, a candidate, its first revision and that revision's options. Where another import stored one
    of them in between, the batch is tried again: it is then known.
    """
    try:
        return _store_new(records)
    except IntegrityError:
        return _store_new(records)


@transaction.atomic
def _store_new(records: Sequence[Record]) -> Stored:
    by_digest: dict[str, Record] = {}
    for record in records:
        digest = content_digest(record)
        copy = by_digest.get(digest)
        if isinstance(copy, Document) and isinstance(record, Document):
            by_digest[digest] = merged(copy, record)
        # Of two copies of one run the one with a report wins, whichever came first.
        elif copy is None or _is_known(record):
            by_digest[digest] = record
    known = {source.digest: source for source in Source.objects.filter(digest__in=by_digest)}
    for digest, source in known.items():
        record = by_digest[digest]
        if isinstance(record, Document):
            complete(source, record)
        _confirm(source, record)
    new = {digest: record for digest, record in by_digest.items() if digest not in known}
    texts = store_texts({text for record in new.values() for text in _long_texts(record)})
    sources = Source.objects.bulk_create(
        Source(
            digest=digest,
            task=texts[_task_of(record)],
            system=texts[record.system]
            if isinstance(record, Trajectory) and record.system
            else None,
            **_source_fields(record),
        )
        for digest, record in new.items()
    )
    pairs = list(zip(sources, new.values(), strict=True))
    Step.objects.bulk_create(
        [
            Step(
                source=source,
                number=number,
                thought=storable(step.thought),
                tool=storable(step.tool),
                arguments=step.arguments,
                action=storable(step.action),
                observation=texts[step.observation],
            )
            for source, record in pairs
            if isinstance(record, Trajectory)
            for number, step in enumerate(record.steps, start=1)
        ],
        batch_size=500,
    )
    Section.objects.bulk_create(
        [
            row
            for source, record in pairs
            if isinstance(record, Document)
            for row in section_rows(source, record.sections, texts)
        ],
        batch_size=500,
    )
    _store_questions([(s, r) for s, r in pairs if isinstance(r, Question)])
    AuditEvent.objects.bulk_create(
        audit.event("source.imported", source, after=source.digest) for source in sources
    )
    return Stored(
        imported=len(new),
        skipped=len(records) - len(new),
        forms=Counter(str(source.form) for source in sources),
        licences=Counter(source.licence for source in sources),
    )


def _is_known(record: Record) -> bool:
    return not isinstance(record, Question) and record.success is not Success.UNCONFIRMED


def _confirm(source: Source, record: Record) -> None:
    """Take over what a report says of a run or prediction that was imported before there was one."""
    if isinstance(record, Question) or not _is_known(record):
        return
    if source.success == Success.UNCONFIRMED:
        Source.objects.filter(pk=source.pk).update(success=record.success)
        audit.record(
            f"source.{record.success}", source, before=source.success, after=record.success
        )


def _store_questions(pairs: Sequence[tuple[Source, Question]]) -> None:
    candidates = Candidate.objects.bulk_create(
        Candidate(subtask=question.subtask, source=source, cut=0) for source, question in pairs
    )
    revisions = Revision.objects.bulk_create(
        Revision(
            candidate=candidate,
            number=1,
            slots=dict(question.slots),
            gold=list(question.gold),
        )
        for candidate, (_source, question) in zip(candidates, pairs, strict=True)
    )
    Option.objects.bulk_create(
        [
            Option(revision=revision, position=position, text=storable(text), operator="imported")
            for revision, (_source, question) in zip(revisions, pairs, strict=True)
            for position, text in enumerate(question.options)
        ],
        batch_size=500,
    )
    AuditEvent.objects.bulk_create(
        audit.event("candidate.imported", candidate, after=candidate.state)
        for candidate in candidates
    )


def _task_of(record: Record) -> str:
    if isinstance(record, Document):
        return record.title
    return record.task if isinstance(record, Trajectory) else ""


def _long_texts(record: Record) -> list[str]:
    if isinstance(record, Question):
        return [""]
    if isinstance(record, Document):
        return [record.title, *(section.text for section in record.sections)]
    texts = [record.task, *(step.observation for step in record.steps)]
    return [*texts, record.system] if record.system else texts


def _source_fields(record: Record) -> dict[str, Any]:
    """Return the columns that hold no long text; ``outcome`` never reaches a prompt."""
    place = record.provenance
    fields: dict[str, Any] = {
        "kind": place.kind,
        "external_id": storable(place.external_id),
        "cluster": storable(place.cluster)[:500],
        "language": record.language,
        "licence": storable(place.licence),
        "url": storable(place.url),
        "place": storable(place.where),
        "model": storable(place.model),
        "tools": []
        if isinstance(record, Document)
        else [_tool_fields(tool) for tool in record.tools],
        "notes": [asdict(note) for note in record.notes],
    }
    if isinstance(record, Trajectory):
        return fields | {
            "form": SourceForm.TRAJECTORY,
            "outcome": asdict(record.outcome),
            "success": record.success,
        }
    if isinstance(record, Document):
        return fields | {
            "form": SourceForm.DOCUMENT,
            "raw": dict(record.facts),
            "success": record.success,
        }
    return fields | {
        "form": SourceForm.QUESTION,
        "outcome": {
            "reference_answer": record.reference_answer,
            "shown_actions": list(record.shown_actions),
        },
        "raw": dict(record.raw),
        # A ready-made row has no run of its own whose success could be confirmed.
        "success": Success.CONFIRMED,
    }


def _tool_fields(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "arguments": dict(tool.arguments),
        "required": list(tool.required),
    }
