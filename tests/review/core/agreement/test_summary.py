"""What the page and the command say of a measure, above all at the edges."""

import json
from typing import Any

import pytest

from review.core.agreement.alpha import Scale
from review.core.agreement.as_json import agreement_json
from review.core.agreement.summary import agreement_of
from review.core.agreement.value import Value
from review.core.agreement.warnings import Kind
from tests.review.core.agreement.tables import table_of

KEYS = {
    "n_items",
    "n_pairable",
    "n_raters",
    "raw",
    "alpha",
    "ac1",
    "fleiss",
    "brennan_prediger",
    "pairs",
    "warnings",
}


def said(rows: Any, labels: Any = ("a", "b", "c"), scale: Scale = Scale.NOMINAL) -> dict[str, Any]:
    found = agreement_of(table_of(rows, labels), scale, seed=1, resamples=200)
    shown = agreement_json(found)
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown
    return shown


def kinds(rows: Any, labels: Any = ("a", "b", "c")) -> list[Kind]:
    found = agreement_of(table_of(rows, labels), Scale.NOMINAL, seed=1, resamples=200)
    return [warned.kind for warned in found.warnings]


def test_no_labels():
    shown = said([])
    assert shown["warnings"] == ["No labels yet"]
    assert shown["alpha"] == {
        "value": None,
        "low": None,
        "high": None,
        "undefined_resamples": 0,
        "reason": "No labels yet",
    }
    assert shown["raw"] is shown["ac1"] is shown["fleiss"] is shown["brennan_prediger"] is None
    assert shown["reason"] == "No labels yet"
    assert shown["n_items"] == shown["n_pairable"] == shown["n_raters"] == 0


@pytest.mark.parametrize("rows", [[["a"], ["b"]], [["a", None], [None, "b"]]])
def test_no_item_with_two_labels(rows):
    shown = said(rows)
    assert shown["warnings"] == ["0 items have 2 or more labels"]
    assert shown["reason"] == shown["alpha"]["reason"] == "0 items have 2 or more labels"
    assert (shown["n_items"], shown["n_pairable"], shown["pairs"]) == (2, 0, [])


def test_alpha_whose_resamples_all_have_one_label_says_why_it_has_no_interval():
    # Of 20 seeds about half draw one of the two items twice in their only resample.
    table = table_of([["a", "a"], ["b", "b"]])
    drawn = [agreement_of(table, Scale.NOMINAL, seed=seed, resamples=1) for seed in range(20)]
    alphas = [agreement_json(found)["alpha"] for found in drawn]
    missing = {
        "value": 1.0,
        "low": None,
        "high": None,
        "undefined_resamples": 1,
        "reason": "no resample has two different labels",
    }
    whole = {"value": 1.0, "low": 1.0, "high": 1.0, "undefined_resamples": 0}
    assert all(alpha in (missing, whole) for alpha in alphas)
    assert missing in alphas
    assert whole in alphas


def test_all_the_same_label():
    shown = said([["a", "a"]] * 40)
    assert shown["raw"] == 1
    assert shown["alpha"]["value"] is shown["alpha"]["low"] is shown["fleiss"] is None
    assert shown["alpha"]["reason"] == shown["reason"] == "only one label used"
    assert shown["ac1"] == shown["brennan_prediger"] == 1
    assert shown["pairs"] == [
        {
            "raters": ["r0", "r1"],
            "n": 40,
            "raw": 1.0,
            "cohen": None,
            "reason": "both used only one and the same label",
        }
    ]
    assert shown["warnings"] == [
        "100 % raw; alpha and kappa undefined: only one label used (a)",
        "prevalence: 100 % of labels are a; two independent raters with these shares of labels "
        "would reach AC1 1.00",
    ]


def test_defined_numbers_have_the_keys_of_the_format_and_no_reason():
    shown = said([["a", "a"], ["b", "b"], ["a", "b"], ["c", "c"]] * 20)
    assert set(shown) == KEYS
    assert set(shown["alpha"]) == {"value", "low", "high", "undefined_resamples"}
    assert set(shown["pairs"][0]) == {"raters", "n", "raw", "cohen"}
    assert shown["warnings"] == []
    assert shown["alpha"]["low"] < shown["alpha"]["value"] < shown["alpha"]["high"]


def test_ordered_labels_also_have_quadratic_numbers():
    shown = said([[0, 0], [1, 2], [3, 3], [2, 2], [1, 0]] * 8, range(4), Scale.ORDINAL)
    assert set(shown) == KEYS | {"weighted"}
    assert set(shown["weighted"]) == {"raw", "ac2", "fleiss", "brennan_prediger"}
    # 2 of 5 are one place apart, which is worth 1 - 1/9: raw 1 - 2/45.
    assert shown["weighted"]["raw"] == pytest.approx(1 - 2 / 45)
    assert shown["pairs"][0]["cohen_quadratic"] > shown["pairs"][0]["cohen"]


def test_sets_have_alpha_and_raw_and_say_why_they_have_no_more():
    rows = [[frozenset(x) for x in row] for row in (("AB", "AB"), ("A", "AB"), ("C", "C"))]
    shown = said(rows * 12, None, Scale.SETS)
    assert shown["raw"] == pytest.approx(2 / 3)
    assert 0 < shown["alpha"]["value"] < 1
    assert shown["ac1"] is shown["fleiss"] is shown["brennan_prediger"] is None
    assert shown["reason"] == "answers are sets: no fixed list of labels"


@pytest.mark.parametrize(("same", "warns"), [(32, True), (31, False)])
def test_eighty_percent_of_one_label_warn(same, warns):
    rows = [["a", "a"]] * same + [["b", "b"]] * (40 - same)
    assert (Kind.PREVALENCE in kinds(rows)) == warns


def test_far_apart_coefficients_warn_below_eighty_percent():
    # 75 % of labels are a, and nobody agrees on b.
    rows = [["a", "a"]] * 30 + [["a", "b"], ["b", "a"]] * 15
    shown = said(rows)
    assert shown["ac1"] - shown["alpha"]["value"] >= 0.2
    assert any("far apart" in text for text in shown["warnings"])


@pytest.mark.parametrize(("items", "warns"), [(29, True), (30, False)])
def test_fewer_than_thirty_items_are_too_few(items, warns):
    rows = [["a", "a"] if n % 3 else ["b", "b"] for n in range(items)]
    texts = said(rows)["warnings"]
    expected = ["too few to conclude: 29 items with 2 or more labels, 30 are needed"]
    assert texts == (expected if warns else [])


def test_wide_interval_is_too_few():
    rows = [["a", "a"]] * 12 + [["b", "b"]] * 10 + [["a", "b"], ["b", "a"]] * 5
    shown = said(rows)
    assert shown["alpha"]["high"] - shown["alpha"]["low"] > 0.4
    assert any(text.startswith("too few to conclude: the 95 %") for text in shown["warnings"])


def test_constant_reviewer_is_named():
    found = agreement_of(
        table_of([["a", "a"], ["a", "b"], ["a", "a"], ["a", "b"]]), Scale.NOMINAL, seed=1
    )
    constant = [warned for warned in found.warnings if warned.kind is Kind.CONSTANT_RATER]
    assert [warned.rater for warned in constant] == ["r0"]
    assert constant[0].text == "r0 always says a (4 items labelled)"
    assert found.pairs[0].cohen.number == 0


def test_single_answer_makes_nobody_constant():
    assert Kind.CONSTANT_RATER not in kinds([["a", "b"]])


@pytest.mark.parametrize(
    ("number", "reason"), [(float("nan"), ""), (float("inf"), ""), (None, ""), (0.5, "why")]
)
def test_value_is_a_finite_number_or_a_reason(number, reason):
    with pytest.raises(ValueError, match=r"no number to show|a number or a reason"):
        Value(number, reason)
