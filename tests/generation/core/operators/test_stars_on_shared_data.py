"""Families of edited plans made of real solutions: gold's place in the family tells nothing."""

from functools import cache
from random import Random

import pytest

from generation.core.attacks.catalogue import single_cues
from generation.core.attacks.learned import learned_attack
from generation.core.attacks.measuring import measure_hits
from generation.core.attacks.option_set import OptionSet
from generation.core.attacks.steps import raw_steps
from generation.core.checks.answers import gold_texts
from generation.core.operators.random_root_star import star_options
from generation.core.subtask import Draft, PoolEntry, Rejection
from tests.generation.core.checks.official import official_items
from tests.shared_data import needs_shared

pytestmark = [needs_shared, pytest.mark.shared]
SEEDS = range(3)
FAMILY = (
    "longest",
    "shortest",
    "token_centroid",
    "token_outlier",
    "step_consensus",
    "spanning_tree_centre",
    "steps_in_half",
    "step_majority",
    "stem_overlap",
    "format_outlier",
    "tfidf_centroid",
    "tfidf_outlier",
)


@cache
def pool():
    entries = []
    for item in official_items():
        if item.subtask.name == "env_setup_error":
            steps = [" ".join(step.split()) for step in raw_steps(gold_texts(item)[0])]
            plan = "\n".join(f"{n}. {step}" for n, step in enumerate(steps, start=1))
            draft = Draft(1, plan, item.slots)
            entries.append(PoolEntry(item.key, item.cluster, "set-up", draft, (), ()))
    return entries


@cache
def corpus(seed):
    made = star_options(pool(), seed, choices=7)
    sets = []
    for entry in pool():
        options = made[entry.key]
        if not isinstance(options, Rejection):
            texts = [option.text for option in options]
            gold = Random(f"{seed} {entry.key}").randrange(7)
            texts[0], texts[gold] = texts[gold], texts[0]
            sets.append(OptionSet(tuple(texts), gold, cluster=entry.cluster))
    return sets


@pytest.mark.parametrize("seed", SEEDS)
def test_no_cue_of_the_family_tree_points_at_gold(seed):
    assert len(corpus(seed)) >= 40
    found = {result.name: result for result in single_cues(corpus(seed))}
    assert [name for name in FAMILY if found[name].accuracy_low > found[name].chance] == []


def test_the_learned_attack_gains_little_over_three_draws():
    accuracies = [
        measure_hits("learned", learned_attack(corpus(seed), seed=0), corpus(seed)).accuracy
        for seed in SEEDS
    ]
    # Edits of gold give it 0.93; chance is 0.143, and the gate allows 0.08 more.
    assert sum(accuracies) / len(accuracies) < 0.143 + 0.12
