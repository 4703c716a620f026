"""Shares with Wilson's interval: worked by hand, refused where impossible, None of nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.shares import ENOUGH, Share


# With z = 1.96, 8 of 10: 0.8 + 0.19208, less and more 1.96 times the root of 0.016 + 0.009604, all
# over 1.38416. The upper end of 0 of 5 is 3.8416 over 8.8416, and 5 of 5 is its mirror image.
@pytest.mark.parametrize(
    ("part", "n", "low", "high"),
    [
        (8, 10, 0.49016, 0.94331),
        (0, 5, 0.0, 0.43449),
        (5, 5, 0.56551, 1.0),
        (1, 1, 0.20655, 1.0),
    ],
)
def test_intervals_by_hand(part, n, low, high):
    assert Share(part, n).interval == pytest.approx((low, high), abs=2e-5)


def test_percent_is_what_pages_show():
    share = Share(8, 10)
    assert (share.percent, share.low, share.high) == (80, 49, 94)


def test_share_of_nothing_is_nothing():
    share = Share(0, 0)
    assert (share.value, share.interval, share.percent, share.low, share.high) == (None,) * 5


@pytest.mark.parametrize(("part", "n"), [(3, 2), (-1, 4), (0, -1), (1, 0)])
def test_impossible_counts_are_refused(part, n):
    with pytest.raises(ValueError, match="impossible"):
        Share(part, n)


def test_fewer_than_thirty_are_few():
    assert Share(10, ENOUGH - 1).is_few
    assert not Share(10, ENOUGH).is_few


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.floats(0, n), st.just(n))))
def test_interval_holds_the_share(counts):
    share = Share(*counts)
    assert share.interval is not None
    assert share.value is not None
    low, high = share.interval
    assert -1e-9 <= low <= share.value + 1e-9
    assert share.value - 1e-9 <= high <= 1 + 1e-9
