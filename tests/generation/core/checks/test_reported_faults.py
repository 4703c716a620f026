"""The reported case of faulty rows (CB03): what is said of each, and what stays releasable."""

import json

import pytest

from generation.core.checks.catalogue import check_items
from generation.core.items import Severity
from tests.generation.core.checks.make import choice, command
from tests.shared_data import CASES, needs_shared

pytestmark = [needs_shared, pytest.mark.shared]

# kind, field and severity of what the case's sentences say
EXPECTED: dict[str, set[tuple[str, str, int]]] = {
    "q1": {("answer_out_of_range", "gold", 3)},
    "q2": {("duplicate_choice", "option:1", 3)},
    "q3": {("gold_wrapped_in_quotes", "gold", 2)},
    "q4": {("gold_not_shell", "gold", 3), ("gold_is_command_fragment", "gold", 3)},
    "q5": {("placeholder_in_gold", "gold", 2), ("gold_not_shell", "gold", 3)},
    "q6": set(),
    "q6 again": {("duplicate_row", "row", 3)},
    "q7": {("target_already_executed", "gold", 2)},
}


def _items():
    cases = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    rows = next(case for case in cases if case["id"] == "CB03")["input"]["rows"]
    seen = set()
    for row in rows:
        key = f"{row['id']} again" if row["id"] in seen else row["id"]
        seen.add(row["id"])
        slots = {"task": row["stem"]}
        if row["type"] == "mcq":
            yield choice(*row["choices"].values(), gold=row["answer"], key=key, slots=slots)
        else:
            shown = tuple(row.get("history", ()))
            yield command(row["answer"], key=key, slots=slots, shown_actions=shown)


def test_every_row_gets_just_the_findings_that_the_case_states():
    found: dict[str, set[tuple[str, str, int]]] = {item.key: set() for item in _items()}
    for key, finding in check_items(_items()):
        found[key].add((finding.kind, finding.field, int(finding.severity)))
    assert found == EXPECTED


def test_only_the_first_of_the_equal_rows_may_be_released_without_an_override():
    weighty = {key for key, f in check_items(_items()) if f.severity >= Severity.NEEDS_PERSON}
    assert [item.key for item in _items() if item.key not in weighty] == ["q6"]
