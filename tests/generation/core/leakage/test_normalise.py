"""Normalised text and the way back to the original offsets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.leakage.normalise import normalise

PIECES = st.sampled_from([
    "word", "Ünïcode", "ＷＩＤＥ", "ﬁne", "中文", "\u200b", "\x1b[31m", "\\n", "\\u4e2d", '\\"',
    "  ", "\t\n", "\r\n", "e\u0301", "ß", "😀", "\\ud83d\\ude00", "\ud800", "①", "\x00", "\\",
])  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello  WORLD", "hello world"),
        ("ＡＢＣ　ﬁne ①", "abc fine 1"),
        ("a\u200bb\ufeffc\u00add", "abcd"),
        ("\x1b[1;31mred\x1b[0m \x1b]0;title\x07x", "red x"),
        ("one\\ntwo\\tthree", "one\ntwo three"),
        ('say \\"yes\\" to http:\\/\\/x', 'say "yes" to http://x'),
        ("\\u4e2d\\u6587 \\ud83d\\ude00", "中文 😀"),
        ("caf\u00e9 = cafe\u0301", "cafe = cafe"),
        ("straße", "strasse"),
        ("a \t b\r\n  c", "a b\nc"),
        ("", ""),
        ("\\", "\\"),
        ("ends \\u12", "ends \\u12"),
    ],
)
def test_different_spellings_become_one(text, expected):
    assert normalise(text).text.replace(" \n", "\n") == expected


@pytest.mark.parametrize(
    ("text", "found", "original"),
    [
        ("xx ＡＢＣ yy", "abc", "ＡＢＣ"),
        ("a\\u4e2d\\u6587b", "中文", "\\u4e2d\\u6587"),
        ("the ﬁne art", "fine", "ﬁne"),
        ("wo\x1b[31mrd", "word", "wo\x1b[31mrd"),
        ("一\\ud83d\\ude00二", "😀", "\\ud83d\\ude00"),
        ("😀😀 here", "here", "here"),
    ],
)
def test_offsets_lead_back_to_the_original_characters(text, found, original):
    normalised = normalise(text)
    start = normalised.text.index(found)
    begin, end = normalised.original_span(start, start + len(found))
    assert text[begin:end] == original


@given(st.lists(PIECES, max_size=12).map("".join))
def test_offsets_are_in_order_and_inside(text):
    normalised = normalise(text)
    begins, ends = normalised.begins.tolist(), normalised.ends.tolist()
    assert begins == sorted(begins)
    assert all(0 <= b < e <= len(text) for b, e in zip(begins, ends, strict=True))
    assert len(normalised.text) == len(begins)


@given(st.text(st.characters(codec="ascii", exclude_characters="\\\x1b"), max_size=60))
def test_plain_text_only_loses_case_and_blanks(text):
    assert "".join(normalise(text).text.split()) == "".join(text.casefold().split())


@given(st.text(max_size=40))
def test_normalising_twice_changes_no_word(text):
    once = "".join(normalise(text.replace("\\", "")).text.split())
    assert "".join(normalise(once).text.split()) == once
