"""Guesses at completions, and places of gold, by hand."""

import pytest

from generation.core.attacks.completion import Completion, entered, guess_completions
from generation.core.attacks.option_set import OptionSet
from generation.core.attacks.position import positions
from generation.core.attacks.set_audit import audit_choices


def test_rules_by_hand():
    corpus = [
        Completion(("make",), "git clone https://host/o/kiln.git", "a"),
        Completion(("cd kiln",), "git clone https://host/o/kiln.git", "b"),
        Completion(("make",), "cd kiln", "b"),
        Completion(("make  test",), "make test", "c"),
        Completion(("make",), "cd oven", "d"),
    ]
    found = {result.name: result for result in guess_completions(corpus)}
    assert found["most_frequent_gold"].accuracy == pytest.approx(3 / 5)
    assert found["most_frequent_gold"].detail == "make"
    assert found["repeat_last"].accuracy == pytest.approx(1 / 5)
    assert found["enter_clone"].accuracy == pytest.approx(1 / 5)
    # After "cd", make is right in the other cluster each time; after "git" the others differ.
    assert found["after_last_program"].accuracy == pytest.approx(2 / 5)


@pytest.mark.parametrize(
    ("command", "guess"),
    [
        ("git clone https://host/o/kiln.git", "cd kiln"),
        ("git clone https://host/o/kiln", "cd kiln"),
        ("git clone --depth 1 git@host:o/kiln.git oven", "cd oven"),
        ("git clone https://host/o/kiln/", "cd kiln"),
        ("git pull", ""),
        ("", ""),
    ],
)
def test_what_a_clone_makes(command, guess):
    assert entered(command) == guess


def test_no_completion_is_refused():
    with pytest.raises(ValueError, match="no completion"):
        guess_completions([])


def test_positions_by_hand():
    found = positions([OptionSet(("a", "b"), 0)] * 15 + [OptionSet(("a", "b"), 1)] * 5)
    # (15 - 10)² / 10 + (5 - 10)² / 10 = 5, on one degree of freedom
    assert (found.counts, found.chi_square, found.degrees) == ((15, 5), 5.0, 1)
    assert found.p == pytest.approx(0.02535, abs=1e-5)


def test_sets_of_different_size_share_their_chances():
    found = positions([OptionSet(("a", "b"), 0), OptionSet(("a", "b", "c", "d"), 3)])
    assert found.expected == (0.75, 0.75, 0.25, 0.25)


def test_a_subtask_without_an_answerable_question_is_said_to_be_so():
    audit = audit_choices([], unanswerable=3, ordered=True, rules_only=True, seed=0)
    assert "no answerable set, 3 without a right answer" in audit.gate.reasons[0]
