"""Statements made false in one place."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.operators.operator import Unfit, Wrong
from generation.core.operators.statement_edits import false_statement, numbers_in

NUMBERS = ["1749", "1902", "1934", "900", "18,000", "12", "31"]


@pytest.mark.parametrize(
    ("statement", "false"),
    [
        ("It was built in 1740.", "It was built in 1749."),
        ("It was the oldest of all.", "It was the newest of all."),
        ("天文台建于1740年。", "天文台建于1749年。"),
        ("河水向东流。", "河水向西流。"),
    ],
)
def test_one_number_or_relation_is_changed_for_a_likely_other(statement, false):
    wrong = false_statement(statement, ["1749"], Random(1))
    assert isinstance(wrong, Wrong)
    assert wrong.text == false
    assert wrong.reason.startswith("It says ")


def test_a_year_takes_one_of_the_nearest_years_and_no_other_number():
    found = {
        wrong.text
        for seed in range(60)
        if isinstance(wrong := false_statement("In 1931 it sank.", NUMBERS, Random(seed)), Wrong)
    }
    assert found == {"In 1934 it sank.", "In 1902 it sank.", "In 1749 it sank."}


def test_a_statement_without_number_or_relation_stays_true():
    assert isinstance(false_statement("Children climb on the wheel.", NUMBERS, Random(1)), Unfit)
    assert isinstance(false_statement("It cost 7 coins.", NUMBERS, Random(1)), Unfit)
    assert isinstance(false_statement("The 19th guest came.", ["20"], Random(1)), Unfit)


def test_numbers_are_read_once_each_in_order():
    assert numbers_in("In 1749 and 1,200 of 3.5, in 1749, by v2 and A4.") == [
        "1749",
        "1,200",
        "3.5",
    ]


@given(st.text(max_size=60), st.integers(0, 99))
def test_what_comes_back_is_another_text(statement, seed):
    wrong = false_statement(statement, NUMBERS, Random(seed))
    assert isinstance(wrong, Unfit) or wrong.text != statement
