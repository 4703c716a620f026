"""Trained attacks find what they are made for, on questions they did not see."""

from random import Random

import numpy as np
import pytest

from generation.core.attacks.catalogue import LEARNED, TRAINED, attack_all
from generation.core.attacks.folds import folds
from generation.core.attacks.gate import Verdict, judge
from generation.core.attacks.learned import features, learned_attack
from generation.core.attacks.option_set import OptionSet
from generation.core.attacks.text_classifier import text_classifier

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
]


def said(random):
    return " ".join(random.choices(WORDS, k=6))


def corpus_of(count, *, tell=None, wrong=None, seed=1):
    random = Random(seed)
    made = []
    for number in range(count):
        options = [said(random) for _ in range(4)]
        gold = random.randrange(4)
        if tell:
            options[gold] += f" {tell}"
        if wrong:
            options = [o if p == gold else f"{o} {wrong}" for p, o in enumerate(options)]
        made.append(OptionSet(tuple(options), gold, cluster=f"t{number // 2}", community=f"c{number % 10}"))  # fmt: skip
    return made


def mean(hits):
    return sum(hits) / len(hits)


def test_a_word_that_only_gold_has_is_found():
    found = text_classifier(corpus_of(60, tell="indeed"), seed=0)
    assert mean(found.hits) == 1.0
    assert mean(found.reversed_hits) == 0.0


def test_folds_are_level_and_keep_groups_whole():
    groups = [n // 3 for n in range(60)]
    fold_of = folds(groups, 7)
    assert {fold_of.count(fold) for fold in range(5)} == {12}
    assert len({(group, fold) for group, fold in zip(groups, fold_of, strict=True)}) == 20
    assert folds(groups, 7) == fold_of != folds(groups, 8)


def test_fewer_groups_than_folds_are_refused():
    with pytest.raises(ValueError, match="4 groups, 5 are needed"):
        folds([0, 1, 2, 3], 1)


def test_a_family_whose_ancestor_is_gold_is_found_by_its_shape_alone():
    random = Random(3)
    made = []
    for number in range(60):
        plan = [f"{word} {number}" for word in random.sample(WORDS, 6)]
        options = ["\n".join(plan)]
        options += ["\n".join([*plan[:p], said(random), *plan[p + 1 :]]) for p in range(4)]
        gold = number % 5
        options[0], options[gold] = options[gold], options[0]
        made.append(OptionSet(tuple(options), gold, community=f"c{number % 10}"))
    assert mean(learned_attack(made, seed=0)) > 0.9


def test_features_do_not_depend_on_the_order_of_options_but_for_the_position():
    options = ("a\nb", "a\nc", "d\ne\nf")
    rows, turned = features(options, 5), features(options[::-1], 5)
    np.testing.assert_allclose(rows[:, :-1], turned[::-1, :-1])
    assert rows[:, -1].tolist() == [0, 1, 2]


def test_the_same_seed_gives_the_same_results():
    corpus = corpus_of(40)
    assert attack_all(corpus, seed=3) == attack_all(corpus, seed=3)


def test_equal_options_give_trained_attacks_chance():
    corpus = [OptionSet(("same",) * 4, n % 4, cluster=str(n)) for n in range(20)]
    # One block: nothing can be trained on one part and measured on another.
    assert set(attack_all(corpus).left_out) == set(TRAINED)


def test_questions_that_tell_nothing_pass():
    corpus = corpus_of(130, seed=8)
    gate = judge(corpus, attack_all(corpus), rules_only=True)
    assert (gate.verdict, gate.reasons, gate.needed) == (Verdict.PASSES, (), 113)


def test_few_questions_that_tell_nothing_are_not_enough_to_say():
    corpus = corpus_of(40, seed=5)
    gate = judge(corpus, attack_all(corpus), rules_only=True)
    assert gate.verdict is Verdict.TOO_FEW
    assert gate.reasons[0].startswith("not enough to say: 40 sets, 113 are needed")


def test_few_questions_that_tell_everything_fail():
    corpus = corpus_of(40, wrong="or so")
    gate = judge(corpus, attack_all(corpus), rules_only=True)
    assert gate.verdict is Verdict.FAILS
    assert any(reason.startswith("text_classifier is right in 1.000") for reason in gate.reasons)


def test_the_learned_attack_may_gain_a_little_where_rules_alone_made_the_options():
    corpus = corpus_of(400, seed=5)
    attacked = attack_all(corpus[:10])
    (learned,) = [result for result in attack_all(corpus).results if result.name == LEARNED]
    slightly = type(attacked)((type(learned)(**_fields(learned, accuracy_low=0.30)),))
    assert judge(corpus, slightly, rules_only=True).verdict is Verdict.PASSES
    assert judge(corpus, slightly, rules_only=False).verdict is Verdict.FAILS


def _fields(result, **changes):
    return {name: getattr(result, name) for name in result.__slots__} | changes


def test_a_gate_without_its_trained_attacks_does_not_pass():
    corpus = [
        OptionSet(q.options, q.gold, cluster=f"t{n % 4}") for n, q in enumerate(corpus_of(200))
    ]
    gate = judge(corpus, attack_all(corpus), rules_only=True)
    assert gate.verdict is Verdict.TOO_FEW
    assert any("learned not made: 4 groups" in reason for reason in gate.reasons)
