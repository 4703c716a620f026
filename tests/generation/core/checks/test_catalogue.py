import importlib
import pkgutil
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core import checks
from generation.core.checks.catalogue import (
    ALL_CHECKS,
    SET_CHECKS,
    SET_WATCHES,
    check_item,
    check_items,
)
from tests.generation.core.checks.make import ANSWER, CHOICE, COMMAND, LOCATE, make_item

KIND_MODULES = [
    module
    for name in (found.name for found in pkgutil.iter_modules(checks.__path__))
    if hasattr(module := importlib.import_module(f"{checks.__name__}.{name}"), "KIND")
]


@pytest.mark.parametrize("module", KIND_MODULES, ids=lambda module: module.KIND)
def test_every_check_is_listed_and_its_file_has_the_name_of_its_kind(module):
    assert module.__name__.rpartition(".")[2] == module.KIND
    listed = {check.__module__ for check in (*ALL_CHECKS, *SET_WATCHES)}
    assert module.__name__ in listed


texts = st.text(max_size=30)


@given(
    st.sampled_from([CHOICE, LOCATE, COMMAND, ANSWER]),
    st.lists(texts, max_size=4).map(tuple),
    st.lists(texts | st.sampled_from("ABCD"), max_size=2).map(tuple),
    st.lists(texts, max_size=2).map(tuple),
)
def test_any_item_can_be_checked_and_every_finding_points_into_it(subtask, options, gold, shown):
    item = make_item(subtask, options=options, gold=gold, shown_actions=shown)
    for finding in check_item(item):
        name, _, index = finding.field.partition(":")
        assert name in {"prompt", "gold", "row"} or (
            name == "option" and finding.end <= len(options[int(index)])
        )
        assert 0 <= finding.start <= finding.end
        assert finding.evidence or finding.kind == "gold_wrapped_in_quotes"


def test_items_are_checked_as_they_come_and_none_is_waited_for():
    endless = (make_item(COMMAND, key=f"{n}", gold=("make )",)) for n in iter(int, 1))
    first = list(islice(check_items(endless), 2))
    assert [finding.kind for _, finding in first] == ["gold_not_shell", "gold_is_command_fragment"]


def test_a_set_check_by_itself_says_what_it_says_in_the_walk():
    items = [make_item(ANSWER, key=key) for key in "abc"]
    assert [key for check in SET_CHECKS for key, _ in check(items)] == ["b", "c"]
    assert [key for key, _ in check_items(items)] == ["b", "c"]
