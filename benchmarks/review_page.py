"""Measures the review page of long runs: the server's CPU, and what a browser needs of it.

    python -m benchmarks.review_page [--browser]

prints JSON. Runs of 600 KB (100 steps) and 4 MB (1,000 steps) are made up and stored in a scratch
database. Server CPU seconds are the median of several requests after a first one; the browser's
times are those of one cold visit in chromium: time until the page can be used, longest task while
reading to the end, a search, elements and bytes.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROUNDS = 7
PASSWORD = "reads long runs"  # noqa: S105  of a scratch database
SIZES = {"600 KB": (100, 6_000), "4 MB": (1_000, 4_000)}

_READ = """
async () => {
  const tasks = [];
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) tasks.push(entry.duration); })
    .observe({ type: "longtask", buffered: true });
  const end = document.documentElement.scrollHeight;
  for (let at = 0; at < 40; at += 1) {
    scrollBy(0, innerHeight * 0.8);
    await new Promise((done) => setTimeout(done, 50));
  }
  for (let at = 0; at <= 10; at += 1) {
    scrollTo(0, (end * at) / 10);
    await new Promise((done) => setTimeout(done, 150));
  }
  return Math.max(0, ...tasks);
}
"""


def _prepare(folder: Path) -> None:
    """Set Django up on a scratch database in ``folder``."""
    os.environ |= {"APT_DEBUG": "1", "APT_VAR_DIR": str(folder)}
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apt_annotate.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def _turns() -> dict[str, Any]:
    """Store both runs and give each to one reviewer."""
    from datetime import timedelta

    from django.contrib.auth.models import User
    from django.utils import timezone

    from generation.core.records import (
        Language,
        Outcome,
        Provenance,
        Step,
        Success,
        Tool,
        Trajectory,
    )
    from generation.models import Candidate, CandidateState, Option, Revision, Source
    from generation.services.sources import store_records
    from review.models import Assignment, Profile, Role

    user = User.objects.create_user("reader", password=PASSWORD)
    Profile.objects.create(user=user, role=Role.ANNOTATOR)
    found: dict[str, Any] = {}
    for name, (steps, size) in SIZES.items():
        code = "".join(
            f"def fire_{n}(kiln):\n    return kiln.heat({n})  # hot\n" for n in range(size // 48)
        )
        source = Trajectory(
            provenance=Provenance(
                kind="swe_smith", external_id=name, cluster=name, where=f"{name}:1", licence="MIT"
            ),
            language=Language.EN,
            task="The kiln cools too fast.",
            tools=(Tool("bash", "Run a command.", {"command": "the command"}, ("command",)),),
            steps=tuple(
                Step(
                    f"Look at file {n} of the kiln.",
                    "bash",
                    {"command": f"cat a{n}.py"},
                    f"cat a{n}.py",
                    f"# {n}\n{code}",
                )
                for n in range(1, steps + 2)
            ),
            outcome=Outcome(submission="diff --git a/a b/a\n"),
            success=Success.CONFIRMED,
        )
        store_records([source])
        candidate = Candidate.objects.create(
            subtask="issue_fix_plan",
            source=Source.objects.get(external_id=name),
            cut=steps + 1,
            state=CandidateState.IN_REVIEW,
        )
        revision = Revision.objects.create(candidate=candidate, number=1, gold=["A"])
        for position, text in enumerate(("Fire it.", "Sell it.", "Paint it.", "Wait.")):
            Option.objects.create(
                revision=revision, position=position, text=text, operator="gold", reason=""
            )
        found[name] = Assignment.objects.create(
            revision=revision, reviewer=user, leased_until=timezone.now() + timedelta(hours=2)
        )
    return found


def _server(turn: Any) -> dict[str, float]:
    """Return the CPU seconds of the page, of a search in it, and of one step's colours."""
    from django.test import Client

    client = Client(HTTP_HOST="127.0.0.1")
    client.force_login(turn.reviewer, backend="review.authentication.MemberBackend")
    page = f"/review/{turn.pk}/"
    asked = {
        "page": (page, {}),
        "search": (f"{page}?q=fire_7", {"HX-Request": "true"}),
        "colours of 8 steps": (
            f"{page}colours?" + "&".join(f"of=step-{n}:observation" for n in range(1, 9)),
            {},
        ),
    }
    found: dict[str, float] = {}
    for name, (address, headers) in asked.items():
        spent = []
        for _ in range(ROUNDS + 1):
            begin = time.process_time()
            answer = client.get(address, headers=headers)
            spent.append(time.process_time() - begin)
            if answer.status_code != 200:
                msg = f"{address} answers {answer.status_code}"
                raise SystemExit(msg)
        found[f"{name}, CPU s"] = round(statistics.median(spent[1:]), 4)
        found[f"{name}, bytes"] = len(answer.content)
    return found


def _browser(turn: Any, address: str, browser: Any) -> dict[str, float]:
    """Return what one cold visit costs the reader."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=address)
    page = context.new_page()
    page.goto("/login/")
    page.fill("#id_username", turn.reviewer.username)
    page.fill("#id_password", PASSWORD)
    page.click("main button")
    page.wait_for_url("**/queue/")
    page.goto(f"/review/{turn.pk}/")
    page.wait_for_selector("#answer-form")
    usable = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    interactive = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    longest = page.evaluate(_READ)
    page.keyboard.press("/")
    page.keyboard.type("fire_7")
    begin = time.perf_counter()
    page.keyboard.press("Enter")
    page.wait_for_selector("#hits li")
    search = time.perf_counter() - begin
    nodes = page.evaluate("document.querySelectorAll('*').length")
    context.close()
    return {
        "usable after, ms": round(usable),
        "loaded after, ms": round(interactive),
        "longest task while reading, ms": round(longest),
        "search until listed, ms": round(search * 1_000),
        "elements": nodes,
    }


def _in_browser(turns: dict[str, Any]) -> dict[str, Any]:
    """Return the browser's figures by size, from a server of its own on a free port."""
    from django.core.servers.basehttp import ThreadedWSGIServer
    from django.db import connections
    from django.test.testcases import LiveServerThread, _StaticFilesHandler
    from playwright.sync_api import sync_playwright

    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    program = shutil.which("chromium")
    if program is None:
        msg = "chromium is not installed: run `make install-system`"
        raise SystemExit(msg)
    thread = LiveServerThread("127.0.0.1", _StaticFilesHandler)
    thread.server_class = ThreadedWSGIServer
    thread.daemon = True
    thread.start()
    thread.is_ready.wait()
    flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=flags)
            address = f"http://127.0.0.1:{thread.port}"
            found = {name: _browser(turn, address, browser) for name, turn in turns.items()}
            browser.close()
    finally:
        thread.terminate()
        connections.close_all()
    return found


def main(arguments: list[str]) -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browser", action="store_true", help="measure in chromium too")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="apt-review-page-") as folder:
        _prepare(Path(folder))
        turns = _turns()
        found: dict[str, Any] = {name: {"server": _server(turn)} for name, turn in turns.items()}
        if given.browser:
            for name, figures in _in_browser(turns).items():
                found[name]["browser"] = figures
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
