"""Drill-down: which labels and which items lower a number; calibration of confidence."""

import pytest

from review.core.agreement.alpha import Scale
from review.core.agreement.calibration import calibration
from review.core.agreement.specific import by_label
from review.core.agreement.table import Rating, RatingTable
from review.core.agreement.worst import worst_items
from tests.review.core.agreement.tables import from_square, table_of


def test_specific_agreement_of_a_two_by_two_table():
    # Cicchetti and Feinstein: 2a / (2a + b + c) and 2d / (2d + b + c)
    found = {row.label: row for row in by_label(from_square([[80, 10], [5, 5]], ["+", "-"]))}
    assert found["+"].specific.number == pytest.approx(160 / 175)
    assert found["-"].specific.number == pytest.approx(10 / 25)
    assert found["+"].alpha.number == pytest.approx(0.31771429, abs=1e-6)
    assert (found["+"].given, found["-"].given) == (175, 25)
    assert found["-"].share == pytest.approx(0.125)


def test_label_that_nobody_uses_says_so():
    found = by_label(table_of([["a", "a"], ["b", "a"]], ["a", "b", "c"]))[2]
    assert (found.given, found.specific.number, found.alpha.number) == (0, None, None)
    assert found.specific.reason == "the label is not used on items with 2 or more labels"
    assert found.alpha.reason == "only one label used"


def test_worst_items_come_first_and_agreed_ones_not_at_all():
    rows = [[1, 1, 1], [1, 2, 1], [1, 2, 3], [None, 1, 2], [None, None, 1]]
    found = worst_items(table_of(rows), Scale.NOMINAL)
    # Of three pairs two differ, then all three; one pair of one.
    assert [(row.item, row.pairs) for row in found] == [(2, 3), (3, 1), (1, 3)]
    assert [row.distance for row in found] == pytest.approx([1, 1, 2 / 3])
    assert worst_items(table_of(rows), Scale.NOMINAL, limit=1) == found[:1]


def test_worst_ratings_are_those_far_apart():
    found = worst_items(table_of([[0, 1], [0, 3], [2, 2]], range(4)), Scale.ORDINAL)
    assert [(row.item, row.distance) for row in found] == [(1, 9), (0, 1)]


def test_parts_of_an_item_add_up():
    ratings = [
        Rating((item, part), rater, label, item)
        for item, part, labels in [("x", 0, "ab"), ("x", 1, "aa"), ("y", 0, "ab"), ("y", 1, "ab")]
        for rater, label in zip(("ann", "bea"), labels, strict=True)
    ]
    found = worst_items(RatingTable.of(ratings), Scale.NOMINAL)
    assert [(row.item, row.distance, row.pairs) for row in found] == [("y", 1, 2), ("x", 0.5, 2)]


def test_nothing_labelled_has_no_worst_items():
    assert worst_items(table_of([], ["a"]), Scale.NOMINAL) == ()


def test_calibration_counts_by_reviewer_and_confidence():
    answers = [("bea", 5, True), ("ann", 2, False), ("bea", 5, False), ("bea", 1, True)]
    found = calibration(answers)
    assert list(found) == ["ann", "bea"]
    assert [(row.confidence, row.answers, row.right) for row in found["bea"]] == [
        (1, 1, 1),
        (5, 2, 1),
    ]
    # Wilson of 1 in 2: (0.0945, 0.9055)
    assert found["bea"][1].low == pytest.approx(0.0945, abs=1e-4)
    assert found["bea"][1].high == pytest.approx(0.9055, abs=1e-4)
