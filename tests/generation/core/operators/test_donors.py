"""Donors come from other tasks, from near the topic, and are used evenly."""

from collections import Counter
from random import Random

from generation.core.operators.donors import FEWEST_NEAR, SHARE_NEAR, Donors

KITCHEN = ("bake bread slowly", "knead bread dough", "heat dough oven")
OTHER_KITCHEN = ("cut bread dough", "eat bread raw", "clean bread oven")
SEA = ("hoist sail harbour", "drop anchor harbour", "sail anchor home")
PLANS = [("a", KITCHEN), ("b", OTHER_KITCHEN), ("c", SEA)]


def test_near_steps_are_of_other_tasks_and_of_the_topic_first():
    near = Donors(PLANS, seed=1).near("a", KITCHEN)
    assert set(near[:3]) == set(OTHER_KITCHEN)
    assert set(near[3:]) == set(SEA)


def test_at_most_so_many_are_near():
    many = [(str(n), (f"bake bread {n}", f"cut bread {n}")) for n in range(40)]
    assert len(Donors(many, seed=1).near("0", many[0][1])) == FEWEST_NEAR
    more = [(str(n), (f"bake bread {n}", f"cut bread {n}")) for n in range(200)]
    assert len(Donors(more, seed=1).near("0", more[0][1])) == round(400 * SHARE_NEAR)


def test_the_least_used_are_drawn():
    donors, random = Donors(PLANS, seed=1), Random(1)
    near = [f"step {n}" for n in range(16)]
    drawn: Counter[str] = Counter()
    for _ in range(150):
        step = donors.draw(near, near[:1], random)
        donors.use([step])
        drawn[step] += 1
    assert set(drawn) == set(near[1:])
    assert max(drawn.values()) - min(drawn.values()) <= 3


def test_a_plan_that_keeps_its_topic_coheres_more_and_a_new_step_is_read_too():
    donors = Donors(PLANS, seed=1)
    assert donors.coherence(KITCHEN) > donors.coherence((KITCHEN[0], SEA[1], KITCHEN[1]))
    assert donors.coherence(("bake dough", "knead bread")) > 0.5
    assert donors.coherence(("xyz", "xyz")) == 0
