"""Measures every page of leads on a project made by ``make_synthetic``; prints JSON.

``DATABASE_URL=… python -m benchmarks.lead_pages``: wall and CPU milliseconds of this process (the
median of three requests) and the number of queries, of each page and, of the item list, of each
field with each operator. CPU of a PostgreSQL server is in the wall time alone. Stored results are
computed first where there are none, and their seconds are told; that writes to the database.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apt_annotate.settings")
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from generation.models import Candidate, CandidateState, GenerationRun, LLMCall, Revision  # noqa: E402
from review.filters import FIELDS, NOT  # noqa: E402
from review.models import Question  # noqa: E402
from review.services.agreement import By  # noqa: E402
from review.services.measurements import COMPUTATIONS, ask_for, compute, measurement  # noqa: E402

LEAD = "synthetic-lead-1"
TARGET_MS = 300
_REPEATS = 3
_GIVEN = {
    "source": "swe_smith",
    "cluster": "made-up-7",
    "external_id": "made-up-000021",
    "model": "made-up-large",
    "finding": "first_seen",
    "operator": "later_step",
    "option_model": "made-up-model",
    "reviewer": "synthetic-reviewer-01",
    "also": "synthetic-reviewer-02",
    "author": "synthetic-lead-1",
    "week": "2026-W45",
    "on": "2026-11-05",
    "release": "none",
}


def main() -> None:
    """Compute what is not stored yet, ask for every page, and print the figures."""
    computed = {}
    for name in COMPUTATIONS:
        if measurement(name).made_at is None:
            ask_for(name=name, actor=None, now=timezone.now())
            began = time.process_time()
            compute(name)
            computed[name] = round(time.process_time() - began, 1)
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(User.objects.get(username=LEAD), "review.authentication.MemberBackend")
    pages = {address: measure(client, address) for address in addresses()}
    slow = sorted(a for a, found in pages.items() if found["wall_ms"] > TARGET_MS)
    report = {
        "database": connection.vendor,
        "computed_cpu_seconds": computed,
        "target_ms": TARGET_MS,
        "over_target": slow,
        "pages": pages,
    }
    sys.stdout.write(json.dumps(report, indent=1) + "\n")


def addresses() -> Iterator[str]:
    """Yield the addresses of leads' pages, and of the item list by every field and operator."""
    yield from ("/queue/", "/progress/", "/disputes/", "/people/", "/project/", "/imports/")
    yield from (
        "/questions/",
        "/generation/",
        "/guidelines/",
        "/reviewers/",
        "/learning/",
        "/items/actions/",
    )
    for by in By:
        yield f"/agreement/?by={by}"
    in_state = Candidate.objects.order_by("pk")
    for state in CandidateState.values:
        if pk := in_state.filter(state=state).values_list("pk", flat=True).first():
            yield f"/items/{pk}/"
    current = Revision.objects.current().filter(candidate__state=CandidateState.DISPUTED)
    dispute = current.order_by("pk").values_list("pk", flat=True).first()
    if dispute:
        yield f"/disputes/{dispute}/"
    for row, path in (
        (GenerationRun.objects.first(), "/generation/{}/"),
        (LLMCall.objects.first(), "/generation/calls/{}/"),
        (Question.objects.first(), "/questions/{}/"),
    ):
        if row:
            yield path.format(row.pk)
    yield "/items/"
    yield "/items/?page=900"
    for name, field in FIELDS.items():
        known = field.known() if field.known else []
        value = known[0] if known else _GIVEN.get(name, "1")
        for operator in ("", NOT):
            yield f"/items/?{urlencode({operator + name: value})}"
    yield from ("/items/?q=gauge", "/items/?since=2026-10-01", "/items/?until=2026-10-01")


def measure(client: Client, address: str) -> dict[str, Any]:
    """Return what the page costs; the first request, which may fill caches, is left out."""
    queries = 0

    def count(execute: Any, *arguments: Any) -> Any:
        nonlocal queries
        queries += 1
        return execute(*arguments)

    status = client.get(address).status_code
    walls, cpus = [], []
    for _ in range(_REPEATS):
        queries = 0
        wall, cpu = time.perf_counter(), time.process_time()
        with connection.execute_wrapper(count):
            response = client.get(address)
            size = len(response.content)
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return {
        "status": status,
        "wall_ms": round(sorted(walls)[_REPEATS // 2] * 1000, 1),
        "cpu_ms": round(sorted(cpus)[_REPEATS // 2] * 1000, 1),
        "queries": queries,
        "kilobytes": size // 1024,
    }


if __name__ == "__main__":
    main()
