"""CB15: a run of three hundred steps, two of them huge, stays light and every place reachable.

That the first paint is quick and the question stays in sight is tested in the browser's tests.
"""

from html.parser import HTMLParser

import pytest
from django.urls import reverse
from django.utils import timezone

from generation.core.records import Step
from tests.cases.read import case
from tests.make import make_assignment, make_completion
from tests.review.sources import stored
from tests.shared_data import needs_shared

pytestmark = [needs_shared, pytest.mark.shared, pytest.mark.django_db]


class Nodes(HTMLParser):
    """Counts what becomes a node: elements and texts."""

    def __init__(self):
        super().__init__()
        self.count = 0
        self.ids = set()
        self.links = set()

    def handle_starttag(self, tag, attrs):
        self.count += 1
        given = dict(attrs)
        self.ids.add(given.get("id"))
        self.links.add(given.get("href"))

    def handle_data(self, data):
        self.count += 1


@pytest.fixture(scope="module")
def steps():
    """The case's steps, made by its own line of Python."""
    made: dict[str, list[dict[str, str]]] = {}
    exec(case("CB15")["input"]["make_python"], made)
    return made["steps"]


@pytest.fixture
def turn(reviewer, steps):
    run = tuple(
        Step(
            thought=step["thought"],
            tool="bash",
            arguments={"command": step["action"]},
            action=step["action"],
            observation=step["observation"],
        )
        for step in steps
    )
    revision = make_completion(source=stored(steps=run), cut=len(run))
    return make_assignment(revision=revision, reviewer=reviewer, now=timezone.now())


@pytest.fixture
def page(member, turn):
    return member.get(reverse("review", args=[turn.pk])).content.decode()


def part_of(page, number):
    return page.partition(f'id="step-{number}"')[2].partition(f'id="step-{number + 1}"')[0]


def test_first_page_is_small_and_every_step_is_one_link_away(page):
    expected = case("CB15")["expected"]
    assert len(page.encode()) <= expected["first_html_bytes_max"]
    nodes = Nodes()
    nodes.feed(page)
    assert nodes.count <= expected["dom_nodes_max"]
    # The last step is the asked one, which the page must not show.
    for number in range(1, 300):
        assert f"step-{number}" in nodes.ids
        assert f"#step-{number}" in nodes.links
    assert "step-300" not in nodes.ids


def test_step_of_two_million_characters_is_cut_with_its_size_and_offered_raw(
    page, member, turn, steps
):
    raw = reverse("step-raw", args=[turn.pk, 50])
    shown = part_of(page, 50)
    assert len(shown) < 10_000
    assert "2.0 MB" in shown
    assert f'href="{raw}?part=observation" download' in shown
    assert reverse("step-piece", args=[turn.pk, 50, 1]) in shown
    assert member.get(raw).content.decode() == steps[49]["observation"]


def test_step_of_sixty_thousand_lines_opens_in_pieces(page, member, turn, steps):
    text = steps[119]["observation"]
    shown = part_of(page, 120)
    assert "lines folded" in shown
    opened, number = "", 1
    while True:
        address = reverse("step-piece", args=[turn.pk, 120, number])
        response = member.get(address, headers={"hx-request": "true"})
        if response.status_code == 404:
            break
        piece = (
            response.content.decode()
            .partition('<pre class="piece"')[2]
            .partition(">")[2]
            .partition("</pre>")[0]
            .removeprefix("\n")  # what browsers drop after the tag
        )
        assert 0 < len(piece) <= 20_000
        opened += piece
        number += 1
    assert number > 20
    start = text.index(opened)
    assert text[:start].splitlines()[-1] in shown
    assert text[start + len(opened) :].splitlines()[0] in shown


def test_needle_of_step_250_is_where_the_outline_leads(page):
    assert "NEEDLE-7431" in part_of(page, 250)
    assert page.count("NEEDLE-7431") == 1


def test_search_on_the_server_finds_the_needle_in_step_250_and_nowhere_else(member, turn):
    address = reverse("review", args=[turn.pk])
    response = member.get(address, {"q": "needle-7431"}, headers={"hx-request": "true"})
    hits = response.content.decode()
    assert "1 hit\n" in hits
    assert hits.count("<li>") == 1
    assert '<a href="#step-250" data-anchor="step-250" data-part="observation"' in hits
    assert "<mark>NEEDLE-7431</mark>" in hits
