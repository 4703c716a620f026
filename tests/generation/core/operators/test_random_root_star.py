"""A family of edited plans in which gold's place is drawn."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generation.core.attacks.catalogue import single_cues
from generation.core.attacks.option_set import OptionSet
from generation.core.operators.random_root_star import star_options
from generation.core.operators.step_edits import (
    change_name,
    drop_step,
    edited,
    insert_step,
    move_and_change,
    replace_step,
)
from generation.core.subtask import Draft, PoolEntry, Rejection

WORDS = [
    "read",
    "write",
    "build",
    "test",
    "move",
    "merge",
    "check",
    "clean",
    "fetch",
    "split",
    "sort",
    "mount",
    "parse",
    "lint",
    "pack",
]


def entry(number: int, *, steps: int = 6, community: str = "here") -> PoolEntry:
    random = Random(number)
    plan = "\n".join(
        f"{place}. {' '.join(random.sample(WORDS, random.randint(2, 6)))} {random.choice(WORDS)}_{random.choice(WORDS)}"
        for place in range(1, steps + 1)
    )
    key = f"{community}/{number:04}"
    return PoolEntry(key, f"task{number}", community, Draft(1, plan, {}), (), ())


NAMED = (
    "longest",
    "shortest",
    "token_centroid",
    "token_outlier",
    "step_consensus",
    "spanning_tree_centre",
    "steps_in_half",
    "step_majority",
    "coherence",
    "stem_overlap",
    "format_outlier",
    "tfidf_centroid",
    "tfidf_outlier",
)
POOL = [entry(number, steps=4 + number % 4) for number in range(140)]


def test_no_cue_points_at_gold_among_its_relatives():
    corpus = []
    for place, options in enumerate(star_options(POOL, 4, choices=7).values()):
        assert not isinstance(options, Rejection)
        texts = [option.text for option in options]
        shift = place % 7
        corpus.append(OptionSet(tuple(texts[-shift:] + texts[:-shift]), shift))
    results = {result.name: result for result in single_cues(corpus)}
    assert [n for n in NAMED if results[n].accuracy_low > results[n].chance] == []


def test_every_option_is_another_plan_with_a_reason_and_none_is_gold_in_another_order():
    for options in star_options(POOL[:40], 4, choices=5).values():
        assert not isinstance(options, Rejection)
        assert [option.is_gold for option in options] == [True, False, False, False, False]
        steps = [sorted(line.split(". ")[1] for line in o.text.splitlines()) for o in options]
        assert all(other != steps[0] for other in steps[1:])
        assert len({option.text for option in options}) == 5
        assert all(option.reason.startswith("The plan ") for option in options)
        assert all(o.text.startswith("1. ") for o in options)


@given(seed=st.integers(0, 2**32), shuffle=st.randoms())
@settings(max_examples=5, deadline=None)
def test_the_order_of_the_pool_makes_no_difference(seed, shuffle):
    some = POOL[:12]
    mixed = list(some)
    shuffle.shuffle(mixed)
    assert dict(star_options(mixed, seed, choices=4)) == dict(star_options(some, seed, choices=4))


def test_another_community_changes_nothing_here():
    there = [entry(number, community="there") for number in range(30)]
    alone = star_options(POOL[:20], 4, choices=4)
    beside = star_options(there + POOL[:20], 4, choices=4)
    assert {key: beside[key] for key in alone} == dict(alone)


def test_too_short_plans_and_too_few_donors_are_refused_with_the_reason():
    short = star_options([*POOL[:20], entry(900, steps=2)], 4, choices=4)["here/0900"]
    assert isinstance(short, Rejection)
    assert "fewer than 3 steps" in short.why
    alone = star_options(POOL[:2], 4, choices=4)
    assert all(isinstance(one, Rejection) and "to borrow" in one.why for one in alone.values())


def test_two_options_hide_nothing():
    with pytest.raises(ValueError, match="at least 3"):
        star_options(POOL, 4, choices=2)


def test_each_edit_does_what_it_says():
    plan, random = ("a", "b", "c", "d"), Random(1)

    def donor(_plan, _place):
        return "new"

    assert "new" in replace_step(plan, donor, random)
    assert len(replace_step(plan, donor, random)) == 4
    assert [step for step in insert_step(plan, donor, random) if step != "new"] == list(plan)
    assert set(drop_step(plan, donor, random)) < set(plan)
    assert "new" in drop_step(("a", "b"), donor, random)
    assert "new" in move_and_change(plan, donor, random)
    renamed = change_name(
        ("open the_file", "close"), lambda _plan, _place: "read other_file", random
    )
    assert renamed == ("open other_file", "close")


@given(st.lists(st.sampled_from(WORDS), min_size=3, unique=True), st.integers())
def test_an_edit_is_never_the_plan_itself_unless_steps_move(plan, seed):
    changed = edited(tuple(plan), lambda _plan, _place: "something else", Random(seed))
    assert changed != tuple(plan)
