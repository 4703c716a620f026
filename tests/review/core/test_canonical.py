"""One form of JSON: equal content, equal bytes; one record, one line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.canonical import canonical_json, json_line, sha256_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=8,
)


def test_separators_that_end_a_line_are_escaped():
    line = json_line({"text": "a\u2028b\u2029c\u0085d"})
    assert line.splitlines() == [line.rstrip("\n")]
    assert json.loads(line) == {"text": "a\u2028b\u2029c\u0085d"}


def test_keys_are_sorted_for_digests_and_kept_for_lines():
    assert canonical_json({"b": 1, "a": 2}) == '{"a":2,"b":1}'
    assert json_line({"b": 1, "a": 2}) == '{"b":1,"a":2}\n'


@pytest.mark.parametrize("write", [canonical_json, json_line])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_that_json_lacks_are_refused(write, value):
    with pytest.raises(ValueError, match="Out of range"):
        write({"score": value})


def test_digest_of_a_known_text():
    assert sha256_of("abc").startswith("ba7816bf8f01cfea")


@given(VALUES)
def test_every_value_comes_back_from_one_line(value):
    line = json_line(value)
    assert line.count("\n") == 1
    assert json.loads(line) == value
