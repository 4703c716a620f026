"""What a check says of two options names them by the letters that the reader sees."""

import pytest

from generation.core.checks import duplicate_choice, near_duplicate_choice
from generation.core.items import Item
from generation.core.records import Language
from generation.core.registry import SUBTASKS
from review.core.evidence_letters import in_shown_letters


def shown(position: int) -> str:
    return "CADB"[position]


@pytest.mark.parametrize(
    ("kind", "evidence", "expected"),
    [
        ("duplicate_choice", "(C) says the same as (A): (A) b", "(D) says the same as (C): (A) b"),
        ("near_duplicate_choice", "(B) is nearly (A): ratio 0.98", "(A) is nearly (C): ratio 0.98"),
        ("duplicate_choice", "two options are the same", "two options are the same"),
        ("mojibake", "(A) says the same as (B): x", "(A) says the same as (B): x"),
    ],
)
def test_letters_of_the_given_order_become_those_shown(kind, evidence, expected):
    assert in_shown_letters(kind, evidence, shown) == expected


def item(*options: str) -> Item:
    return Item("1", SUBTASKS["issue_fix_plan"], Language.EN, {}, options, ("A",), 10, "c")


def test_sentences_are_those_that_the_checks_write():
    (equal,) = duplicate_choice.check(item("Wait here.", "Go.", "wait  here."))
    assert in_shown_letters(equal.kind, equal.evidence, shown).startswith(
        "(D) says the same as (C)"
    )
    long = "Wait until the kiln is cold. " * 20
    (near,) = near_duplicate_choice.check(item(f"{long}a", f"{long}b"))
    assert in_shown_letters(near.kind, near.evidence, shown).startswith("(A) is nearly (C)")
