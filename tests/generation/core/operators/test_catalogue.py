"""The operators by name: all that are made by rule, one at a time."""

from generation.core.operators.catalogue import OPERATORS


def test_every_operator_of_the_design_that_works_by_rule_is_there():
    assert set(OPERATORS) == {
        "reorder_steps",
        "drop_step",
        "insert_harmful",
        "insert_redundant",
        "swap_versions",
        "later_step",
        "other_item",
        "wrong_tool_use",
        "early_stop",
        "repeat_done",
        "off_target_query",
        "unrelated_url",
        "perturb_facts",
        "break_logic",
        "harm_readability",
        "miss_request",
        "failed_prediction",
    }
