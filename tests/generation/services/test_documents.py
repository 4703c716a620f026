"""A document is stored once, section by section, and read back as it was."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from generation.core.records import Document, Language, Note, Provenance, Section, Success
from generation.models import AuditEvent, Source, SourceForm, Text
from generation.models import Section as SectionRow
from generation.services.documents import load_document
from generation.services.sources import store_records

pytestmark = pytest.mark.django_db


def document(**fields: Any) -> Document:
    given: dict[str, Any] = {
        "provenance": Provenance("readme", "acme/kiln", "acme/kiln", "README.md:1", "MIT"),
        "language": Language.EN,
        "title": "acme/kiln",
        "sections": (
            Section("prose", "How to fire it.", "Use", facts={"level": 2}),
            Section("command", "kiln --heat 900", "Use", is_future=True),
        ),
        "facts": {"files": ["kiln.py"]},
        "success": Success.CONFIRMED,
        "notes": (Note("unclosed_fence", "line 3", "it ends with the file"),),
    }
    return Document(**given | fields)


def test_a_document_is_read_back_as_it_was_stored():
    store_records([document()])
    source = Source.objects.get()
    assert source.form == SourceForm.DOCUMENT
    assert load_document(source) == document()


def test_a_document_that_is_there_is_skipped_and_its_texts_are_stored_once():
    first = store_records([document()])
    moved = document(provenance=Provenance("readme", "x", "acme/kiln", "other.md:1"), facts={})
    again = store_records([moved, document()])
    assert (first.imported, again.imported, again.skipped) == (1, 0, 2)
    assert Text.objects.filter(body="kiln --heat 900").count() == 1
    assert AuditEvent.objects.filter(action="source.imported").count() == 1


def test_another_section_makes_another_document():
    longer = document(sections=(*document().sections, Section("prose", "Cool it.")))
    store_records([document(), longer])
    assert Source.objects.count() == 2


def test_the_database_refuses_a_second_section_of_a_number():
    store_records([document()])
    row = SectionRow.objects.earliest("number")
    row.pk = None
    with (
        pytest.raises(IntegrityError, match=r"section_number_once|source_id"),
        transaction.atomic(),
    ):
        row.save(force_insert=True)


def test_nul_in_a_section_is_stored_as_a_mark():
    store_records([document(title="a\x00b", sections=(Section("prose", "c\x00d", "e\x00f"),))])
    stored = load_document(Source.objects.get())
    assert (stored.title, stored.sections[0].text, stored.sections[0].title) == (
        "a␀b",
        "c␀d",
        "e␀f",
    )


def test_what_a_later_import_finds_beside_a_document_is_added_once():
    store_records([document()])
    found = Section("requirements", "numpy", "requirements.txt")
    later = document(sections=(*document().sections, found), facts={"files": [], "commit": "0a1b"})
    for _again in range(2):
        assert store_records([later]).imported == 0
    stored = load_document(Source.objects.get())
    assert stored.sections == (*document().sections, found)
    assert stored.facts == {"files": ["kiln.py"], "commit": "0a1b"}
    assert AuditEvent.objects.filter(action="source.completed").count() == 1


def test_two_copies_in_one_batch_are_one_with_what_both_bring():
    found = Section("file_list", "kiln.py", "acme/kiln")
    first = document(sections=(*document().sections, found))
    second = document(facts={"labels": {"a": "b"}})
    stored = store_records([first, second])
    assert (stored.imported, stored.skipped) == (1, 1)
    merged = load_document(Source.objects.get())
    assert merged.sections[-1] == found
    assert merged.facts == {"files": ["kiln.py"], "labels": {"a": "b"}}


def test_a_report_that_comes_later_tells_that_a_prediction_failed():
    store_records([document(success=Success.UNCONFIRMED)])
    store_records([document(success=Success.FAILED)])
    assert Source.objects.get().success == "failed"
    assert AuditEvent.objects.filter(action="source.failed").count() == 1
