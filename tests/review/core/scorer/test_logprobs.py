from math import exp

import pytest

from review.core.scorer import item_from_row
from review.core.scorer.logprobs import bits_per_byte, log_probability_values
from review.core.scorer.predictions import LogProbability, Prediction
from tests.review.core.scorer.make_export import make_answer, make_row

ITEM = item_from_row(make_row("a"), "row")  # gold B, options "plan A" and so on, 6 bytes each


def letters(**sums: float) -> dict[str, LogProbability]:
    return {label: LogProbability(total, 1, 1) for label, total in sums.items()}


def test_letter_scores_give_accuracy_probability_margin_and_brier_by_hand():
    values = log_probability_values(
        ITEM, Prediction(None, option_logprobs=letters(A=-2.0, B=-1.0, C=-2.0, D=-2.0))
    )
    gold = exp(-1) / (exp(-1) + 3 * exp(-2))
    other = (1 - gold) / 3
    assert values == {
        "letter_accuracy": 1.0,
        "gold_probability": pytest.approx(gold),
        "margin": pytest.approx(gold - other),
        "brier": pytest.approx((1 - gold) ** 2 + 3 * other**2),
    }


def test_equal_best_options_share_the_point():
    equal = letters(A=-1.0, B=-1.0, C=-1.0, D=-1.0)
    values = log_probability_values(ITEM, Prediction(None, option_logprobs=equal))
    assert values["letter_accuracy"] == 0.25
    assert values["margin"] == 0


def test_cloze_scores_are_compared_raw_per_token_and_per_byte():
    options = {
        "A": LogProbability(-3.0, 1, 6),
        "B": LogProbability(-4.0, 4, 6),
        "C": LogProbability(-9.0, 3, 60),
        "D": LogProbability(-9.0, 3, 6),
    }
    values = log_probability_values(ITEM, Prediction(None, option_logprobs=options))
    assert values["cloze_accuracy"] == 0
    assert values["cloze_accuracy_token"] == 1
    assert values["cloze_accuracy_byte"] == 0
    assert values["bits_per_byte"] == pytest.approx(bits_per_byte(-4.0, 6))


def test_bits_per_byte_of_gold_by_hand():
    item = item_from_row(make_answer("b", "爷爷奶奶"), "row")
    prediction = Prediction(None, gold_logprob=LogProbability(-12.5, 4, 12))
    assert log_probability_values(item, prediction) == {
        "bits_per_byte": pytest.approx(1.5028073343)
    }
