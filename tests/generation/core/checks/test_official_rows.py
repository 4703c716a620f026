"""What the official rows are known to show, counted by item; nothing else may weigh 3."""

import pytest

from generation.core.items import Severity
from tests.generation.core.checks.official import (
    flagged_items,
    official_findings,
    official_items,
)
from tests.shared_data import needs_shared

pytestmark = [needs_shared, pytest.mark.shared]


def test_all_rows_of_the_five_tasks_are_checked():
    assert len(official_items()) == 1_686


@pytest.mark.parametrize(
    ("subtask", "kind", "items"),
    [
        ("env_setup_action", "target_already_executed", 68),
        ("env_setup_action", "gold_not_shell", 21),
        ("env_setup_action", "gold_is_command_fragment", 35),
        ("env_setup_action", "placeholder_in_gold", 25),
        ("env_setup_action", "gold_wrapped_in_quotes", 18),
        ("env_setup_action", "gold_exceeds_max_new_tokens", 1),
        ("closed_answer_en", "duplicate_row", 51),
        ("issue_fix_locate", "answer_out_of_range", 5),
        ("issue_fix_locate", "gold_fully_covered_by_distractors", 119),
        ("issue_fix_locate", "ambiguous_choice_labels", 2),
        ("issue_fix_locate", "unexpected_choice_count", 6),
        ("closed_plan_zh", "distractor_violates_tool_schema", 145),
        ("closed_plan_zh", "distractor_same_action_as_gold", 1),
        # Two items of the whole file have equal options; one of them is among these 50 rows.
        ("env_setup_error", "duplicate_choice", 1),
    ],
)
def test_a_known_fault_is_found_in_just_so_many_items(subtask, kind, items):
    assert flagged_items()[subtask][kind] == items


def test_nothing_else_blocks_a_release():
    blocking = {
        (item.subtask.name, finding.kind)
        for item, finding in official_findings()
        if finding.severity is Severity.BLOCKS_RELEASE
    }
    assert blocking == {
        ("env_setup_action", "gold_not_shell"),
        ("env_setup_action", "gold_is_command_fragment"),
        ("env_setup_action", "gold_exceeds_max_new_tokens"),
        ("closed_answer_en", "duplicate_row"),
        ("issue_fix_locate", "answer_out_of_range"),
        ("issue_fix_locate", "gold_fully_covered_by_distractors"),
        ("issue_fix_locate", "ambiguous_choice_labels"),
        ("closed_plan_zh", "distractor_same_action_as_gold"),
        ("env_setup_error", "duplicate_choice"),
    }


def test_the_gold_that_exceeds_its_budget_is_the_longest_download():
    (item,) = [
        item
        for item, finding in official_findings()
        if finding.kind == "gold_exceeds_max_new_tokens"
    ]
    assert item.gold[0].startswith("curl -L https://")
    assert item.gold[0].endswith("| tar -xj")


def test_the_two_equal_calls_both_end_the_task():
    (item,) = [
        item
        for item, finding in official_findings()
        if finding.kind == "distractor_same_action_as_gold"
    ]
    assert item.gold == ("D",)
    for option in (item.options[0], item.options[3]):
        assert option.endswith('"execution": {"name": "task_complete", "args": {}}}')


def test_repeated_rows_are_flagged_after_the_row_that_they_repeat():
    order = {item.key: number for number, item in enumerate(official_items())}
    for item, finding in official_findings():
        if finding.kind == "duplicate_row":
            earlier = finding.evidence.removeprefix("same content as ")
            assert order[earlier] < order[item.key]
