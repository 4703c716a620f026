import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.display import one_line, shown, size_of

HOSTILE = st.text(
    st.sampled_from("ab \n\t\r\x00\x07\x08\x1b[]0;m\\\x7f\x9b\u200b\u202e\u2066\ufeff\U000e0041é中")
)


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]8;;javascript:alert(1)\x07link\x1b]8;;\x07", "link"),
        ("\x1b]0;title\x1b\\x", "x"),
        ("\x1b(B\x1b=x", "x"),
        ("a\x1b", "a␛"),
        ("\x00\x08\x7f", "␀␈␡"),
        ("\x9b31m", "⟪U+009B⟫31m"),
        ("\u202eevil\u202c", "⟪U+202E⟫evil⟪U+202C⟫"),
        ("ze\u200bro\ufeff", "ze⟪U+200B⟫ro⟪U+FEFF⟫"),
        ("\u2028", "⟪U+2028⟫"),
        ("a\ud800b", "a\ufffdb"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("{{ gold }} {% load x %} <b>", "{{ gold }} {% load x %} <b>"),
    ],
)
def test_what_is_seen_of_what_was_printed(typed, seen):
    assert shown(typed).text == seen


def test_progress_keeps_its_first_and_last_state():
    bar = "".join(f"\r{n}%" for n in range(101)) + "\ndone"
    assert shown(bar).text == "0%␍\n⟪99 × rewritten⟫␍\n100%\ndone"


def test_a_line_rewritten_once_hides_nothing():
    assert shown("rm -rf /\recho hello").text == "rm -rf /␍\necho hello"


def test_sequence_that_never_ends_swallows_nothing():
    assert shown("\x1b]0;" + "secret " * 1_000).text.count("secret") == 1_000


def test_hidden_characters_are_counted():
    assert shown("a\u200b\u202eb é").hidden == 2
    assert shown("é 中").hidden == 0


@given(HOSTILE)
def test_nothing_seen_can_control_a_terminal_or_hide(text):
    seen = shown(text).text
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]", seen
    )


@given(HOSTILE)
def test_showing_twice_changes_nothing(text):
    seen = shown(text).text
    assert shown(seen).text == seen


@given(st.text(st.characters(exclude_categories=["C", "Z", "M"])))
def test_ordinary_text_is_untouched(text):
    text = re.sub("[\u115f\u1160\u3164\uffa0]", "", text)
    assert shown(text).text == text


@pytest.mark.parametrize(
    ("characters", "words"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1_000, "1.0 KB"),
        (3_149, "3.1 KB"),
        (999_949, "999.9 KB"),
        (999_950, "1.0 MB"),
        (2_000_000, "2.0 MB"),
    ],
)
def test_size_in_words(characters, words):
    assert size_of(characters) == words


def test_one_line_is_the_first_that_holds_a_word():
    assert one_line("\n\n  git \x1b[1mstatus\x1b[0m \nmore") == "git status"
    assert one_line("") == ""
    assert one_line("x" * 100, limit=10) == "x" * 9 + "…"
