"""What went wrong elsewhere with agreement, each with the right answer worked by hand.

The published numbers are small enough to stand here; ``test_reference`` reads the file itself.
"""

import time
from itertools import permutations

import numpy as np
import pytest

from review.core.agreement import words
from review.core.agreement.alpha import Scale, alpha
from review.core.agreement.coefficients import brennan_prediger, fleiss, gwet, raw_agreement
from review.core.agreement.cohen import cohen, pairs
from review.core.agreement.distances import jaccard_distance, masi_distance
from review.core.agreement.summary import agreement_of
from review.core.agreement.table import Rating, RatingTable
from tests.review.core.agreement.tables import from_square, table_of

KRIPPENDORFF_2011: list[list[int | None]] = [
    [1, 1, None, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [None, 5, 5, 5],
    [None, None, 1, 1],
    [None, 3, None, None],
]


def test_missing_label_is_no_category():
    found = alpha(table_of([[1, 1, None], [1, 1, 1], [2, None, 2]]), Scale.NOMINAL)
    assert found.number == 1


@pytest.mark.parametrize(("one", "other"), [("Aa", "BB"), ("yes", "Yes"), ("yes", "yes ")])
def test_labels_that_look_or_hash_alike_stay_distinct(one, other):
    table = table_of([[one, other], [one, one], [other, other], [other, one]])
    assert raw_agreement(table.counts()).number == 0.5
    assert alpha(table, Scale.NOMINAL).number == pytest.approx(0.125)


def test_cohen_takes_chance_from_the_pairs_it_observes():
    rows = [[1, 1], [2, 2], [1, 2], [2, 2], [1, None], [1, None], [1, None]]
    (pair,) = pairs(table_of(rows))
    # 3 of 4 agree; chance is 1/2 * 1/4 + 1/2 * 3/4 = 1/2
    assert (pair.n, cohen(pair.both).number) == (4, 0.5)


def test_one_label_only_leaves_alpha_and_kappa_undefined_and_ac1_to_the_declared_labels():
    table = table_of([[1, 1, 1]] * 4, labels=[1, 2, 3])
    counts = table.counts()
    assert raw_agreement(counts).number == 1
    for value in (alpha(table, Scale.NOMINAL), fleiss(counts)):
        assert (value.number, value.reason) == (None, words.ONE_LABEL)
    (first, *_) = pairs(table)
    assert cohen(first.both).number is None
    assert gwet(counts).number == brennan_prediger(counts).number == 1


@pytest.mark.parametrize(
    ("labels", "ac1", "bp"),
    [([1, 2], 0.68, 0.5), ([1, 2, 3], 0.71929825, 0.625), ([1, 2, 3, 4], 0.73033708, 2 / 3)],
)
def test_number_of_labels_comes_from_the_declaration(labels, ac1, bp):
    counts = table_of([[1, 1], [1, 1], [1, 2], [1, 1]], labels=labels).counts()
    assert gwet(counts).number == pytest.approx(ac1, abs=1e-6)
    assert brennan_prediger(counts).number == pytest.approx(bp, abs=1e-6)


def test_ordinal_distance_counts_labels_between_not_places():
    found = alpha(table_of(KRIPPENDORFF_2011), Scale.ORDINAL)
    assert found.number == pytest.approx(0.8153875, abs=1e-6)


def test_missing_data_alpha_is_the_published_fraction():
    found = alpha(table_of(KRIPPENDORFF_2011), Scale.NOMINAL)
    assert found.number == pytest.approx(904 / 1216, abs=1e-12)


def test_one_disagreement_among_equal_labels_is_alpha_zero_and_explained():
    rows = [[3] * 5, [3, 3, 3, 3, None], [3, 3, None, 3, 3], [3, 3, None, 3, 3], [3, 3, 3, 1, 3]]
    found = agreement_of(table_of(rows), Scale.NOMINAL, seed=1, resamples=50)
    assert found.alpha.number == pytest.approx(0)
    assert found.ac1.number == pytest.approx(0.91334489, abs=1e-6)
    assert any(warned.text.startswith("prevalence: ") for warned in found.warnings)


def test_negative_values_are_not_clipped():
    found = agreement_of(table_of([[0, 1], [1, 0]]), Scale.NOMINAL, seed=1, resamples=50)
    assert found.alpha.number == pytest.approx(-0.5)
    assert found.fleiss.number == found.ac1.number == -1
    assert found.pairs[0].cohen.number == -1


def test_one_rater_says_that_no_item_has_two_labels():
    found = agreement_of(table_of([[1], [2], [1]]), Scale.NOMINAL, seed=1)
    assert [warned.text for warned in found.warnings] == ["0 items have 2 or more labels"]
    assert found.raw.reason == found.alpha.reason == "0 items have 2 or more labels"
    assert found.alpha_interval is None


def wobbly_table(items: int = 60) -> list[list[int]]:
    return [[n % 3, n % 3 if n % 4 else (n + 1) % 3, n % 3] for n in range(items)]


def test_interval_is_over_items_not_raters():
    rows = wobbly_table()
    found = agreement_of(table_of(rows), Scale.NOMINAL, seed=3)
    interval, value = found.alpha_interval, found.alpha.number
    assert interval is not None
    assert value is not None
    assert interval.low is not None
    assert interval.high is not None
    assert interval.low < value < interval.high
    turned = agreement_of(table_of(list(zip(*rows, strict=True))), Scale.NOMINAL, seed=3)
    assert turned.alpha.number != pytest.approx(value)
    assert turned.alpha_interval != interval
    # Four times the items (each four times): half the width.
    wider = agreement_of(table_of(rows * 4), Scale.NOMINAL, seed=3).alpha_interval
    assert wider is not None
    assert wider.width == pytest.approx((interval.high - interval.low) / 2, rel=0.15)


def test_units_that_a_pair_did_not_share_are_skipped():
    rows = [[1, 1, 2], [2, None, 2], [None, 2, 2], [1, 2, None]]
    found = {(pair.first, pair.second): (pair.n, pair.raw.number) for pair in pairs(table_of(rows))}
    assert found == {("r0", "r1"): (2, 0.5), ("r0", "r2"): (2, 0.5), ("r1", "r2"): (2, 0.5)}


def test_pairs_are_symmetric_and_no_number_depends_on_the_order_of_raters():
    rows: list[list[int | None]] = [[*row] for row in wobbly_table(12)]
    rows[3][1] = rows[5][0] = None
    known = table_of(rows, labels=[0, 1, 2])
    for order in permutations(range(3)):
        other = table_of([[row[place] for place in order] for row in rows], labels=[0, 1, 2])
        for scale in (Scale.NOMINAL, Scale.ORDINAL, Scale.INTERVAL):
            assert alpha(other, scale).number == pytest.approx(alpha(known, scale).number)
        assert fleiss(other.counts()).number == pytest.approx(fleiss(known.counts()).number)
    for pair in pairs(known):
        assert cohen(pair.both).number == pytest.approx(cohen(pair.both.T).number)


def test_fifty_thousand_ratings_take_under_a_second():
    random = np.random.default_rng(7)
    labels = random.integers(0, 5, size=(25_000, 2)).tolist()
    table = table_of(labels, labels=range(5))
    started = time.process_time()
    for scale in (Scale.NOMINAL, Scale.ORDINAL, Scale.INTERVAL, Scale.RATIO):
        assert abs(alpha(table, scale).number or 1) < 0.05
    assert time.process_time() - started < 1


def test_near_unanimous_labels_have_ac1_beside_kappa():
    table = from_square([[118, 5], [2, 0]], ["+", "-"])
    found = agreement_of(table, Scale.NOMINAL, seed=1, resamples=200)
    assert found.pairs[0].cohen.number == pytest.approx(-0.02339181, abs=1e-6)
    assert found.ac1.number == pytest.approx(0.94077634, abs=1e-6)
    # Shares 0.972 and 0.028: raw by chance 0.94556, AC1 by chance (0.94556 - 0.05444) / 0.94556.
    assert found.ac1_by_chance.number == pytest.approx(0.942426, abs=1e-5)
    (prevalence,) = [w.text for w in found.warnings if w.kind == "prevalence"]
    assert "97 % of labels are +" in prevalence
    assert "AC1 0.94 and nominal alpha -0.02 are far apart" in prevalence
    assert prevalence.endswith("would reach AC1 0.94")


def test_two_empty_sets_are_the_same():
    assert masi_distance(frozenset(), frozenset()) == 0
    assert jaccard_distance(frozenset(), frozenset()) == 0


def test_rater_who_labels_a_unit_twice_is_refused():
    with pytest.raises(ValueError, match="ann labels q1 twice"):
        RatingTable.of([Rating("q1", "ann", 1), Rating("q1", "ann", 1)])


def test_label_that_is_not_declared_is_refused():
    with pytest.raises(ValueError, match="'maybe' of ann for q1 is not declared"):
        RatingTable.of([Rating("q1", "ann", "maybe")], labels=["yes", "no"])
