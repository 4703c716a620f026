"""The body of a chat completion, read without trust: servers send errors with status 200."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generation.core.replies.failures import Failure, ReplyFault
from generation.core.replies.json_text import without_thinking

_MOST_TOLD = 300
_MOST_TOKENS = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counted them."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote, thinking taken out, and whether it was stopped by its limit."""

    content: str
    was_cut: bool


def read_body(body: str) -> Mapping[str, Any]:
    """Return the JSON object that a body is.

    Raises:
        ReplyFault: ``bad_body``: it is none; ``server_error``: it is an error.
    """
    try:
        value = json.loads(body, strict=False)
    except (ValueError, RecursionError) as error:
        raise ReplyFault(Failure.BAD_BODY, f"the body is no JSON: {_told(body)}") from error
    if not isinstance(value, dict):
        raise ReplyFault(Failure.BAD_BODY, f"the body is no object: {_told(body)}")
    if value.get("error") and not value.get("choices"):
        raise ReplyFault(Failure.SERVER_ERROR, _told(json.dumps(value["error"])))
    return value


def usage_of(envelope: Mapping[str, Any]) -> Usage | None:
    """Return what the server says was used; None where it says nothing usable."""
    usage = envelope.get("usage")
    if not isinstance(usage, dict):
        return None
    counts = [usage.get("prompt_tokens"), usage.get("completion_tokens", 0)]
    whole = [n for n in counts if isinstance(n, int) and 0 <= n <= _MOST_TOKENS]
    return Usage(*whole) if len(whole) == len(counts) else None


def reply_of(envelope: Mapping[str, Any], *, asked_model: str) -> Reply:
    """Return what the model wrote.

    Raises:
        ReplyFault: another model answered, it refused, its answer was filtered, empty or cut
            before its first word, it did nothing but think, or there is no choice at all.
    """
    named = envelope.get("model")
    if isinstance(named, str) and named and not is_same_model(asked_model, named):
        raise ReplyFault(Failure.WRONG_MODEL, f"{_told(named)} answered for {asked_model}")
    choices = envelope.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise ReplyFault(Failure.BAD_BODY, "the body holds no message")
    finish = choice.get("finish_reason")
    if message.get("refusal"):
        raise ReplyFault(Failure.REFUSAL, _told(str(message["refusal"])))
    if finish == "content_filter":
        raise ReplyFault(Failure.CONTENT_FILTER, "the server held the answer back")
    written = _text_of(message.get("content"))
    content, is_thinking = without_thinking(written)
    was_cut = finish == "length"
    if content.strip():
        return Reply(content, was_cut)
    if was_cut:
        raise ReplyFault(Failure.CUT, "the limit was reached before the answer began")
    if is_thinking or written.strip() or any(map(message.get, ("reasoning_content", "reasoning"))):
        raise ReplyFault(Failure.REASONING_ONLY, "the model thought and gave no answer")
    raise ReplyFault(Failure.EMPTY, "the model wrote nothing")


def is_same_model(asked: str, named: str) -> bool:
    """Return whether a server's name for what answered is the model asked for.

    Names may carry a path before them and a date after them (``gpt-x`` is ``gpt-x-2026-01-01``).
    """
    short, answered = (name.rsplit("/", 1)[-1].casefold() for name in (asked, named))
    rest = answered.removeprefix(short)
    return rest == "" or (rest != answered and rest[0] in "-@:." and rest[1:2].isdigit())


def _text_of(content: Any) -> str:
    """Return a message's text: a string, or the texts of its parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part.get("text") for part in content if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))


def _told(text: str) -> str:
    return text if len(text) <= _MOST_TOLD else text[:_MOST_TOLD] + "…"
