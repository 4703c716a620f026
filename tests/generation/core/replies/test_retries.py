"""Waits: never less than a server asks for, and never in step with others."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.replies.failures import Failure
from generation.core.replies.retries import asked_wait, failure_of_status, wait_before

NOW = datetime(2026, 10, 21, 7, 28, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "90"}, 90),
        ({"retry-after-ms": "1500", "Retry-After": "90"}, 1.5),
        ({"Retry-After": "Wed, 21 Oct 2026 07:28:30 GMT"}, 30),
        (
            {
                "RETRY-AFTER": "Wed, 21 Oct 2026 09:00:30 GMT",
                "date": "Wed, 21 Oct 2026 09:00:00 GMT",
            },
            30,
        ),
        ({"Retry-After": "Wed, 21 Oct 2026 07:27:00 GMT"}, 0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-3"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": ""}, None),
        ({}, None),
    ],
)
def test_wish_of_the_server(headers, seconds):
    assert asked_wait(headers, now=NOW) == seconds


@given(st.integers(1, 1000), st.floats(0, 1), st.floats(0, 10_000))
def test_wait_is_at_least_what_was_asked_for_and_a_tenth_more_at_most(attempt, jitter, asked):
    wait = wait_before(attempt, asked=asked, jitter=jitter)
    assert max(0.5, asked) <= wait <= max(0.5, asked * 1.1000001)


@given(st.integers(1, 1000), st.floats(0, 1))
def test_wait_without_a_wish_doubles_up_to_a_minute(attempt, jitter):
    full = min(60, 2 ** (attempt - 1))
    assert full / 2 <= wait_before(attempt, asked=None, jitter=jitter) <= full


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        (200, None),
        (204, None),
        (302, Failure.REQUEST_REFUSED),
        (400, Failure.REQUEST_REFUSED),
        (401, Failure.KEY_REFUSED),
        (403, Failure.KEY_REFUSED),
        (404, Failure.REQUEST_REFUSED),
        (408, Failure.SERVER_ERROR),
        (409, Failure.SERVER_ERROR),
        (429, Failure.RATE_LIMITED),
        (500, Failure.SERVER_ERROR),
        (503, Failure.SERVER_ERROR),
    ],
)
def test_status_has_a_name(status, failure):
    assert failure_of_status(status) == failure
