"""What of a JSON call is quiet."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.json_syntax import json_syntax

CALL = '{"planning":"Look at \\"it\\".","execution":{"name":"search","args":{"text":"a, b","n":3}}}'
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
)


def loud(text):
    """What is left of a text without its syntax, a run a piece."""
    found, at = [], 0
    for run in json_syntax(text):
        found.append(text[at : run.start])
        at = run.end
    return [piece for piece in (*found, text[at:]) if piece]


def lines_of(text):
    return [text[run.start : run.end] for run in json_syntax(text) if run.starts_line]


def test_values_are_loud_and_the_rest_is_quiet():
    assert loud(CALL) == ['Look at \\"it\\".', "search", "a, b", "3"]


def test_second_part_of_the_call_starts_a_line():
    assert lines_of(CALL) == ['"execution":{"name":"']


def test_call_that_has_its_own_lines_gets_no_more():
    assert lines_of(json.dumps(json.loads(CALL), indent=2)) == []


@pytest.mark.parametrize("text", ["Look.", "[1, 2]", "", "{x}", 'a {"b": 1}', "{}"])
def test_text_that_is_no_call_has_no_syntax(text):
    assert json_syntax(text) == ()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"planning":"Look', ["Look"]),
        ('{"planning":"Look","execution":{"name":', ["Look"]),
        ('{"planning":"Look"]]}}, "x": y z', ["Look", "y", "z"]),
        ('{"planning', ["planning"]),
        ('{"a":"b\\', ["b\\"]),
    ],
)
def test_broken_call_looks_like_a_whole_one(text, values):
    assert loud(text) == values


@given(st.dictionaries(st.text(max_size=4), JSON, min_size=1, max_size=4))
def test_runs_are_in_order_apart_and_hold_no_value(value):
    text = json.dumps(value)
    at = 0
    for run in json_syntax(text):
        assert at <= run.start < run.end <= len(text)
        at = run.end
    assert len(lines_of(text)) == len(value) - 1


@given(st.text(st.sampled_from('{}[]:,"\\ \n ab1'), max_size=60))
def test_any_text_gives_runs_inside_it(text):
    text = '{"' + text
    at = 0
    for run in json_syntax(text):
        assert at <= run.start < run.end <= len(text)
        at = run.end


def test_time_is_linear_in_hostile_text():
    for hostile in (
        '{"' + '\\"' * 500_000,
        '{"a"' + " " * 500_000 + '"' * 1_000,
        '{"a":' * 100_000,
    ):
        assert json_syntax(hostile)
