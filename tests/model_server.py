"""A server on loopback that speaks the chat-completions protocol, good moods and bad ones.

Moods are used up in order, one a request; when none is left the server answers well.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any

Mood = Callable[["Handler", dict[str, Any]], None]

USAGE = {"prompt_tokens": 900, "completion_tokens": 80}


class ModelServer(ThreadingHTTPServer):
    """What it was asked, and how it will behave; ``released`` ends what hangs."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.moods: list[Mood] = []
        self.usual: Mood = well
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.released = Event()
        self.lock = Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, *_unused: object) -> None:
        """Say nothing: callers that went away are part of the tests."""


class Handler(BaseHTTPRequestHandler):
    server: ModelServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(size))
        with self.server.lock:
            self.server.requests.append(body)
            self.server.headers.append({k.lower(): v for k, v in self.headers.items()})
            mood = self.server.moods.pop(0) if self.server.moods else self.server.usual
        with suppress(OSError):
            mood(self, body)

    def reply(self, status: int, body: str | bytes, headers: dict[str, str] | None = None) -> None:
        data = body.encode() if isinstance(body, str) else body
        self.send_response_only(status)
        for name, value in ({"Content-Type": "application/json"} | (headers or {})).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_unused: object) -> None:
        """Keep quiet."""


def completion(
    content: str | None, *, model: str, finish: str = "stop", usage: Any = USAGE, **message: Any
) -> str:
    """Return a body as servers send it."""
    choice = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": content, **message},
    }
    body = {"id": "c1", "object": "chat.completion", "model": model, "choices": [choice]}
    return json.dumps(body | ({"usage": usage} if usage else {}))


def wrong_options(body: dict[str, Any]) -> str:
    """Return wrong thoughts or calls such as the prompt asks for, no two alike."""
    text = body["messages"][1]["content"]
    names = ("amber", "basil", "cedar", "delta", "ember", "fjord", "grove")
    if '"planning"' in text:
        wrong = [
            {
                "planning": f"Search the {name} archive again for {name} and its neighbours",
                "tool": "web_search",
                "arguments": {"text": f"{name} archive"},
                "flaw": "it was searched before",
            }
            for name in names
        ]
    else:
        wrong = [
            {"text": f"Look at the {name} once more, {name} may hold it", "flaw": "done before"}
            for name in names
        ]
    return json.dumps({"wrong": wrong})


def well(handler: Handler, body: dict[str, Any]) -> None:
    handler.reply(200, completion(wrong_options(body), model=body["model"]))


def saying(content: str | None, **fields: Any) -> Mood:
    def mood(handler: Handler, body: dict[str, Any]) -> None:
        handler.reply(200, completion(content, **{"model": body["model"]} | fields))

    return mood


def sending(status: int, body: str = '{"error": {"message": "no"}}', **headers: str) -> Mood:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler, _body: handler.reply(status, body, named)


def hanging(handler: Handler, _body: dict[str, Any]) -> None:
    handler.server.released.wait(60)


def dripping(handler: Handler, body: dict[str, Any]) -> None:
    """Send a good answer, a byte every tenth of a second."""
    data = completion(wrong_options(body), model=body["model"]).encode()
    handler.send_response_only(200)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    for byte in data:
        if handler.server.released.is_set():
            return
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        time.sleep(0.1)


def dripping_headers(handler: Handler, _body: dict[str, Any]) -> None:
    """Never come to the end of the headers."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(600):
        if handler.server.released.is_set():
            return
        handler.wfile.write(f"X-{number}: 1\r\n".encode())
        handler.wfile.flush()
        time.sleep(0.1)


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """Give a server that is listening, and end it."""
    server = ModelServer()
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
