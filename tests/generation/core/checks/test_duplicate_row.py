from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.checks import duplicate_row
from generation.core.records import Language
from tests.generation.core.checks.make import LOCATE, choice

ITEM = choice("x", "y", key="first", shown_actions=("ls",))


def repeated(*items):
    watch = duplicate_row.start()
    return [(key, finding.evidence) for item in items for key, finding in watch(item)]


def test_a_row_with_the_content_of_an_earlier_one_is_flagged_and_names_it():
    again = replace(ITEM, key="second", cluster="other", max_new_tokens=99)
    assert repeated(ITEM, again) == [("second", "same content as first")]


@pytest.mark.parametrize(
    "change",
    [
        {"subtask": LOCATE},
        {"language": Language.ZH},
        {"slots": {"task": "Else?"}},
        {"options": ("y", "x")},
        {"gold": ("B",)},
        {"shown_actions": ("ls", "ls")},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_row_that_differs_in_one_part_of_its_content_is_another(change):
    assert not repeated(ITEM, replace(ITEM, key="second", **change))


def test_texts_may_not_slip_from_one_part_into_the_next():
    assert not repeated(choice("x", "A", gold="B"), choice("x", gold="AB"))


@given(st.lists(st.sampled_from("ABC"), max_size=12))
def test_all_but_the_first_of_equal_rows_are_flagged(golds):
    items = [replace(ITEM, key=f"{n}", gold=(gold,)) for n, gold in enumerate(golds)]
    assert len(repeated(*items)) == len(golds) - len(set(golds))
