import json
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.scorer.intervals import (
    clustered_se,
    interval,
    weighted_clustered_se,
    wilson_interval,
)
from review.core.scorer.logprobs import bits_per_byte
from tests.shared_data import REFERENCE, needs_shared


@needs_shared
def test_the_reference_statistics_hold():
    reference = json.loads((REFERENCE / "statistics.json").read_text(encoding="utf-8"))
    for counts, bounds in reference["wilson_95"].items():
        right, total = map(int, counts.split("/"))
        assert wilson_interval(right / total, total) == pytest.approx(bounds, abs=1e-9)
    values = reference["data"]["a"]
    blocks = [str(place // 4) for place in range(20)]
    wanted = reference["clustered_se_a"]["no_correction"]
    assert clustered_se(values, blocks) == pytest.approx(wanted, abs=1e-9)
    bits = reference["bits_per_byte"]
    found = bits_per_byte(bits["log_likelihood_nats"], bits["bytes"])
    assert found == pytest.approx(bits["value"], abs=1e-9)


def columns(se: float, total: int, name: str) -> tuple[list[float], list[str]]:
    """Values in single-item clusters whose mean has exactly the standard error ``se``."""
    spread = se * sqrt(total)
    values = [0.5 + spread * (1 if place % 2 else -1) for place in range(total)]
    return values, [f"{name}{place}" for place in range(total)]


def test_apart_clusters_give_the_usual_errors_of_pooled_and_unweighted_means():
    # errors .02 and .05 of 400 and 60 items: sqrt((400·.02)² + (60·.05)²) / 460; the pooled form
    # with n - 1 in statistics.json, group_se, is .0185749
    first, second = columns(0.02, 400, "a"), columns(0.05, 60, "b")
    pooled = weighted_clustered_se([(400 / 460, *first), (60 / 460, *second)])
    assert pooled == pytest.approx(sqrt(73) / 460, abs=1e-12)
    assert pooled == pytest.approx(0.0185748656, abs=1e-6)
    unweighted = weighted_clustered_se([(0.5, *first), (0.5, *second)])
    assert unweighted == pytest.approx(0.026925824, abs=1e-9)


def test_a_source_in_two_subtasks_counts_as_one():
    values, clusters = [1.0, 0.0, 1.0, 0.0], ["a", "b", "c", "d"]
    once = clustered_se(values, clusters)
    both = weighted_clustered_se([(0.5, values, clusters), (0.5, values, clusters)])
    assert both == pytest.approx(once)


def test_one_cluster_gives_no_error_instead_of_zero():
    assert clustered_se([1.0, 0.0], ["a", "a"]) is None
    assert interval(0.5, None, 100, share=True) == (None, None)


def test_wilson_is_taken_where_few_are_right_or_wrong():
    assert interval(0.1, 0.03, 99, share=True) == wilson_interval(0.1, 99)
    assert interval(0.9, 0.03, 99, share=True) == wilson_interval(0.9, 99)
    low, high = interval(0.5, 0.05, 100, share=True)
    assert (low, high) == pytest.approx((0.402002, 0.597998), abs=1e-6)


def test_bounds_of_a_share_stay_in_range_and_those_of_bits_need_not():
    assert interval(0.6, 0.5, 100, share=True) == (0.0, 1.0)
    low, high = interval(3.0, 0.5, 4, share=False)
    assert (low, high) == pytest.approx((2.020018, 3.979982), abs=1e-6)


@pytest.mark.parametrize(("share", "total"), [(0.5, 0), (1.5, 2), (-0.1, 5)])
def test_impossible_shares_are_refused(share, total):
    with pytest.raises(ValueError, match="impossible"):
        wilson_interval(share, total)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share(counts):
    right, total = counts
    low, high = wilson_interval(right / total, total)
    assert 0 <= low <= right / total + 1e-12
    assert right / total - 1e-12 <= high <= 1
