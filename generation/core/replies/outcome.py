"""What an HTTP success means: an answer of the asked shape or a named failure, and its usage."""

from dataclasses import dataclass

from generation.core.replies.envelope import Reply, Usage, read_body, reply_of, usage_of
from generation.core.replies.failures import Failure, ReplyFault
from generation.core.replies.reading import Answer, Shape, read_answer


@dataclass(frozen=True, slots=True)
class Outcome:
    """``failure`` is None for an answer; ``usage`` None where the server tells nothing usable."""

    failure: Failure | None
    detail: str
    usage: Usage | None


def outcome_of(body: str, *, asked_model: str, shape: type[Answer]) -> Outcome:
    """Return what a body means; whatever it holds, nothing is raised.

    Args:
        body: What the server sent with a success of HTTP.
        asked_model: The server's name of the model that was asked.
        shape: What the prompt asks for.
    """
    usage = None
    try:
        envelope = read_body(body)
        usage = usage_of(envelope)
        read_answer(reply_of(envelope, asked_model=asked_model), shape)
    except ReplyFault as fault:
        return Outcome(fault.failure, fault.detail, usage)
    return Outcome(None, "", usage)


def answer_in(body: str, *, asked_model: str, shape: type[Shape]) -> Shape:
    """Return the answer that a stored body holds.

    Raises:
        ReplyFault: it holds none.
    """
    reply: Reply = reply_of(read_body(body), asked_model=asked_model)
    return read_answer(reply, shape)
