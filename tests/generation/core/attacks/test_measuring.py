"""Accuracies against chance: intervals, clusters and corrected p-values by hand."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.attacks.measuring import (
    design_effect,
    holm_adjusted,
    measure_hits,
    measure_scores,
    wilson_interval,
)
from generation.core.attacks.option_set import OptionSet, blocks_of, groups_of

FOUR = ("a", "b", "c", "d")


def test_chance_and_its_interval_by_hand():
    result = measure_scores("x", [(1, 0, 0, 0)] * 100, [OptionSet(FOUR, 0)] * 100)
    # 0.25 ± 1.96 * sqrt(0.25 * 0.75 / 100)
    assert (result.low, result.high) == pytest.approx((0.16513, 0.33487), abs=1e-5)
    assert (result.n, result.accuracy) == (100, 1.0)


def test_p_is_the_upper_tail():
    corpus = [OptionSet(FOUR, 0)] * 100
    hits = [1.0] * 32 + [0.0] * 68
    # z = (0.32 - 0.25) / sqrt(0.25 * 0.75 / 100) = 1.6166
    assert measure_hits("x", hits, corpus).p == pytest.approx(0.05298, abs=1e-4)


def test_wilson_interval_of_eight_in_ten():
    assert wilson_interval(0.8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)


@given(st.integers(1, 60), st.integers(0, 60))
def test_the_interval_lies_above_chance_exactly_where_the_accuracy_is_outside_chance(n, hits):
    hits = min(n, hits)
    corpus = [OptionSet(FOUR, 0)] * n
    result = measure_hits("x", [1.0] * hits + [0.0] * (n - hits), corpus)
    if abs(result.accuracy - result.high) > 1e-9:
        assert (result.accuracy_low > result.chance) == (result.accuracy > result.high)


def test_questions_of_a_cluster_that_stand_and_fall_together_count_once():
    hits = [1.0, 1.0, 0.0, 0.0] * 10
    together = [n // 2 for n in range(40)]
    assert design_effect(hits, together) == pytest.approx(2.0)
    assert design_effect(hits, range(40)) == 1.0
    assert design_effect([1.0] * 40, together) == 2.0
    corpus = [OptionSet(FOUR, 0, cluster=f"task {n // 2}") for n in range(40)]
    alone = [OptionSet(FOUR, 0, cluster=f"task {n}") for n in range(40)]
    wide, narrow = (measure_hits("x", hits, sets) for sets in (corpus, alone))
    assert (wide.accuracy_low, wide.accuracy_high) == pytest.approx(wilson_interval(0.5, 20))
    assert wide.p > narrow.p


def test_holm_by_hand():
    # The smallest counts four times, the next three times; the others can't be below it.
    made = measure_scores("x", [(1, 0, 0, 0)], [OptionSet(FOUR, 0)])
    results = [replace(made, p=p) for p in (0.03, 0.01, 0.04, 0.02)]
    adjusted = [result.p_holm for result in holm_adjusted(results)]
    assert adjusted == pytest.approx([0.06, 0.04, 0.06, 0.06])


def test_an_empty_corpus_is_refused():
    with pytest.raises(ValueError, match="no option set"):
        measure_hits("x", [], [])


def test_questions_of_one_block_share_a_number():
    corpus = [OptionSet(("a", "b"), 0), OptionSet(("c", "d"), 0), OptionSet(("b", "a"), 0)]
    assert blocks_of(corpus) == [0, 1, 0]


def test_groups_are_blocks_where_sets_were_made_together_else_communities_or_tasks():
    made = [OptionSet(("a", "b"), 0, cluster="t", community="x"), OptionSet(("b", "a"), 0, cluster="u", community="x")]  # fmt: skip
    alone = [
        OptionSet((f"c{n}", "d"), 0, cluster=f"t{n}", community=f"x{n // 2}") for n in range(10)
    ]
    groups = groups_of(made + alone, by_community=True)
    assert groups[0] == groups[1]
    assert len(set(groups)) == 1 + 5
    assert len(set(groups_of(made + alone, by_community=False))) == 1 + 10
    # Too few communities to train on some and measure on others: tasks do.
    assert len(set(groups_of(alone[:4], by_community=True))) == 4


def test_unknown_clusters_stand_alone():
    corpus = [OptionSet((f"a{n}", "b"), 0) for n in range(3)]
    assert groups_of(corpus, by_community=True) == [0, 1, 2]
