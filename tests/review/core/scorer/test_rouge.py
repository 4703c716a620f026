import csv
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.scorer.rouge import Rouge, lcs_length, rouge, rouge_of_tokens, tokens
from tests.shared_data import REFERENCE, needs_shared


def table_lcs(left: Sequence[str], right: Sequence[str]) -> int:
    """The textbook table, as a second opinion."""
    row = [0] * (len(right) + 1)
    for one in left:
        above, row = row, [0]
        for place, other in enumerate(right):
            row.append(above[place] + 1 if one == other else max(above[place + 1], row[place]))
    return row[-1]


def test_tokens_are_single_han_characters_runs_of_letters_or_digits_and_single_marks():
    assert tokens("Python3.11 用于 C++，かな") == [
        *("python3", ".", "11", "用", "于", "c", "+", "+", "，", "か", "な"),
    ]


def test_overlap_is_counted_and_not_a_set():
    assert rouge("the the the the", "the cat").rouge1 == pytest.approx(1 / 3)


def test_forty_repeats_do_not_earn_two_thirds():
    assert rouge("answer" + " x" * 40, "answer").rouge1 == pytest.approx(2 / 42)


def test_order_matters_to_the_longest_common_subsequence_alone():
    scores = rouge("c b a", "a b c")
    assert list(scores) == pytest.approx([1, 0, 1 / 3])


def test_identical_chinese_is_one():
    assert rouge("西蒂韦尼·兰布卡", "西蒂韦尼·兰布卡") == Rouge(1.0, 1.0, 1.0)


def test_empty_against_empty_is_one_and_against_anything_else_zero():
    assert rouge("", " ") == Rouge(1.0, 1.0, 1.0)
    assert rouge("", "answer") == Rouge(0.0, 0.0, 0.0)
    assert rouge("answer", "") == Rouge(0.0, 0.0, 0.0)


@needs_shared
def test_the_reference_values_of_rouge_score_on_the_same_tokens_hold():
    with (REFERENCE / "rouge_reference.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 18
    for row in rows:
        if row["id"] == "both_empty":  # here the design differs: two empty texts are equal
            continue
        wanted = [float(row[f"rougescore_mixed_{kind}"]) for kind in ("r1", "r2", "rl")]
        assert rouge(row["prediction"], row["reference"]) == pytest.approx(wanted, abs=1e-9)


def test_two_thousand_tokens_on_each_side_give_the_table_s_number():
    left = [f"w{place * 7919 % 401}" for place in range(2000)]
    right = [f"w{place * 104729 % 397}" for place in range(2000)]
    assert lcs_length(left, right) == table_lcs(left, right)
    assert 0 < rouge(" ".join(left), " ".join(right)).rouge_l < 1


words = st.lists(st.sampled_from("abcde"), max_size=80)


@given(words, words)
def test_bit_parallel_length_equals_the_table(left, right):
    assert lcs_length(left, right) == table_lcs(left, right)


@given(words, words)
def test_scores_are_symmetric_and_in_range(left, right):
    scores = rouge_of_tokens(left, right)
    assert scores == rouge_of_tokens(right, left)
    assert all(0 <= value <= 1 for value in scores)


@given(st.text(), st.text())
def test_no_text_is_refused(left, right):
    assert len(rouge(left, right)) == 3
