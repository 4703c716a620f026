"""The checks of options that are tool calls."""

import json

import pytest

from generation.core.checks import distractor_same_action_as_gold, distractor_violates_tool_schema
from generation.core.checks.calls import Call, read_call
from generation.core.records import Tool
from tests.generation.core.checks.make import choice

TOOLS = (
    Tool("search", arguments={"text": "words"}, required=("text",)),
    Tool("browse", arguments={"url": "address", "question": "what"}, required=("url",)),
    Tool("finish"),
)


def step(name, args, planning="Go on."):
    return json.dumps({"planning": planning, "execution": {"name": name, "args": args}})


def faults(*options, gold="A", tools=TOOLS):
    item = choice(*options, gold=gold, tools=tools)
    return [(f.field, f.evidence) for f in distractor_violates_tool_schema.check(item)]


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (step("find", {"text": "a"}), "the tool 'find' is not declared: search, browse, finish"),
        (step("search", "a"), "search has no arguments object"),
        ('{"execution": {"name": "search"}}', "search has no arguments object"),
        (step("search", {"text": "a", "lang": "en"}), "search takes no argument 'lang'"),
        (step("finish", {"status": "done"}), "finish takes no argument 'status'"),
        (step("browse", {"question": "a"}), "browse lacks the argument 'url'"),
        (step("search", {"text": " "}), "search has an empty argument 'text'"),
    ],
)
def test_a_call_that_its_tool_cannot_take_is_named(call, fault):
    assert faults(step("search", {"text": "a"}), call) == [("option:1", fault)]


@pytest.mark.parametrize(
    "call",
    [
        step("search", {"text": "b"}),
        step("search", {"text": 2002}),
        step("browse", {"url": "a"}),
        step("finish", {}),
        "1. Read the README.",
        "{not JSON",
    ],
)
def test_valid_calls_and_texts_without_a_call_are_left_alone(call):
    assert faults(step("search", {"text": "a"}), call) == []


def test_without_declared_tools_no_call_is_wrong():
    assert faults("x", step("find", {}), tools=()) == []


def test_gold_is_no_distractor():
    assert faults(step("find", {}), "x", gold="A") == []


def test_the_same_call_under_another_plan_is_gold_again():
    gold = step("search", {"text": "a b"})
    again = step("search", {"text": "a  b"}, planning="Look it up.")
    item = choice("x", gold, again, step("search", {"text": "A b"}), gold="B")
    (finding,) = distractor_same_action_as_gold.check(item)
    assert (finding.field, finding.evidence) == ("option:2", again)


def test_the_order_of_arguments_makes_no_other_call():
    gold, other = (
        step("browse", {"url": "a", "question": "b"}),
        step("browse", {"question": "b", "url": "a"}),
    )
    assert [*distractor_same_action_as_gold.check(choice(gold, other))]


def test_equal_plans_with_other_calls_are_other_actions():
    item = choice(step("search", {"text": "a"}), step("search", {"text": "b"}), "x", "x")
    assert not [*distractor_same_action_as_gold.check(item)]


@pytest.mark.parametrize(
    "text", ["[1]", '"a"', "{}", '{"name": 1}', '{"execution": []}', "{" * 5000]
)
def test_what_names_no_tool_is_no_call(text):
    assert read_call(text) is None


def test_a_call_nested_too_deep_to_read_is_no_call():
    assert read_call('{"a":' * 100_000) is None


def test_a_call_may_stand_alone_and_name_its_arguments_in_full():
    call = read_call('{"name": "search", "arguments": {"text": "a"}}')
    assert call == Call("search", {"text": "a"})
