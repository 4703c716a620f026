"""Resampling: the same seed gives the same interval; both ways of drawing draw alike."""

import numpy as np
import pytest

from review.core.agreement.alpha import Scale
from review.core.agreement.bootstrap import Interval, interval_of, resampled_sums
from review.core.agreement.summary import agreement_of
from review.core.agreement.table import Rating, RatingTable
from tests.review.core.agreement.tables import table_of


def test_every_resample_holds_as_many_items_as_there_are():
    rows = np.column_stack([np.ones(500), np.arange(500.0)])  # 500 kinds: drawn by place
    few = np.column_stack([np.ones(500), np.arange(500.0) % 3])  # three kinds: multinomial
    for given in (rows, few):
        sums = resampled_sums(given, resamples=30, seed=1)
        assert sums.shape == (30, 2)
        assert (sums[:, 0] == 500).all()
        assert len(set(sums[:, 1])) > 10


def test_both_ways_of_drawing_have_the_spread_of_a_mean():
    values = np.arange(400.0)
    many = resampled_sums(values[:, None], resamples=4000, seed=2)[:, 0] / 400
    assert many.mean() == pytest.approx(values.mean(), abs=0.5)
    assert many.std() == pytest.approx(values.std() / 20, rel=0.05)
    values = np.arange(400.0) % 4
    few = resampled_sums(values[:, None], resamples=4000, seed=2)[:, 0] / 400
    assert few.mean() == pytest.approx(1.5, abs=0.01)
    assert few.std() == pytest.approx(values.std() / 20, rel=0.05)


def test_more_resamples_than_fit_at_once_are_all_drawn():
    rows = np.column_stack([np.ones(3000), np.arange(3000.0)])
    sums = resampled_sums(rows, resamples=1500, seed=4)
    assert (sums[:, 0] == 3000).all()
    assert len(set(sums[:, 1])) > 1400


def test_seed_decides_the_interval():
    table = table_of([[0, 0], [0, 1], [1, 1], [1, 0], [2, 2], [2, 2]] * 5)
    first, again, other = (
        agreement_of(table, Scale.NOMINAL, seed=seed).alpha_interval for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_undefined_resamples_are_counted_and_left_out():
    # A resample of these two items has one label when it draws the same item twice: half do.
    table = table_of([[0, 0], [1, 1]])
    interval = agreement_of(table, Scale.NOMINAL, seed=1, resamples=2000).alpha_interval
    assert interval is not None
    assert interval.low == interval.high == 1
    assert interval.undefined == pytest.approx(1000, abs=100)


def test_interval_of_nothing_defined_has_no_ends():
    assert interval_of(np.array([np.nan, np.nan])) == Interval(None, None, 2)
    assert Interval(None, None, 2).width is None


def test_percentiles_by_hand():
    assert interval_of(np.arange(0.0, 1001.0)) == Interval(25.0, 975.0, 0)


def test_parts_of_an_item_are_drawn_together():
    """Ten options of one question are one item: the interval is as wide as of one label each."""
    whole, parts = [], []
    for item in range(40):
        agree = item % 4 != 0
        for rater in ("ann", "bea"):
            label = (item + (rater == "bea" and not agree)) % 2
            whole.append(Rating(item, rater, label))
            parts += [Rating((item, part), rater, label, item) for part in range(10)]
    alone, together = (
        agreement_of(RatingTable.of(ratings), Scale.NOMINAL, seed=6) for ratings in (whole, parts)
    )
    assert together.n_items == together.n_pairable == 40
    assert together.raw.number == alone.raw.number == 0.75
    assert alone.raw_interval is not None
    assert together.raw_interval == alone.raw_interval
    assert alone.alpha_interval is not None
    assert together.alpha_interval is not None
    assert together.alpha_interval.width == pytest.approx(alone.alpha_interval.width, rel=0.1)


@pytest.mark.parametrize(("rows", "resamples"), [(0, 10), (3, 0)])
def test_nothing_to_resample_is_refused(rows, resamples):
    with pytest.raises(ValueError, match="nothing to resample"):
        resampled_sums(np.ones((rows, 2)), resamples=resamples, seed=1)
