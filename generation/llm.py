"""The one door to models: sends one request to an OpenAI-compatible server, once, and judges nothing.

Retries, budgets and meaning are others' business. What can go wrong on the way comes back as a
value; nothing of the key is in it.
"""

import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Timer
from typing import Any

from generation.core.replies.failures import Failure
from generation.core.replies.retries import failure_of_status

LONGEST_BODY = 8 * 1024 * 1024
_NO_KEY = "none"


@dataclass(frozen=True, slots=True)
class Exchange:
    """What came back: the body as it came, or why nothing usable did.

    ``failure`` is None for a success of HTTP, whatever its body holds. ``headers`` have lower-case
    names. ``was_sent`` says whether a server can have seen the request.
    """

    body: str = ""
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    failure: Failure | None = None
    detail: str = ""
    was_sent: bool = True


class _Deadline:
    """Ends a connection when its time is over, in whatever phase it is.

    The client's own timeouts start anew with every piece that arrives: a server that drips would
    hold a worker for ever.
    """

    def __init__(self, seconds: float) -> None:
        self.is_over = self.was_sent = False
        self._sockets: list[socket.socket] = []
        self._timer = Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> "_Deadline":
        self._timer.start()
        return self

    def __exit__(self, *_unused: object) -> None:
        self._timer.cancel()

    def watch(self, request: Any) -> None:
        """Note the sockets of a request that is about to be sent."""
        request.extensions["trace"] = self._note

    def _note(self, event: str, details: Mapping[str, Any]) -> None:
        if event.endswith("send_request_headers.started"):
            self.was_sent = True
        if event in {"connection.connect_tcp.complete", "connection.start_tls.complete"}:
            self._sockets.append(details["return_value"].get_extra_info("socket"))

    def _end(self) -> None:
        self.is_over = True
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


def exchange(
    body: Mapping[str, Any],
    *,
    base_url: str | None,
    key: str,
    timeout: float,
    idempotency_key: str,
) -> Exchange:
    """Send one chat completion and return what came back; at most one request leaves.

    Args:
        body: The request as the protocol has it.
        base_url: The server's address; None is OPENAI_BASE_URL, else OpenAI's own.
        key: The key's value, empty for a server that needs none.
        timeout: Seconds for the whole exchange.
        idempotency_key: The same for every attempt of one call: a server that knows it answers a
            repeated request without charging again.
    """
    import openai  # 12 MB that only those who call a model need: the worker, no web process

    with _Deadline(timeout) as deadline:
        transport = openai.DefaultHttpxClient(
            timeout=timeout,
            follow_redirects=False,  # a redirect would carry the text to a place nobody chose
            event_hooks={"request": [deadline.watch]},
        )
        with openai.OpenAI(
            api_key=key or _NO_KEY, base_url=base_url, max_retries=0, http_client=transport
        ) as client:
            try:
                raw = client.chat.completions.with_raw_response.create(
                    **dict(body), extra_headers={"Idempotency-Key": idempotency_key}
                )
            except openai.APIStatusError as error:
                return _from_response(error.response, key)
            except openai.APIConnectionError as error:
                if deadline.is_over or isinstance(error, openai.APITimeoutError):
                    failure, detail = Failure.TIMEOUT, f"no whole answer within {timeout:g} s"
                else:
                    failure, detail = Failure.UNREACHABLE, _cause(error)
                return Exchange(failure=failure, detail=detail, was_sent=deadline.was_sent)
            return _from_response(raw.http_response, key)


def _from_response(response: Any, key: str) -> Exchange:
    headers = {str(name).lower(): str(value) for name, value in response.headers.items()}
    status = int(response.status_code)
    if len(response.content) > LONGEST_BODY:
        detail = f"the body has {len(response.content)} bytes"
        return Exchange("", status, headers, Failure.BAD_BODY, detail)
    body = response.content.decode("utf-8", "replace")
    if key:  # a server that tells a caller what it was sent
        body = body.replace(key, "[masked key]")
    failure = failure_of_status(status)
    detail = "" if failure is None else f"HTTP {status}: {body[:300]}"
    return Exchange(body, status, headers, failure, detail)


def _cause(error: Exception) -> str:
    """Return what lies behind a connection that failed: kind and message, at most 300 characters."""
    cause = error.__cause__ or error
    return f"{type(cause).__name__}: {cause}"[:300]
