"""Single cues find what gives gold away, and nothing where nothing does."""

import pytest

from generation.core.attacks.catalogue import single_cues
from generation.core.attacks.coherence import coherence_scores
from generation.core.attacks.option_set import OptionSet
from generation.core.attacks.steps import (
    raw_steps,
    spanning_tree_centre,
    step_consensus,
    step_majority,
    steps_in_half,
    steps_of,
)
from generation.core.attacks.surface import format_outlier, tool_frequency, tool_of
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


@pytest.mark.parametrize(
    ("plan", "steps"),
    [
        ("1. Install it\n2) Run `it`\n3. done", ["install it", "run it", "done"]),
        ("1. Pull v2.1 now. 2. Run it with 3 workers. 3. Stop.", ["pull v2 1 now", "run it with 3 workers", "stop"]),
        ("1. Say:\n   a = 1\n   b = 2\n2. Run", ["say a 1 b 2", "run"]),
        ("*step1: install;*step2: run", ["install", "run"]),
        ("- one\n- two", ["one", "two"]),
        ("Do as follows: 1. One. 2. Two.", ["do as follows", "one", "two"]),
        ("", []),
    ],
)  # fmt: skip
def test_steps_are_read_without_their_numbers(plan, steps):
    assert steps_of(plan) == steps


def test_a_raw_step_keeps_its_case_and_marks():
    assert raw_steps("1. Run `It`!\n2. Stop") == ["Run `It`!", "Stop"]


def test_steps_that_most_options_have():
    assert steps_in_half(("a\nb", "a\nc", "d\ne", "f\ng")) == (0.5, 0.5, 0.0, 0.0)
    assert step_majority(("a\nb", "a\nc")) == (1.5, 1.5)


def test_words_kept_up_are_the_overlap_of_neighbouring_steps():
    assert coherence(("read file\nread page", "one\ntwo")) == pytest.approx((1 / 3, 0.0))


def test_coherence_sees_a_step_of_another_topic_without_a_word_in_common():
    pairs = [("bake the bread", "knead the dough"), ("knead the dough", "bake the bread")]
    kitchen = OptionSet(tuple("\n".join(pair) for pair in pairs), 0)
    sea = OptionSet(("hoist that sail\ndrop that anchor", "drop that anchor\nhoist that sail"), 0)
    mixed = OptionSet(("bake the bread\ndrop that anchor", "bake the bread\nknead the dough"), 1)
    *_, (broken, whole) = coherence_scores([kitchen, sea] * 5 + [mixed], seed=1)
    assert whole > 0.9
    assert broken < 0.1


def test_options_of_one_sentence_or_without_words_cohere_in_nothing():
    assert coherence_scores([OptionSet(("one", "…", ""), 0)], seed=1) == [[0.0, 0.0, 0.0]]


def test_the_odd_one_out_by_form():
    assert format_outlier(("one", "two", "three 3")) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("option", "tool"),
    [
        ('{"planning":"x","execution":{"name":"web_search","args":{}}}', "web_search"),
        ("no json", ""),
        ("[1]", ""),
        ('{"execution":"x"}', ""),
        ("[" * 100_000, ""),
    ],
)
def test_the_tool_of_an_option(option, tool):
    assert tool_of(option) == tool


def test_a_tool_that_is_always_right_elsewhere_is_found_without_looking_at_the_set_itself():
    def call(name, words):
        return f'{{"planning":"{words}","execution":{{"name":"{name}","args":{{}}}}}}'

    corpus = [OptionSet((call("stop", n), call("go", n)), 0) for n in range(4)]
    assert tool_frequency(corpus) == [(1.0, 0.0)] * 4
    assert tool_frequency(corpus[:1]) == [(0.0, 0.0)]


def test_gold_that_is_always_longest_is_found_and_its_opposite_is_not():
    corpus = [OptionSet(("aa", f"aaa{n}a", "a"), 1) for n in range(30)]
    results = {result.name: result for result in single_cues(corpus)}
    assert results["longest"].accuracy == 1.0
    assert results["shortest"].accuracy == 0.0
    assert not results["longest"].within_chance


def test_equal_options_give_every_cue_exactly_chance():
    corpus = [OptionSet(("same", "same", "same", "same"), n % 4) for n in range(20)]
    for result in single_cues(corpus):
        assert result.accuracy == pytest.approx(result.chance) == 0.25


def test_several_right_options_raise_chance():
    corpus = [OptionSet(("a", "bb", "ccc"), 1, frozenset({2}))] * 6
    results = {result.name: result for result in single_cues(corpus)}
    assert results["longest"].chance == pytest.approx(2 / 3)
    assert results["longest"].accuracy == 1.0
    assert results["shortest"].accuracy == 0.0
