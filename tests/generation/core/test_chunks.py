"""Runs of keys hold every key once, in order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.chunks import chunks


@given(st.lists(st.integers()), st.integers(1, 7))
def test_chunks_hold_every_key_once_in_order(keys, size):
    some = list(chunks(keys, size))
    assert [key for chunk in some for key in chunk] == keys
    assert all(1 <= len(chunk) <= size for chunk in some)


def test_runs_of_nothing_are_refused():
    with pytest.raises(ValueError, match="at least 1"):
        chunks([1], 0)
