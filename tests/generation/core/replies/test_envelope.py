"""Bodies of servers are read without trust."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.llm_prompts.wrong_thoughts import WrongThoughts
from generation.core.replies.envelope import Usage, is_same_model, usage_of
from generation.core.replies.failures import Failure
from generation.core.replies.outcome import outcome_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "error", "usage", "model", "x"]),
            inner,
        )
    ),
    max_leaves=15,
)


@given(JSON | st.fixed_dictionaries({"choices": st.lists(JSON, max_size=2), "usage": JSON}))
def test_any_json_is_a_named_failure_and_no_error(body):
    outcome = outcome_of(json.dumps(body), asked_model="m", shape=WrongThoughts)
    assert outcome.failure in set(Failure)


@given(st.text(max_size=60))
def test_any_text_is_a_named_failure_and_no_error(body):
    assert outcome_of(body, asked_model="m", shape=WrongThoughts).failure in set(Failure)


def test_body_nested_beyond_reading_is_named():
    outcome = outcome_of("[" * 200_000, asked_model="m", shape=WrongThoughts)
    assert outcome.failure == Failure.BAD_BODY


@pytest.mark.parametrize(
    ("asked", "named", "same"),
    [
        ("gpt-x", "gpt-x", True),
        ("gpt-x", "gpt-x-2026-08-06", True),
        ("openai/gpt-x", "GPT-X", True),
        ("gpt-x", "/models/gpt-x", True),
        ("gpt-x", "gpt-x-mini", False),
        ("gpt-x", "gpt-y", False),
        ("gpt-x-mini", "gpt-x", False),
    ],
)
def test_name_of_the_model_that_answered(asked, named, same):
    assert is_same_model(asked, named) is same


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        ({"prompt_tokens": 900, "completion_tokens": 80}, Usage(900, 80)),
        ({"prompt_tokens": 900}, Usage(900, 0)),
        ({"total_tokens": 500}, None),
        ({"prompt_tokens": -1, "completion_tokens": 1}, None),
        ({"prompt_tokens": 2**40, "completion_tokens": 1}, None),
        ({"prompt_tokens": "9", "completion_tokens": 1}, None),
        (None, None),
        ([1], None),
    ],
)
def test_usage_counts_only_where_it_is_one(usage, read):
    assert usage_of({"usage": usage}) == read
