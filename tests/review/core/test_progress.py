"""Forecasts keep to the pace of recent days; flags name what chance would hardly give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.progress.flags import Answered, Flag, flags_of
from review.core.progress.forecast import NOTHING_LEFT, TOO_FEW_DAYS, TOO_SLOW, Forecast, forecast


def test_a_steady_pace_is_exact():
    found = forecast([10] * 14, 95)
    assert (found.low, found.days, found.high) == (10, 10, 10)
    assert found.per_day == 10


def ends(found: Forecast) -> tuple[int, int, int]:
    assert found.low is not None
    assert found.days is not None
    assert found.high is not None
    return found.low, found.days, found.high


def test_an_uneven_pace_has_an_interval_around_the_mean_pace():
    low, days, high = ends(forecast([0, 20] * 7, 100))
    assert low < days < high
    assert 8 <= days <= 13


def test_what_cannot_be_said_is_said_so():
    assert forecast([5] * 14, 0).why == NOTHING_LEFT
    assert forecast([], 10).why == TOO_FEW_DAYS
    assert forecast([0, 0, 9, 9], 10).why == TOO_FEW_DAYS
    assert forecast([0] * 90 + [1, 1, 1], 1_000_000).why == TOO_SLOW
    with pytest.raises(ValueError, match="not negative"):
        forecast([1, -1], 5)


@given(st.lists(st.integers(0, 30), min_size=3, max_size=20), st.integers(1, 200))
def test_interval_holds_the_middle_and_more_work_never_takes_less_time(recent, remaining):
    found, more = forecast(recent, remaining), forecast(recent, remaining + 50)
    if found.days is None:
        return
    low, days, high = ends(found)
    assert 1 <= low <= days <= high
    assert more.days is None or more.days >= found.days


def answered(n, *, seconds=60.0, positions=(0, 1, 2, 3), decisions=("approve", "reject")):
    return [
        Answered(
            seconds, positions[i % len(positions)], 4, decisions[i % len(decisions)], 3 + i % 2
        )
        for i in range(n)
    ]


def flags(own, *, usual_share=0.8):
    return {f.flag for f in flags_of(own, usual_seconds=60.0, usual_share=usual_share)}


def test_ordinary_work_has_no_flag_and_few_reviews_never_have():
    assert flags(answered(40)) == set()
    assert flags(answered(9, seconds=1.0, positions=(0,), decisions=("approve",))) == set()


def test_a_third_of_the_usual_time_is_too_fast():
    assert flags(answered(10, seconds=19.9)) == {Flag.TOO_FAST}
    assert flags(answered(10, seconds=20.0)) == set()


def test_the_same_place_every_time_stands_out_by_chance_not_by_count():
    # 10 of 10 in one of 4 places: 4 * 0.25 ** 10 = 0.0000038; 6 of 10: 4 * 0.0197 = 0.079
    assert flags(answered(10, positions=(2,))) == {Flag.SAME_POSITION}
    assert flags(answered(10, positions=(2, 2, 2, 0, 1))) == set()


def test_thousands_of_reviews_are_judged_as_few_are():
    assert flags(answered(5_000)) == set()
    assert flags(answered(5_000, positions=(2, 2, 0, 1, 3))) == {Flag.SAME_POSITION}


def test_one_decision_stands_out_only_where_others_differ_enough():
    own = answered(30, decisions=("approve",))
    assert flags(own, usual_share=0.7) == {Flag.CONSTANT_DECISION}  # 0.7 ** 30 = 0.00002
    assert flags(own, usual_share=0.95) == set()  # 0.95 ** 30 = 0.21


def test_one_confidence_is_named():
    own = [Answered(60.0, i % 4, 4, ("approve", "reject")[i % 2], 4) for i in range(12)]
    assert flags(own) == {Flag.CONSTANT_CONFIDENCE}
