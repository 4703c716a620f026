import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.scorer import Status, em_norm, grade, item_from_row
from review.core.scorer.grading import grade_prediction
from review.core.scorer.predictions import Prediction
from tests.review.core.scorer.make_export import make_answer, make_choices, make_command, make_row

CHOICE = item_from_row(make_row("a"), "row")
CHOICES = item_from_row(make_choices("c", ["A", "C"]), "row")
COMMAND = item_from_row(make_command("d", "make test"), "row")
ANSWER = item_from_row(make_answer("e", "Paris"), "row")


@pytest.mark.parametrize(
    ("item", "prediction", "status", "right"),
    [
        (CHOICE, Prediction("B)"), Status.PARSED, 1),
        (CHOICE, Prediction("C)"), Status.PARSED, 0),
        (CHOICE, Prediction("well"), Status.UNPARSED, 0),
        (CHOICE, Prediction("I say (A), (B)"), Status.AMBIGUOUS, 0),
        (CHOICE, Prediction("F)"), Status.OUT_OF_RANGE, 0),
        (CHOICE, Prediction(""), Status.EMPTY, 0),
        (CHOICE, Prediction(None), Status.EMPTY, 0),
        (CHOICE, Prediction(None, error="timeout"), Status.ERROR, 0),
        (CHOICE, Prediction("B)", error="timeout"), Status.ERROR, 0),
        (CHOICE, None, Status.MISSING, 0),
        (CHOICE, Prediction("B)", truncated_prompt=True), Status.TRUNCATED_PROMPT, 1),
        (CHOICE, Prediction(None, truncated_prompt=True), Status.TRUNCATED_PROMPT, 0),
        (CHOICE, Prediction("Let me think", finish_reason="length"), Status.CUT_BY_CAP, 0),
        (CHOICE, Prediction("B) so", finish_reason="length"), Status.PARSED, 1),
        (CHOICES, Prediction("A, C)"), Status.PARSED, 1),
        (CHOICES, Prediction("A, C, E)"), Status.OUT_OF_RANGE, 0),
        (COMMAND, Prediction("make  test\n```"), Status.PARSED, 1),
        (COMMAND, Prediction("make 'test"), Status.UNPARSED, 0),
        (COMMAND, Prediction("```"), Status.EMPTY, 0),
        (COMMAND, Prediction("make te", finish_reason="length"), Status.CUT_BY_CAP, 0),
        (COMMAND, Prediction("make test\nmake", finish_reason="length"), Status.PARSED, 1),
        (ANSWER, Prediction("paris]"), Status.PARSED, 1),
        (ANSWER, Prediction("]"), Status.EMPTY, 0),
        (ANSWER, Prediction("Par", finish_reason="length"), Status.CUT_BY_CAP, 0),
    ],
)
def test_each_item_counts_once_with_its_why(item, prediction, status, right):
    grade_ = grade_prediction(item, prediction)
    assert (grade_.status, grade_.values[item.headline]) == (status, right)


def test_sets_are_judged_by_equality_overlap_and_f1():
    assert grade(CHOICES, "A)").values == {
        "set_accuracy": 0,
        "jaccard": 0.5,
        "option_f1": pytest.approx(2 / 3),
    }
    assert grade(CHOICES, "A,B,C").values["option_f1"] == pytest.approx(0.8)


def test_an_unparsed_output_never_equals_an_empty_gold():
    nothing = item_from_row(make_choices("c", []), "row")
    for output in ("", "none of them", "(F)"):
        assert set(grade(nothing, output).values.values()) == {0.0}


def test_any_acceptable_text_counts():
    item = item_from_row(make_answer("e", "x") | {"gold": ["USA", "United States"]}, "row")
    values = grade(item, "united states]").values
    assert (values["em_norm"], values["em_strict"], values["rouge1"]) == (1, 0, 1)


def test_blind_completions_are_compared_by_their_reader():
    assert em_norm("command", "make  test;", "make test")
    assert em_norm("answer", "Paris.", "paris")
    assert not em_norm("command", "Make", "make")
    with pytest.raises(ValueError, match="letter"):
        em_norm("letter", "A", "A")


@given(st.text(), st.sampled_from([CHOICE, CHOICES, COMMAND, ANSWER]))
def test_every_text_gets_a_grade_in_range(output, item):
    grade_ = grade(item, output)
    assert all(0 <= value <= 1 for value in grade_.values.values())
    assert item.headline in grade_.values
