import pytest

from generation.core.checks import hostile_characters, mojibake
from tests.generation.core.checks.make import answer, choice


@pytest.mark.parametrize("text", ["caf\ufffd", "cafÃ©", "itâ€™s", "Ã¼ber"])
def test_wrongly_decoded_text_is_found(text):
    (finding,) = mojibake.check(answer(text))
    assert (finding.field, finding.severity) == ("gold", 2)
    assert finding.evidence in text


@pytest.mark.parametrize("text", ["café", "São", "MÃE", "€ 5", "中文"])
def test_well_decoded_text_is_left_alone(text):
    assert not [*mojibake.check(answer(text))]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a\x1b[31mb", "U+001B"),
        ("a\0b", "U+0000"),
        ("a\u202eb", "U+202E"),
        ("a\u200bb", "U+200B"),
        ("a\u2066b", "U+2066"),
        ("a\U000e0041b", "U+E0041"),
        ("\ufeffa", "U+FEFF"),
    ],
)
def test_characters_that_hide_or_act_are_named(text, code):
    (finding,) = hostile_characters.check(answer(text * 2))
    assert finding.evidence == f"{code} is the first of 2"


@pytest.mark.parametrize("text", ["a\tb\r\nc", "👩\u200d💻", "می\u200cخواهم", "e\u0301"])
def test_characters_of_ordinary_writing_are_not_hostile(text):
    assert not [*hostile_characters.check(answer(text))]


@pytest.mark.parametrize("check", [mojibake.check, hostile_characters.check])
def test_in_the_prompt_they_are_a_note_and_in_an_option_a_person_looks(check):
    bad = "\ufffd\u200b"
    item = choice("x", bad, slots={"task": bad})
    assert [(f.field, f.severity) for f in check(item)] == [("prompt", 1), ("option:1", 2)]
