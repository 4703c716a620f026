"""Sixty-four people at one server, one answer in ten lost on the way: exactly N, nothing lost.

The pages are asked through a real gunicorn, as browsers do; what is lost is sent again, and
some send from two tabs at once.
"""

import random
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from threading import Barrier
from urllib.parse import urlencode
from uuid import UUID

import pytest

from generation.models import Candidate, CandidateState
from review.models import Assignment, BlindAnswer, Review
from tests.live import gunicorn, session_of
from tests.make import make_revision, make_source, make_user

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE, ITEMS, WANTED = 64, 40, 2
LOST = 0.1
CSRF = "c" * 32


@dataclass
class Browser:
    """One person's requests: some answers are lost, and the same request is sent again."""

    port: int
    session: str
    chance: random.Random
    statuses: Counter[int] = field(default_factory=Counter)
    sent: list[UUID] = field(default_factory=list)

    def ask(
        self, method: str, address: str, fields: dict[str, str] | None = None
    ) -> tuple[HTTPResponse, str]:
        """Return the answer and its text; one in ten is dropped unread and asked for again."""
        while True:
            connection = HTTPConnection("127.0.0.1", self.port, timeout=120)
            headers = {
                "Cookie": f"sessionid={self.session}; csrftoken={CSRF}",
                "X-CSRFToken": CSRF,
                "Content-Type": "application/x-www-form-urlencoded",
            }
            connection.request(method, address, urlencode(fields or {}), headers)
            is_lost = self.chance.random() < LOST
            if is_lost:
                connection.close()
                continue
            answer = connection.getresponse()
            text = answer.read().decode()
            connection.close()
            self.statuses[answer.status] += 1
            return answer, text

    def next_item(self) -> str | None:
        """Return the address of the next item, None where none is left."""
        answer, _text = self.ask("POST", "/queue/next")
        address = answer.headers["Location"]
        return None if address == "/queue/" else address

    def review(self, address: str) -> str | None:
        """Answer and approve an item; return the next one's address, None where none is left."""
        self.ask("POST", address, {"phase": "blind", "choice": "A", "confidence": "3"})
        _answer, page = self.ask("GET", address)
        found = re.search(r'name="form_key" value="([^"]+)"', page)
        if found is None:  # the other tab has sent it meanwhile
            return self.next_item()
        verdicts = dict.fromkeys(re.findall(r'name="(option_\w)"', page), "valid")
        ratings = {"well_specified": "0", "gold_quality": "0", "decision": "approve"}
        form = {"phase": "open", "form_key": found[1], **ratings, **verdicts}
        answer, _text = self.ask("POST", address, form)
        if answer.status == 303:
            self.sent.append(UUID(found[1]))
        following = answer.headers["Location"]
        return self.next_item() if following in (address, "/queue/") else following


@pytest.fixture
def items():
    source = make_source(steps=2)
    return [make_revision(source=source, cut=cut) for cut in range(2, ITEMS + 2)]


def test_crowd_stores_exactly_the_wanted_reviews_and_loses_none(items):
    people = [make_user() for _ in range(PEOPLE)]
    # Every eighth person works in two tabs.
    tabs = people + people[::8]
    sessions = [session_of(person) for person in tabs]
    start = Barrier(len(tabs))

    def work(number):
        browser = Browser(port, sessions[number], random.Random(number))
        start.wait()
        address = browser.next_item()
        while address:
            address = browser.review(address)
        return browser

    with gunicorn(workers=2, threads=8) as port, ThreadPoolExecutor(len(tabs)) as pool:
        browsers = list(pool.map(work, range(len(tabs))))
    statuses = sum((browser.statuses for browser in browsers), Counter[int]())
    assert set(statuses) <= {200, 303}
    stored = Counter(
        Review.objects.filter(is_counted=True, undone_at=None).values_list(
            "assignment__revision", flat=True
        )
    )
    assert stored == {item.pk: WANTED for item in items}
    assert Review.objects.count() == Assignment.objects.count() == ITEMS * WANTED
    assert BlindAnswer.objects.count() == ITEMS * WANTED
    kept = set(Review.objects.values_list("form_key", flat=True))
    one_tab = browsers[: len(people)]
    lone = [b for number, b in enumerate(one_tab) if number % 8]
    assert all(key in kept for browser in lone for key in browser.sent)
    settled = Candidate.objects.exclude(state=CandidateState.IN_REVIEW).count()
    assert settled == ITEMS
