"""When a call that failed in passing is tried again."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from generation.core.replies.failures import Failure

MOST_ATTEMPTS = 6
LONGEST_WAIT = 24 * 3600.0
"""Seconds; a server that asks for more is taken to have refused."""

_FIRST, _LONGEST_BACKOFF = 1.0, 60.0
_RETRIED = frozenset({408, 409, 429})


def failure_of_status(status: int) -> Failure | None:
    """Return the named state of an HTTP status, None for a success."""
    if 200 <= status < 300:
        return None
    if status in {401, 403}:
        return Failure.KEY_REFUSED
    if status == 429:
        return Failure.RATE_LIMITED
    if status in _RETRIED or status >= 500:
        return Failure.SERVER_ERROR
    return Failure.REQUEST_REFUSED


def asked_wait(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Return for how many seconds the server asks to wait; None where it does not say.

    ``retry-after-ms`` counts milliseconds; ``Retry-After`` is seconds or a date, which is held
    against the server's own ``Date`` where it sends one, so that a wrong clock does no harm.
    Names of headers are taken in any case. A time that is past is 0.
    """
    given = {name.lower(): value.strip() for name, value in headers.items()}
    milliseconds = _number(given.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    after = given.get("retry-after", "")
    seconds = _number(after)
    if seconds is not None:
        return seconds
    until = _date(after)
    if until is None:
        return None
    return max(0.0, (until - (_date(given.get("date", "")) or now)).total_seconds())


def wait_before(attempt: int, *, asked: float | None, jitter: float) -> float:
    """Return the seconds until the attempt after ``attempt`` (1-based); at least half a second.

    Never less than the server asked for; without a wish of the server it doubles from a second to
    a minute. ``jitter`` in 0..1 spreads callers that failed together: over half of the wait, and
    over a tenth beyond what was asked for.
    """
    if asked is not None:
        return max(0.5, asked * (1 + jitter / 10))
    full = min(_LONGEST_BACKOFF, _FIRST * float(1 << min(attempt - 1, 20)))
    return full * (1 + jitter) / 2


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
