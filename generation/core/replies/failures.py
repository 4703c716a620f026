"""The named states in which a call of a model can end without an answer."""

from enum import StrEnum


class Failure(StrEnum):
    """Why a call gave no answer; the value is what the database holds."""

    REFUSAL = "refusal"
    CONTENT_FILTER = "content_filter"
    EMPTY = "empty"
    REASONING_ONLY = "reasoning_only"
    CUT = "cut"
    NOT_JSON = "not_json"
    AMBIGUOUS = "ambiguous"
    WRONG_SHAPE = "wrong_shape"
    TOO_FEW = "too_few"
    WRONG_MODEL = "wrong_model"
    BAD_BODY = "bad_body"
    SERVER_ERROR = "server_error"
    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    REQUEST_REFUSED = "request_refused"
    KEY_REFUSED = "key_refused"
    KEY_MISSING = "key_missing"
    LOST = "lost"


TRANSIENT = frozenset(
    {
        Failure.SERVER_ERROR,
        Failure.RATE_LIMITED,
        Failure.TIMEOUT,
        Failure.UNREACHABLE,
        Failure.BAD_BODY,
        Failure.LOST,
    }
)
"""What may pass by itself: these are tried again, later."""

UNANSWERED = TRANSIENT | {Failure.REQUEST_REFUSED, Failure.KEY_REFUSED, Failure.KEY_MISSING}
"""No model said anything: a later run may ask the same once more. Other failures are answers."""


class ReplyFault(Exception):
    """A reply that holds no answer: the named state, and what was seen, for people."""

    def __init__(self, failure: Failure, detail: str) -> None:
        super().__init__(f"{failure}: {detail}")
        self.failure = failure
        self.detail = detail
