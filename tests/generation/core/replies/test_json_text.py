"""JSON is found in whatever a model wrote around it, and nothing else is taken for it."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.replies.json_text import DEEPEST, find_json, without_thinking

SCALARS = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(max_size=8), VALUES, min_size=1, max_size=4)
PROSE = st.text(st.characters(exclude_characters='{}[]"', exclude_categories=["Cs"]), max_size=40)
INDENTS = st.sampled_from([None, 1, 4])


def clean(value):
    return json.loads(json.dumps(value))


@given(OBJECTS, PROSE, PROSE, INDENTS)
def test_object_is_found_between_any_prose(value, before, after, indent):
    found = find_json(f"{before}{json.dumps(value, indent=indent)}{after}")
    assert found.values == (clean(value),)
    assert not found.is_cut


@given(OBJECTS, st.sampled_from(["", "json", "JSON"]))
def test_object_is_found_in_a_fence(value, name):
    text = json.dumps(value, ensure_ascii=False, indent=2)
    assert find_json(f"Here:\n```{name}\n{text}\n```\nDone.").values == (clean(value),)


@given(OBJECTS)
def test_comma_before_a_closing_bracket_is_forgiven_and_never_one_in_a_string(value):
    text = json.dumps(value, indent=1).replace("\n}", ",\n}").replace("\n]", ", \n]")
    assert find_json(text).values == (clean(value),)


def test_comma_and_bracket_inside_a_string_stay():
    assert find_json('{"a": "x,}", "b": [1, 2,],}').values == ({"a": "x,}", "b": [1, 2]},)


@given(OBJECTS, st.data())
def test_cut_object_is_cut_and_no_object(value, data):
    text = json.dumps({"answer": value})
    place = data.draw(st.integers(2, len(text) - 1))
    found = find_json(text[:place])
    assert {"answer": clean(value)} not in found.values
    assert found.is_cut or found.values


@given(st.text(max_size=300))
def test_any_text_gives_only_what_can_be_written_again(text):
    for value in find_json(text).values:
        assert isinstance(value, dict | list)
        json.dumps(value, allow_nan=False).encode()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('see [1] and {x}: {"a": 1}', ([1], {"a": 1})),
        ('{"a": 1} {"a": 1}', ({"a": 1},)),
        ('{"a": 1}{"a": 2}', ({"a": 1}, {"a": 2})),
        ('{"a": "line\nend"}', ({"a": "line\nend"},)),
        ('{"a": NaN}', ()),
        ('{"a": Infinity}', ()),
        ('{"a": 1]', ()),
        ("", ()),
        (r'{"a": "\ud800x"}', ({"a": "\ufffdx"},)),
        ("{'a': 1}", ()),
        ('if (x) { return "}"; } {"a": 1}', ({"a": 1},)),
    ],
)
def test_by_hand(text, values):
    assert find_json(text).values == values


def test_nesting_has_an_end():
    deep = "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)
    assert len(find_json(deep).values) == 1  # the outermost that is not too deep
    assert find_json("[" * 100_000).values == ()


@pytest.mark.parametrize("text", ["{" * 40_000, '{"' * 20_000, "[{" * 20_000, "<think>" * 10_000])
def test_hostile_text_takes_no_quadratic_time(text):
    started = time.process_time()
    find_json(without_thinking(text)[0])
    assert time.process_time() - started < 5  # 0.3 s; 20 times as long where every call is traced


@pytest.mark.parametrize(
    ("text", "left", "never_ended"),
    [
        ("<think>a</think>b", "b", False),
        ("a<think>b</think>c<THINKING>d</THINKING>e", "ace", False),
        ("thought</think>answer", "answer", False),
        ("<think>a", "", True),
        ("<think>a<think>b</think>c</think>d", "d", False),
        ("no thought", "no thought", False),
    ],
)
def test_thinking_aloud_is_taken_out(text, left, never_ended):
    assert without_thinking(text) == (left, never_ended)
