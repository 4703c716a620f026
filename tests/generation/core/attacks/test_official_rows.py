"""The audit finds in the official rows what is known of them, within 0.05."""

from functools import cache

import pytest

from generation.core.attacks.catalogue import attack_all
from generation.core.attacks.completion import Completion, guess_completions
from generation.core.attacks.gate import Verdict, judge
from generation.core.attacks.option_set import OptionSet
from generation.core.checks.answers import gold_indexes
from tests.generation.core.checks.official import official_items
from tests.shared_data import needs_shared

pytestmark = [needs_shared, pytest.mark.shared]


@cache
def corpus(name):
    sets = []
    for item in official_items():
        right = sorted(gold_indexes(item))
        if item.subtask.name == name and right:
            sets.append(OptionSet(item.options, right[0], frozenset(right[1:]), item.cluster))
    return sets


@pytest.mark.parametrize(
    ("subtask", "attack", "accuracy"),
    [
        ("env_setup_error", "step_consensus", 0.95),
        ("closed_plan_zh", "text_classifier", 0.75),
        ("issue_fix_locate", "text_classifier", 0.36),
    ],
)
def test_what_is_known_is_found(subtask, attack, accuracy):
    attacked = attack_all(corpus(subtask))
    (found,) = [result for result in attacked.results if result.name == attack]
    assert found.accuracy == pytest.approx(accuracy, abs=0.05)
    assert found.p_holm < 0.01
    gate = judge(corpus(subtask), attacked, rules_only=True)
    assert gate.verdict is Verdict.FAILS
    assert any(reason.startswith(f"{attack} is right") for reason in gate.reasons)


def test_a_constant_command_is_right_as_often_as_known():
    made = [
        Completion(item.gold, (item.shown_actions or ("",))[-1], item.cluster)
        for item in official_items()
        if item.subtask.name == "env_setup_action"
    ]
    found = {result.name: result for result in guess_completions(made)}
    assert found["most_frequent_gold"].accuracy == pytest.approx(0.093, abs=0.001)
    assert found["most_frequent_gold"].detail == "pip install -r requirements.txt"
