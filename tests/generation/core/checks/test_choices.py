"""The checks of a choice item's options and labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.checks import (
    ambiguous_choice_labels,
    answer_out_of_range,
    duplicate_choice,
    gold_fully_covered_by_distractors,
    near_duplicate_choice,
    overlapping_snippet,
    unexpected_choice_count,
)
from generation.core.near_texts import LONGEST_DIFFERENCE, similarity
from tests.generation.core.checks.make import LOCATE, PATCH, answer, choice, make_item


def fields(findings):
    return [finding.field for finding in findings]


@pytest.mark.parametrize("label", ["C", "a", "AB", "1", "", "É"])
def test_a_gold_label_without_an_option_is_out_of_range(label):
    (finding,) = answer_out_of_range.check(make_item(options=("x", "y"), gold=(label,)))
    assert finding.evidence == f"gold label {label!r} has no option: there are 2"


def test_a_choice_item_without_gold_is_out_of_range():
    (finding,) = answer_out_of_range.check(make_item(options=("x", "y"), gold=()))
    assert finding.evidence == "no gold label is given for 2 options"


def test_labels_of_options_and_texts_of_answers_are_in_range():
    assert not [*answer_out_of_range.check(choice("x", "y", gold="AB"))]
    assert not [*answer_out_of_range.check(answer("Z"))]


def test_a_label_of_the_item_inside_an_option_is_ambiguous_and_its_place_is_given():
    item = choice("f(x)", "as in (A) above")
    (finding,) = ambiguous_choice_labels.check(item)
    assert finding.field == "option:1"
    assert item.options[1][finding.start : finding.end] == finding.evidence == "(A)"


@pytest.mark.parametrize("text", ["see (C) here", "f(A).b", "(a) x", "( A ) x"])
def test_what_no_reader_takes_for_a_label_of_two_options_is_text(text):
    assert not [*ambiguous_choice_labels.check(choice(text, "y"))]


def test_options_that_differ_in_case_and_blanks_alone_are_duplicates():
    findings = duplicate_choice.check(choice("Run the tests", "run  the tests ", "Open setup.py"))
    assert fields(findings) == ["option:1"]


def test_every_repetition_is_flagged_once_against_the_first():
    findings = [*duplicate_choice.check(choice("x", "x", "y", "X"))]
    assert fields(findings) == ["option:1", "option:3"]
    assert all("same as (A)" in finding.evidence for finding in findings)


def test_patches_that_differ_in_case_or_indentation_are_different():
    patches = ("+return True", "+return true", "+    return True")
    assert not [*duplicate_choice.check(choice(*patches, subtask=PATCH))]
    assert [*duplicate_choice.check(choice("+x\n", "+x  ", subtask=PATCH))]


def test_options_are_nearly_equal_from_a_ratio_of_097():
    # 2 * matched / total: 97 of 100 characters are the same, then 96 of 100.
    same, near, far = "a" * 100, "a" * 97 + "bcd", "a" * 96 + "wxyz"
    (finding,) = near_duplicate_choice.check(choice(same, near, far))
    assert finding.evidence == "(B) is nearly (A): ratio 0.970"


def test_equal_options_are_not_also_nearly_equal():
    assert not [*near_duplicate_choice.check(choice("Run it", "run it"))]


@given(st.text(max_size=50), st.text(max_size=50))
def test_similarity_lies_between_none_and_whole(left, right):
    assert 0 <= similarity(left, right) <= 1
    assert similarity(left, left) == 1


@given(st.text(max_size=40), st.text(min_size=100, max_size=200), st.text(max_size=40))
def test_one_added_character_leaves_long_texts_nearly_equal(before, middle, after):
    assert similarity(before + middle + after, before + "x" + middle + after) > 0.97


def test_long_differences_are_not_aligned():
    shared = "s" * 10**6
    left = "a" + "bc" * LONGEST_DIFFERENCE + "d"
    right = "d" + "cb" * LONGEST_DIFFERENCE + "a"
    assert similarity(shared + left, shared + right) == 0


SNIPPETS = (
    "def f():\n    x = 1\n    return x",
    "import os\n\ndef f():\n    x = 1",
    "    x = 1\n    return x\n\ndef g():",
    "def h():\n    return x",
)


def test_a_gold_whose_lines_all_stand_in_distractors_is_covered():
    (finding,) = gold_fully_covered_by_distractors.check(choice(*SNIPPETS, subtask=LOCATE))
    assert (finding.field, finding.severity) == ("option:0", 3)


def test_a_gold_with_a_line_of_its_own_is_not_covered():
    item = choice(*SNIPPETS, gold="B", subtask=LOCATE)
    assert not [*gold_fully_covered_by_distractors.check(item)]


def test_options_of_other_subtasks_may_share_lines():
    assert not [*gold_fully_covered_by_distractors.check(choice(*SNIPPETS))]
    assert not [*overlapping_snippet.check(choice(*SNIPPETS))]


def test_distractors_with_two_neighbouring_lines_of_gold_overlap():
    findings = overlapping_snippet.check(choice(*SNIPPETS, subtask=LOCATE))
    assert fields(findings) == ["option:1", "option:2"]


def test_without_a_gold_option_nothing_is_covered_or_overlapped():
    item = choice(*SNIPPETS, gold="E", subtask=LOCATE)
    assert not [*gold_fully_covered_by_distractors.check(item), *overlapping_snippet.check(item)]


def test_a_count_of_options_that_the_subtask_does_not_have_is_unexpected():
    (finding,) = unexpected_choice_count.check(choice("x", "y", subtask=LOCATE))
    assert finding.evidence == "2 options where issue_fix_locate has 4"
    (finding,) = unexpected_choice_count.check(choice("x"))
    assert finding.evidence == "1 option where closed_plan_en has 2 to 7"


def test_a_count_in_the_range_and_a_completion_are_as_expected():
    assert not [*unexpected_choice_count.check(choice("x", "y"))]
    assert not [*unexpected_choice_count.check(answer("x"))]
