"""Joined texts are taken apart, and it is said where that is a guess."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.importers.choices import parse_choices
from generation.core.importers.commands import split_commands

OPTION = st.text(alphabet="ab \n.;", max_size=12)


@given(st.lists(OPTION, min_size=2, max_size=7), st.sampled_from(["\n", " "]))
def test_options_are_found_again_however_they_were_joined(options, separator):
    text = separator.join(f"({'ABCDEFG'[n]}) {option}" for n, option in enumerate(options))
    found = parse_choices(text)
    assert (found.options, found.strays) == (tuple(options), ())


def test_labels_at_line_starts_are_believed_before_labels_inside_a_line():
    found = parse_choices("(A) see (B) below\n(B) x\n(C) y")
    assert found.options == ("see (B) below", "x", "y")
    assert found.strays == ("B",)


def test_a_letter_beyond_the_last_option_is_text():
    assert parse_choices("(A) f(X) \n(B) y").strays == ()


@pytest.mark.parametrize("text", ["", "no label", "(B) late", "(A)x"])
def test_a_text_without_the_first_label_has_no_option(text):
    assert parse_choices(text).options == ()


def test_an_empty_last_option_is_an_option():
    assert parse_choices("(A) x\n(B)").options == ("x", "")


@pytest.mark.parametrize(
    ("joined", "commands", "certain"),
    [
        ("cd a;ls", ("cd a", "ls"), True),
        ("", (), True),
        ("echo \\;;ls", ("echo \\;", "ls"), True),
        ('echo "a";ls', ('echo "a"', "ls"), True),
        ('echo "a;b"', ('echo "a;b"', 'echo "a', 'b"'), False),
        ("echo 'open;ls", ("echo 'open;ls", "echo 'open", "ls"), False),
        ("for f in *;do x;done", ("for f in *", "do x", "done"), False),
    ],
)
def test_commands_are_split_outside_quotes(joined, commands, certain):
    assert split_commands(joined) == (commands, certain)
