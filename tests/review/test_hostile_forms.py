"""Hostile text in every field of every form of every page: answered as text, never as a fault.

The forms are read from the pages that ``tests/roles`` has addresses of: a new form, and a new field
of one, is tried unasked. What is in the database already is walked in a browser.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from urllib.parse import urljoin, urlsplit

import pytest
from django.db import transaction
from django.test import Client
from django.urls import resolve

from tests.hostile import HOSTILE, RUNS
from tests.roles.row import PEOPLE
from tests.roles.whole_world import make_whole_world
from tests.test_roles import all_rows

pytestmark = pytest.mark.django_db

BACKEND = "review.authentication.MemberBackend"
WALKERS = ("anonymous", "owner", "lead", "admin")
MORE = {
    "owner": (
        "/review/{judged}/",
        "/review/{written}/",
        "/review/{citation}/",
        "/review/{asked}/",
        "/review/{reviewed}/",
        "/review/{authored}/",
        "/review/{judged}/edit",
    )
}
_TYPED = {"text", "search", "password", "email", "number", "textarea", "date", ""}
_KEPT = {"csrfmiddlewaretoken"}


@dataclass
class Form:
    """One form of a page: where it goes, and the kind and value of each field."""

    address: str
    method: str
    fields: dict[str, tuple[str, str]] = field(default_factory=dict)

    def filled(self, *, wholly: bool) -> dict[str, str]:
        """Return what is sent: hostile text in what one types, or in everything."""
        return {
            name: HOSTILE if name not in _KEPT and (wholly or kind in _TYPED) else value
            for name, (kind, value) in self.fields.items()
        }


class Page(HTMLParser):
    """Reads the forms of a page, and what would run in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.runs: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a field of the last form, and whatever runs."""
        given = {name: value or "" for name, value in attrs}
        is_script = tag == "script" and "src" not in given
        if is_script and given.get("type") != "application/json":
            self.runs.append("script")
        self.runs += [f"{tag} {name}" for name in given if name.startswith("on")]
        self.runs += [
            f"{tag} {name}={value[:40]}"
            for name, value in given.items()
            if name in {"href", "src", "action"} and value.strip().lower().startswith("javascript:")
        ]
        if tag in {"iframe", "object", "embed"} or given.get("src") == "x":
            self.runs.append(tag)
        if tag == "form":
            self.forms.append(Form(given.get("action", ""), given.get("method", "get").lower()))
        is_field = tag in {"input", "textarea", "select", "button"} and given.get("name")
        if is_field and self.forms:
            kind = given.get("type", "") if tag == "input" else tag
            self.forms[-1].fields.setdefault(given["name"], (kind, given.get("value", "")))


def pages(client: Client, who: str, world) -> Iterator[tuple[str, Page]]:
    """Yield the pages that a person gets."""
    paths = list(MORE.get(who, ()))
    for row in all_rows():
        statuses = dict(zip(PEOPLE, row.expected().get("GET", ()), strict=False))
        if statuses.get(who) == 200 and not row.name.startswith("api:"):
            paths.append(row.path)
    for path in dict.fromkeys(paths):
        address = path.format(**world.names)
        response = client.get(address)
        if not response.streaming and "html" in response.get("content-type", ""):
            yield address, Page(response.content.decode())


def send(client: Client, address: str, form: Form, *, wholly: bool) -> Iterator[str]:
    """Send a form and yield what is wrong with the answer; what it changed is taken back."""
    filled = form.filled(wholly=wholly)
    fresh = Client(raise_request_exception=False)
    fresh.cookies = SimpleCookie({key: morsel.value for key, morsel in client.cookies.items()})
    with transaction.atomic():
        ask = fresh.post if form.method == "post" else fresh.get
        response = ask(urljoin(address, form.address) or address, filled)
        if 300 <= response.status_code < 400:
            response = fresh.get("/kept-text/")  # a light page, with the message of what was done
        transaction.set_rollback(True)
    if response.status_code >= 500:
        yield f"{response.status_code}"
    if not response.streaming and "html" in response.get("content-type", ""):
        yield from Page(response.content.decode()).runs


def test_hostile_text_in_every_field_of_every_form_is_answered_as_text():
    world = make_whole_world()
    wrong: list[object] = []
    typed: set[tuple[str, str]] = set()
    for who in WALKERS:
        client = Client()
        if user := world.people[who]:
            client.force_login(user, backend=BACKEND)
        tried: set[object] = set()
        for address, page in pages(client, who, world):
            wrong += [(who, address, run) for run in page.runs]
            for form in page.forms:
                where = resolve(urlsplit(urljoin(address, form.address)).path).view_name
                key = (where, form.method, *form.fields)
                if key in tried or where == "logout":
                    continue
                tried.add(key)
                typed |= {
                    (form.address, name)
                    for name, (kind, _) in form.fields.items()
                    if kind in _TYPED
                }
                for wholly in (False, True):
                    found = send(client, address, form, wholly=wholly)
                    wrong += [(who, address, form.address, wholly, each) for each in found]
    assert not wrong, "\n".join(map(str, wrong))
    assert len(typed) > 30


def test_reader_of_pages_sees_what_runs():
    assert Page(f"<p>{RUNS}</p>").runs == ["img onerror", "img"]
    assert Page("<a href=' JavaScript:alert(1)'>").runs == ["a href= JavaScript:alert(1)"]
    assert Page("<script>1</script>").runs == ["script"]
    assert Page("<p>&lt;img src=x onerror=alert(1)&gt;</p>").runs == []
