"""Prompts of other sets are cut before the asked question and filled in one pass."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.official_prompts import OfficialPromptError, read_prompt

MARKS = ("$ISSUE$", "$CHOICES$")
SHOT = "Task: pick.\nIssue: the lid costs $A$.\nOptions: (A) x (B) y\nAnswer: (A)"
ASKED = "Task: pick.\nIssue: $ISSUE$\nOptions: $CHOICES$\nAnswer: ("
TEXT = f"{SHOT}\n\n\n{ASKED}"

pieces = st.text(max_size=20) | st.sampled_from(["$CHOICES$", "$ISSUE$", "\\1", "$", "(B) $ISSUE$"])


def test_question_begins_after_the_last_empty_line_before_its_placeholders():
    prompt = read_prompt(TEXT, MARKS)
    assert prompt.head == f"{SHOT}\n\n\n"
    assert prompt.block == ASKED


def test_prompt_without_examples_has_no_head():
    assert read_prompt(ASKED, MARKS).head == ""


def test_empty_line_inside_the_question_does_not_cut_it_at_a_placeholder():
    prompt = read_prompt("Issue: $ISSUE$\n\nOptions: $CHOICES$\n(", MARKS)
    assert prompt.block == "Issue: $ISSUE$\n\nOptions: $CHOICES$\n("


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Issue: $ISSUE$\n(", r"placeholder \$CHOICES\$ is missing"),
        ("", r"placeholder \$CHOICES\$, \$ISSUE\$ is missing"),
        (f"{ASKED}$HINT$", r"no field of a row fills placeholder \$HINT\$"),
    ],
)
def test_placeholder_that_is_missing_or_unknown_is_named(text, why):
    with pytest.raises(OfficialPromptError, match=why):
        read_prompt(text, MARKS)


def test_formula_in_an_example_is_no_placeholder():
    assert "$A$" in read_prompt(TEXT, MARKS).head


@given(pieces, pieces)
def test_head_and_block_are_the_whole_text_filled_in_one_pass(issue, choices):
    prompt = read_prompt(TEXT, MARKS)
    filled = prompt.head + prompt.fill({"$ISSUE$": issue, "$CHOICES$": choices})
    before, between, after = f"{SHOT}\n\n\nTask: pick.\nIssue: ", "\nOptions: ", "\nAnswer: ("
    assert filled == before + issue.strip() + between + choices.strip() + after


@given(st.text(max_size=200), st.text(max_size=50))
def test_any_text_is_cut_without_loss_or_refused(before, after):
    text = f"{before}$ISSUE${after}"
    try:
        prompt = read_prompt(text, ["$ISSUE$"])
    except OfficialPromptError:
        return
    assert prompt.head + prompt.block == text
    assert "$ISSUE$" not in prompt.head
