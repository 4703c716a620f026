"""Attacks find what gives gold away, and nothing where nothing does."""

import pytest

from generation.core.attacks import (
    OptionSet,
    attacks_on,
    blocks_of,
    format_outlier,
    measure,
    measure_all,
    spanning_tree_centre,
    step_consensus,
    step_majority,
    steps_in_half,
    steps_of,
    tool_of,
)
from generation.core.selection.cues import coherence

# Gold is the plan that the others were made of: one step dropped, two swapped, one added.
EDITED = ("a\nb\nc\nd", "a\nb\nd", "b\na\nc\nd", "a\nb\nc\nx\nd")


def test_step_consensus_by_hand():
    # To plan 1: 3/4, 3/4, 4/5 in common, longest common subsequence over the longer plan.
    assert step_consensus(EDITED)[0] == pytest.approx(3 / 4 + 3 / 4 + 4 / 5)


@pytest.mark.parametrize("attack", [step_consensus, spanning_tree_centre])
def test_the_ancestor_of_its_own_edits_is_found(attack):
    scores = attack(EDITED)
    assert scores.index(max(scores)) == 0


def test_plans_with_nothing_in_common_have_no_centre():
    assert spanning_tree_centre(("a", "b", "c", "d")) == (0.0, 0.0, 0.0, 0.0)


def test_steps_are_read_without_their_numbers():
    assert steps_of("1. Install it\n2) Run `it`\n- done") == ["install it", "run it", "done"]
    assert steps_of("*step1: install;*step2: run") == ["install", "run"]


def test_steps_that_most_options_have():
    assert steps_in_half(("a\nb", "a\nc", "d\ne", "f\ng")) == (0.5, 0.5, 0.0, 0.0)
    assert step_majority(("a\nb", "a\nc")) == (1.5, 1.5)


def test_coherence_is_the_overlap_of_neighbouring_steps():
    assert coherence(("read file\nread page", "one\ntwo")) == pytest.approx((1 / 3, 0.0))


def test_the_odd_one_out_by_form():
    assert format_outlier(("one", "two", "three 3")) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("option", "tool"),
    [
        ('{"planning":"x","execution":{"name":"web_search","args":{}}}', "web_search"),
        ("no json", ""),
        ("[1]", ""),
        ('{"execution":"x"}', ""),
    ],
)
def test_the_tool_of_an_option(option, tool):
    assert tool_of(option) == tool


def test_gold_that_is_always_longest_is_found_and_its_opposite_is_not():
    corpus = [OptionSet(("aa", f"aaa{n}a", "a"), 1) for n in range(30)]
    results = {result.name: result for result in measure_all(corpus)}
    assert results["longest"].accuracy == 1.0
    assert results["shortest"].accuracy == 0.0
    assert not results["longest"].within_chance
    assert results["position"].accuracy == 1.0


def test_equal_options_give_every_attack_exactly_chance():
    corpus = [OptionSet(("same", "same", "same", "same"), n % 4) for n in range(20)]
    for result in measure_all(corpus):
        assert result.accuracy == pytest.approx(result.chance) == 0.25


def test_chance_and_its_interval_by_hand():
    corpus = [OptionSet(("a", "b", "c", "d"), 0)] * 100
    result = measure("longest", attacks_on(corpus)["longest"], corpus)
    # 0.25 ± 1.96 * sqrt(0.25 * 0.75 / 100)
    assert (result.low, result.high) == pytest.approx((0.16513, 0.33487), abs=1e-5)
    assert result.n == 100


def test_an_empty_corpus_is_refused():
    with pytest.raises(ValueError, match="no option set"):
        measure("longest", lambda options: tuple(0.0 for _ in options), [])


def test_questions_of_one_block_share_a_number():
    corpus = [OptionSet(("a", "b"), 0), OptionSet(("c", "d"), 0), OptionSet(("b", "a"), 0)]
    assert blocks_of(corpus) == [0, 1, 0]
