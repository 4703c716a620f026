"""The Chinese catalogue says every text of the project, and nothing else."""

import re
from gettext import GNUTranslations

import pytest

from tests.translation import catalogue
from tests.translation.extraction import Use, messages, uses

_PLACE = re.compile(r"%\((\w+)\)[sd]")
BROUGHT_UP_TO_DATE = "run `python -m tests.translation`, then translate what it lists"


@pytest.fixture(scope="module")
def kept():
    return catalogue.read()


@pytest.fixture(scope="module")
def found():
    return uses()


def forms(value) -> list[str]:
    return list(value) if isinstance(value, tuple | list) else [value]


def test_every_text_is_there_and_translated_and_none_is_left_over(kept, found):
    there = {
        (forms(message.id)[0], forms(message.id)[-1], message.context or "") for message in kept
    }
    wanted = {
        (text.singular, text.plural or text.singular, text.context) for text in messages(found)
    }
    assert there - {("", "", "")} == wanted, BROUGHT_UP_TO_DATE
    assert catalogue.untranslated(kept) == [], BROUGHT_UP_TO_DATE
    assert [message.id for message in kept if message.fuzzy and message.id] == []
    assert list(kept.obsolete) == []


def test_values_have_a_place_in_every_translation(kept):
    for message in kept:
        if not message.id:
            continue
        wanted = set(_PLACE.findall(forms(message.id)[-1]))
        for text in forms(message.string):
            assert set(_PLACE.findall(text)) == wanted, message.id
            if "%(" in text or "%%" in text:
                assert text % dict.fromkeys(wanted, 1)  # no sign of percent stands alone


def test_the_compiled_file_says_what_the_text_says(kept, tmp_path):
    fresh = tmp_path / "fresh.mo"
    fresh.write_bytes(catalogue.compiled(kept))

    def said(path):
        with path.open("rb") as file:
            return vars(GNUTranslations(file))["_catalog"]

    ours = said(catalogue.COMPILED)
    assert {key: text for key, text in ours.items() if key} == {
        key: text for key, text in said(fresh).items() if key
    }, BROUGHT_UP_TO_DATE


def test_bringing_up_to_date_changes_nothing_that_is_up_to_date(kept):
    assert catalogue.as_text(catalogue.updated(kept)) == catalogue.TEXT.read_bytes()


# Sentences that come from elsewhere, each from a closed set that another test holds.
INDIRECT = frozenset(
    {
        "review/views/dispute_page.py",  # the lines of review.core.dispute
        "review/views/disputes.py",
        "review/views/told.py",
    }
)


def test_texts_are_literals_where_a_translation_is_asked_for(found: list[Use]):
    assert {use.file for use in found if use.message is None} <= INDIRECT


def test_chinese_stands_in_chinese_punctuation(kept):
    for message in kept:
        for text in forms(message.string) if message.id else []:
            assert not re.search(r"[一-鿿][,;:?!](?:\s|$|[一-鿿])", text), text
            assert "您" in text or "你" not in text, text
