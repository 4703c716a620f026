"""Measures what it costs to give the next item out and store its review; prints JSON.

``python -m benchmarks.next_submit [--clients 8] [--seconds 15] [--items 600] [--bytes 200000]``:
fills an empty database (that of DATABASE_URL, else SQLite in a folder of its own), serves the
project by gunicorn on a loopback port, and lets so many people review at once, first through the
pages (queue, blind, open), then by the API (two requests: next; answer and review at once).
``cpu_seconds`` is the user and system time of gunicorn's workers by pair of next and submit.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from secrets import token_hex
from socket import socket
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

PEER = {
    "name": "Label Studio 1.23.2",
    "cpu_seconds": 0.215,
    "pairs_per_second": 2.9,
    "twice": {"postgresql": 1.5, "sqlite": 16},
}
_CSRF = "c" * 32
_WARM_UP_PAIRS = 3


class Client:
    """One person's connection; counts statuses, and the turns they were given."""

    def __init__(self, port: int, headers: dict[str, str]) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=120)
        behind_tls = {"X-Forwarded-Proto": "https", "Referer": f"https://127.0.0.1:{port}/"}
        self.headers = behind_tls | headers
        self.statuses: Counter[int] = Counter()
        self.given: list[str] = []

    def send(self, method: str, address: str, body: str | None = None) -> tuple[str, str]:
        """Return where the answer leads to, and its body."""
        self.connection.request(method, address, body, self.headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        self.statuses[answer.status] += 1
        return answer.headers.get("HX-Redirect", answer.headers.get("Location", "")), text


class PageClient(Client):
    """Reviews through the pages as a browser does: htmx sends the forms, pages come whole."""

    def __init__(self, port: int, session: str) -> None:
        cookies = f"sessionid={session}; csrftoken={_CSRF}"
        sent_as = "application/x-www-form-urlencoded"
        super().__init__(port, {"Cookie": cookies, "Content-Type": sent_as})
        self.address = ""

    def send_form(self, fields: dict[str, str]) -> tuple[str, str]:
        """Send the form of the item's page; return where it leads to, and what it brings."""
        whole = dict(self.headers)
        self.headers |= {"HX-Request": "true", "X-CSRFToken": _CSRF}
        address, part = self.send("POST", self.address, urlencode(fields))
        self.headers = whole
        return address, part

    def pair(self) -> bool:
        """Review an item and get the next; False where none is left."""
        if not self.address:
            self.address, _ = self.send("POST", "/queue/next", f"csrfmiddlewaretoken={_CSRF}")
        if not self.address.startswith("/review/"):
            return False
        self.given.append(self.address)
        self.send("GET", self.address)
        blind = {"phase": "blind", "choice": "A", "confidence": "4", "active_seconds": "9"}
        leads_to, page = self.send_form(blind)
        if leads_to:
            _, page = self.send("GET", leads_to)
        found = re.search(r'name="form_key" value="([^"]+)"', page)
        form = {
            "phase": "open",
            "form_key": found[1] if found else "",
            "decision": "reject",
            "reject_reason": "bad_question",
            "well_specified": "0",
            "gold_quality": "0",
            **dict.fromkeys(re.findall(r'name="(option_\w)"', page), "valid"),
        }
        self.address, _ = self.send_form(form)
        return True


class ProgramClient(Client):
    """Reviews by the API, in two requests a pair."""

    def __init__(self, port: int, token: str) -> None:
        super().__init__(
            port, {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        )

    def pair(self) -> bool:
        """Get an item and review it; False where none is left."""
        _, text = self.send("POST", "/api/v1/next", "{}")
        item = json.loads(text)["item"]
        if item is None:
            return False
        self.given.append(str(item["id"]))
        labels = [option["label"] for option in item["options"]]
        body = {
            "blind": {"labels": labels[:1], "confidence": 4, "active_seconds": 9},
            "review": {
                "form_key": str(uuid4()),
                "decision": "reject",
                "reject_reason": "bad_question",
                "well_specified": 0,
                "gold_quality": 0,
                "options": dict.fromkeys(labels, "valid"),
                "active_seconds": 9,
            },
        }
        self.send("POST", f"/api/v1/assignments/{item['id']}/submit", json.dumps(body))
        return True


def cpu_seconds(master: int) -> float:
    """Return the user and system time so far of the processes that ``master`` started."""
    children = Path(f"/proc/{master}/task/{master}/children").read_text(encoding="ascii").split()
    ticks = 0
    for pid in children:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(workers: int, threads: int) -> Iterator[tuple[int, int]]:
    """Serve the project as in production; give its port and the master's process id."""
    with socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    words = ["--workers", str(workers), "--threads", str(threads), "--keep-alive", "60"]
    words += ["--bind", f"127.0.0.1:{port}", "--log-level", "error"]
    process = subprocess.Popen(  # noqa: S603  this very Python, and numbers
        [sys.executable, "-m", "gunicorn", *words, "apt_annotate.wsgi"],
    )
    try:
        while True:
            try:
                HTTPConnection("127.0.0.1", port, timeout=60).request("GET", "/health")
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(timeout=60)


def measure(clients: Sequence[PageClient | ProgramClient], master: int, seconds: float) -> Any:
    """Let the clients review for some seconds; return pairs, times and statuses."""
    for client in clients:
        for _ in range(_WARM_UP_PAIRS):
            client.pair()
    for client in clients:
        client.statuses.clear()
    start = threading.Barrier(len(clients))
    began, cpu = time.monotonic(), cpu_seconds(master)

    def work(client: PageClient | ProgramClient) -> int:
        start.wait()
        pairs = 0
        while time.monotonic() - began < seconds and client.pair():
            pairs += 1
        return pairs

    with ThreadPoolExecutor(len(clients)) as pool:
        pairs = sum(pool.map(work, clients))
    spent, took = cpu_seconds(master) - cpu, time.monotonic() - began
    statuses = sum((client.statuses for client in clients), Counter[int]())
    return {
        "pairs": pairs,
        "cpu_seconds": round(spent / pairs, 4),
        "pairs_per_second": round(pairs / took, 1),
        "errors": sum(count for status, count in statuses.items() if status >= 400),
        "requests": dict(statuses),
    }


def counted() -> dict[str, int]:
    """Return how many items have more reviews than wanted, and how many turns were given twice."""
    from django.db.models import Count

    from review.models import Assignment, Review

    of_item = Review.objects.filter(is_counted=True).values("assignment__revision")
    over = of_item.annotate(n=Count("pk")).filter(n__gt=2).count()
    turns = Assignment.objects.values("revision", "reviewer").annotate(n=Count("pk"))
    extra = Review.objects.filter(is_counted=False).count()
    return {"over_quota": over + extra, "twice": turns.filter(n__gt=1).count()}


def main() -> None:
    """Measure pages and API on one database and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--items", type=int, default=600)
    parser.add_argument("--bytes", type=int, default=200_000)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="apt-annotate-queue-") as folder:
        os.environ |= {
            "APT_VAR_DIR": folder,
            "APT_SECRET_KEY": token_hex(32),
            "APT_DEBUG": "0",
            "APT_TRUSTED_PROXY": "1",
        }
        from benchmarks import queue_project

        people = queue_project.fill(
            items=asked.items, item_bytes=asked.bytes, reviewers=2 * asked.clients
        )
        on_pages, by_api = people[: asked.clients], people[asked.clients :]
        with served(asked.workers, asked.clients // asked.workers + 1) as (port, master):
            browsers = [PageClient(port, key) for key in queue_project.sessions(on_pages)]
            pages = measure(browsers, master, asked.seconds)
            programs = [ProgramClient(port, token) for token in queue_project.tokens(by_api)]
            api = measure(programs, master, asked.seconds)
        report = {
            "database": queue_project.vendor(),
            "clients": asked.clients,
            "item_bytes": asked.bytes,
            "pages": pages,
            "api": api,
            **counted(),
            "peer": PEER,
        }
    sys.stdout.write(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
