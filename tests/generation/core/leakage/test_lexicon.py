"""Which sentences assert success."""

import pytest

from generation.core.leakage.lexicon import success_assertions
from generation.core.leakage.normalise import normalise
from tests.generation.core.leakage.planting import CONDITIONS, SUCCESSES


def asserted(text: str) -> list[str]:
    folded = normalise(text).text
    return [folded[s:e] for s, e in success_assertions(folded, 0, len(folded))]


@pytest.mark.parametrize("sentence", SUCCESSES)
def test_a_plain_assertion_is_found(sentence):
    assert asserted(f"Work so far is shown. {sentence} Choose the next step.")


@pytest.mark.parametrize("sentence", CONDITIONS)
def test_denied_conditional_wanted_and_asked_are_none(sentence):
    assert asserted(f"Work so far is shown.\n{sentence}\nChoose the next step.") == []


def test_a_condition_in_the_sentence_before_does_not_guard():
    assert asserted("Stop if it hangs. All tests passed.") == ["all tests passed"]


def test_a_time_clause_before_a_comma_does_not_guard():
    assert asserted("After the fix, all tests passed.") == ["all tests passed"]


def test_the_phrase_itself_is_what_is_reported():
    assert asserted("We saw 4/4 passed and 0 failed") == ["4/4 passed", "0 failed"]
