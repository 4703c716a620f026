"""The checks of search agents' steps and answers, and of statements on a page."""

from dataclasses import replace

import pytest

from generation.core.checks import (
    final_answer_in_prefix,
    gold_not_literal_in_trajectory,
    unclear_support,
)
from generation.core.checks.answers import holds_answer
from generation.core.items import Severity
from generation.core.subtask import AnswerFormat, Reader
from tests.generation.core.checks.make import CHOICE, answer, choice

CITED = replace(
    CHOICE,
    name="open_citation_en",
    answer_format=AnswerFormat.CHOICES,
    reader=Reader.LETTERS,
    choices=range(6, 7),
)
PAGE = "The mill was built in 1749 on two barges of oak. It ground 900 kilograms of rye."


@pytest.mark.parametrize(
    ("answer", "text", "holds"),
    [
        ("Sable Medal", "She got the SABLE medal.", True),
        ("1949", "It was 19490.", False),
        ("沈若川", "设计者是沈若川。", True),
        ("7", "7 towns", False),
        ("", "anything", False),
    ],
)
def test_an_answer_is_found_as_whole_words_whatever_its_case(answer, text, holds):
    assert holds_answer(text, answer) is holds


def test_a_shown_answer_decides_whether_a_search_goes_on():
    slots = {"history": "Observation: the Sable Medal of 1962"}
    shown = choice("x", "y", slots=slots, reference_answer="Sable Medal")
    (finding,) = final_answer_in_prefix.check(shown)
    assert (finding.kind, finding.severity) == ("final_answer_in_prefix", Severity.NOTE)
    own = choice("x", "y", slots=slots, extra={final_answer_in_prefix.EXTRA: "1962"})
    assert [*final_answer_in_prefix.check(own)]
    assert not [*final_answer_in_prefix.check(choice("x", "y", slots=slots, reference_answer="Bo"))]
    assert not [*final_answer_in_prefix.check(choice("x", "y", slots=slots, subtask=CITED))]


def test_an_answer_in_other_words_than_the_steps_is_for_a_person():
    slots = {"history": "Observation: it opened in the autumn of 1912"}
    assert not [*gold_not_literal_in_trajectory.check(answer("1912", slots=slots))]
    (finding,) = gold_not_literal_in_trajectory.check(answer("before the war", slots=slots))
    assert (finding.severity, finding.field) == (Severity.NOTE, "gold")
    assert not [*gold_not_literal_in_trajectory.check(choice("x", "y", slots=slots))]


def test_a_right_statement_that_the_page_does_not_bear_out_in_words_is_for_a_person():
    slots = {"page": PAGE}
    borne_out = "The mill was built on barges of oak in 1749."
    other_year = "The mill was built on barges of oak in 1794."
    item = choice(borne_out, other_year, "Rye was dear.", gold="AB", subtask=CITED, slots=slots)
    (finding,) = unclear_support.check(item)
    assert (finding.field, finding.severity) == ("option:1", Severity.NEEDS_PERSON)
    assert not [*unclear_support.check(replace(item, gold=("A",)))]
    assert not [*unclear_support.check(replace(item, subtask=CHOICE))]
