"""Options of real steps: what a guesser gains, what is never an option, what stays the same."""

import time
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generation.core.attacks.catalogue import single_cues
from generation.core.attacks.option_set import OptionSet
from generation.core.cuts import call_fault, same_call
from generation.core.operators.real_step_block import (
    LATER_STEP,
    call_options,
    thought_options,
)
from generation.core.registry import SUBTASKS
from generation.core.subtask import Rejection
from tests.generation.core.runs import pool_of, qa_run, swe_run

PLAN = SUBTASKS["issue_fix_plan"]
CALL = SUBTASKS["closed_plan_en"]
POOLS = {
    "thoughts": (thought_options, pool_of(PLAN, [swe_run(n) for n in range(10)])),
    "calls": (call_options, pool_of(CALL, [qa_run(n, steps=3 + n % 4) for n in range(14)])),
}
EITHER = pytest.mark.parametrize(("make", "pool"), POOLS.values(), ids=POOLS)


def answered(made):
    return {key: options for key, options in made.items() if not isinstance(options, Rejection)}


@EITHER
def test_every_entry_gets_options_or_a_reason(make, pool):
    made = make(pool, 3)
    assert set(made) == {entry.key for entry in pool}
    assert len(answered(made)) >= 0.75 * len(pool)
    assert all(value.why for value in made.values() if isinstance(value, Rejection))


@EITHER
def test_each_set_of_options_has_each_right_answer_once_and_as_many_as_it_has_runs(make, pool):
    entries = {entry.key: entry for entry in pool}
    blocks = defaultdict(list)
    for key, options in answered(make(pool, 3)).items():
        blocks[frozenset(option.text for option in options)].append(entries[key])
    clusters_of = {entry.draft.gold: entry.cluster for entry in pool}
    for texts, questions in blocks.items():
        assert len({entry.draft.gold for entry in questions}) == len(questions)
        assert len(questions) == len({clusters_of[text] for text in texts})


@EITHER
def test_a_guess_by_any_rule_on_the_set_is_right_at_most_once_a_set(make, pool):
    made = answered(make(pool, 3))
    guess = {
        frozenset(o.text for o in options): max(o.text for o in options)
        for options in made.values()
    }
    hits = sum(
        guess[frozenset(o.text for o in options)] == options[0].text for options in made.values()
    )
    assert hits <= len(guess)


@EITHER
@given(seed=st.integers(0, 2**32), shuffle=st.randoms())
@settings(max_examples=8, deadline=None)
def test_the_order_of_the_pool_makes_no_difference(make, pool, seed, shuffle):
    mixed = list(pool)
    shuffle.shuffle(mixed)
    assert dict(make(mixed, seed)) == dict(make(pool, seed))


@EITHER
def test_another_seed_gives_other_sets(make, pool):
    assert dict(make(pool, 1)) != dict(make(pool, 2))


def test_another_community_changes_nothing_here():
    here = pool_of(PLAN, [swe_run(n) for n in range(6)])
    there = pool_of(PLAN, [swe_run(n) for n in range(20, 26)], community="there")
    alone = thought_options(here, 5)
    beside = thought_options(there + here, 5)
    assert {key: beside[key] for key in alone} == dict(alone)


@EITHER
def test_no_option_is_done_already_or_the_same_call_as_gold_or_invalid(make, pool):
    entries = {entry.key: entry for entry in pool}
    steps = {entry.draft.gold: entry.steps[entry.draft.cut - 1] for entry in pool}
    for key, options in answered(make(pool, 3)).items():
        entry = entries[key]
        done = {same_call(step) for step in entry.steps[: entry.draft.cut - 1]}
        thought = {step.thought for step in entry.steps[: entry.draft.cut - 1]}
        calls = [same_call(steps[option.text]) for option in options]
        assert len(set(calls)) == len(calls)
        assert not done & set(calls)
        assert not thought & {steps[option.text].thought for option in options}
        assert all(call_fault(steps[option.text], entry.tools) is None for option in options)


@EITHER
def test_an_option_of_the_same_run_is_a_later_step_and_says_so(make, pool):
    entries = {entry.key: entry for entry in pool}
    found: Counter[str] = Counter()
    for key, options in answered(make(pool, 3)).items():
        entry = entries[key]
        for option in options[1:]:
            own = [e for e in pool if e.cluster == entry.cluster and e.draft.gold == option.text]
            assert (option.operator == LATER_STEP) == bool(own)
            assert all(other.draft.cut > entry.draft.cut for other in own)
            found[option.operator] += 1
    assert found[LATER_STEP] > 0


@EITHER
def test_no_cue_points_at_gold(make, pool):
    corpus = []
    for place, (_, options) in enumerate(sorted(answered(make(pool, 3)).items())):
        texts = [option.text for option in options]
        shift = place % len(texts)
        corpus.append(OptionSet(tuple(texts[-shift:] + texts[:-shift]), shift))
    outside = [result for result in single_cues(corpus) if not result.within_chance]
    assert outside == []


def test_the_same_run_recorded_twice_is_asked_once():
    runs = [swe_run(n) for n in range(6)]
    pool = pool_of(PLAN, runs)
    twice = pool_of(PLAN, runs[:1], community="a copy")
    made = thought_options(pool + twice, 3)
    copies = [made[entry.key] for entry in pool if entry.cluster == "task0"]
    assert all(isinstance(copy, Rejection) and "same question" in copy.why for copy in copies)


def test_one_task_alone_has_nobody_to_take_options_from():
    made = thought_options(pool_of(PLAN, [swe_run(1)]), 3)
    assert made
    assert all(
        isinstance(value, Rejection) and "other tasks" in value.why for value in made.values()
    )


def test_no_pool_gives_no_options():
    assert dict(thought_options([], 3)) == {}


def test_a_key_that_comes_twice_is_refused():
    pool = pool_of(PLAN, [swe_run(1)])
    with pytest.raises(ValueError, match="same key"):
        thought_options(pool + pool, 3)


def test_five_times_as_many_runs_take_about_five_times_as_long():
    def seconds(count):
        pool = pool_of(PLAN, [swe_run(n) for n in range(count)])
        start = time.process_time()
        made = thought_options(pool, 3)
        assert len(answered(made)) > 0.85 * len(pool)
        return time.process_time() - start

    seconds(10)
    assert seconds(300) < 10 * seconds(60)
