import pytest

from review.core.scorer import item_from_row
from review.core.scorer.chance import baselines, chance_adjusted, chance_of
from tests.review.core.scorer.make_export import make_choices, make_command, make_row


def test_chance_is_one_of_k_and_one_of_all_nonempty_sets():
    assert chance_of(item_from_row(make_row("a"), "row")) == 0.25
    assert chance_of(item_from_row(make_choices("a", ["A"]), "row")) == pytest.approx(1 / 15)
    assert chance_of(item_from_row(make_command("a", "ls"), "row")) is None


def test_adjusting_puts_chance_at_zero_and_all_right_at_one():
    assert chance_adjusted(0.25, 0.25) == 0
    assert chance_adjusted(1.0, 0.25) == 1
    assert chance_adjusted(0.0, 0.25) == pytest.approx(-1 / 3)
    assert chance_adjusted(0.5, None) is None


def test_majority_label_and_longest_option_by_hand():
    long_b = [{"label": label, "text": "x" * (9 if label == "B" else 3)} for label in "ABCD"]
    rows = [
        make_row("1", gold=["B"], options=long_b),
        make_row("2", gold=["B"]),
        make_row("3", gold=["C"], options=long_b),
        make_row("4", gold=["A"]),
    ]
    # where all are equally long the first is taken, A: right in the last
    found = baselines([item_from_row(row, "row") for row in rows])
    assert found == {"majority_label": 0.5, "longest_option": 0.5}


def test_a_constant_command_counts_spellings_of_one_command_together():
    rows = [
        make_command(key, gold)
        for key, gold in zip("abc", ["ls  -l", "ls -l;", "pwd"], strict=True)
    ]
    found = baselines([item_from_row(row, "row") for row in rows])
    assert found == {"constant_command": pytest.approx(2 / 3)}
