"""Worked examples never share a source or an answer with test items; gold's place says nothing."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from review.core.splits import SplitItem, balanced_orders, split_items


def items(
    count: int, *, clusters: int, subtask: str = "issue_fix_plan", scenario: str = "issue_fix"
) -> list[SplitItem]:
    return [
        SplitItem(
            item_id=f"{subtask}-{n:03d}",
            subtask=subtask,
            scenario=scenario,
            cluster=f"cluster {n % clusters}",
            texts=frozenset({f"{subtask} gold {n}", f"{subtask} wrong {n}"}),
        )
        for n in range(count)
    ]


def test_examples_come_from_separate_clusters_that_give_no_test_item():
    given_items = items(24, clusters=8)
    split = split_items(given_items, shots={"issue_fix_plan": 3}, seed="1.0")
    by_id = {item.item_id: item for item in given_items}
    shot_clusters = {by_id[i].cluster for i in split.shots["issue_fix_plan"]}
    assert len(shot_clusters) == 3
    assert not shot_clusters & {by_id[i].cluster for i in split.test}
    assert len(split.test) + len(split.held_out) + 3 == 24


def test_cluster_reserved_by_one_subtask_is_reserved_for_its_whole_scenario():
    both = items(12, clusters=6) + items(12, clusters=6, subtask="issue_fix_action")
    split = split_items(both, shots={"issue_fix_plan": 2, "issue_fix_action": 2}, seed="1.0")
    by_id = {item.item_id: item for item in both}
    shot_clusters = {by_id[i].cluster for ids in split.shots.values() for i in ids}
    assert len(shot_clusters) == 2
    assert not shot_clusters & {by_id[i].cluster for i in split.test}


def test_test_item_that_shares_an_option_with_an_example_is_held_out():
    given_items = items(9, clusters=9)
    shared = [
        SplitItem(i.item_id, i.subtask, i.scenario, i.cluster, frozenset({"the same option"}))
        for i in given_items[:2]
    ]
    split = split_items(shared + given_items[2:], shots={"issue_fix_plan": 8}, seed="1.0")
    on_test = set(split.test) & {item.item_id for item in shared}
    in_shots = set(split.shots["issue_fix_plan"]) & {item.item_id for item in shared}
    assert in_shots
    assert not on_test


def test_last_cluster_of_a_subtask_is_never_reserved():
    split = split_items(items(4, clusters=2), shots={"issue_fix_plan": 3}, seed="1.0")
    assert split.test
    assert split.short_of_shots == {"issue_fix_plan": 2}


@given(st.integers(2, 40), st.integers(1, 10), st.integers(0, 4), st.randoms())
def test_split_depends_on_the_set_and_the_seed_alone(count, clusters, shots, random):
    given_items = items(count, clusters=clusters)
    shuffled = given_items[:]
    random.shuffle(shuffled)
    wanted = {"issue_fix_plan": shots}
    split = split_items(given_items, shots=wanted, seed="s")
    assert split == split_items(shuffled, shots=wanted, seed="s")
    everyone = [*split.test, *split.held_out, *split.shots["issue_fix_plan"]]
    assert sorted(everyone) == sorted(item.item_id for item in given_items)


@given(st.integers(2, 9), st.integers(1, 60))
def test_gold_stands_at_every_place_equally_often(options, count):
    counts = {f"{n:04d}": (options, (n % options,)) for n in range(count)}
    orders = balanced_orders(counts, seed="1.0 issue_fix_plan")
    places = Counter(orders[i].index(counts[i][1][0]) for i in counts)
    assert all(sorted(order) == list(range(options)) for order in orders.values())
    assert max(places.values()) - min(places[p] for p in range(options)) <= 1


def test_several_right_options_are_simply_shuffled():
    orders = balanced_orders({"a": (6, (0, 2)), "b": (6, (0, 2))}, seed="x")
    assert all(sorted(order) == list(range(6)) for order in orders.values())
