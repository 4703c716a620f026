"""Every address, for everybody: who sees what, who may do what, and what it leaves in the trail."""

import pkgutil
from collections.abc import Iterator
from http.cookies import SimpleCookie
from importlib import import_module

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from generation.models import AuditEvent
from tests import roles
from tests.roles.row import PEOPLE, Row
from tests.roles.world import World, make_world

BACKEND = "review.authentication.MemberBackend"
# Of Django's own: one rule for all of them, in test_administration_is_for_admins_alone.
_ADMINISTRATION = "admin:"
_PROGRAMS = "api:"


def all_rows() -> list[Row]:
    files = [name for _f, name, _p in pkgutil.iter_modules(roles.__path__) if "rows_" in name]
    return [row for name in files for row in import_module(f"tests.roles.{name}").ROWS]


def addresses(patterns, space="") -> Iterator[str]:
    """Yield the full name of every address, the pattern itself where it has none."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from addresses(pattern.url_patterns, inner)
        elif isinstance(pattern, URLPattern):
            yield space + (pattern.name or str(pattern.pattern))


@pytest.fixture
def world(db) -> World:
    return make_world()


@pytest.fixture
def clients(world) -> dict[str, Client]:
    ready = {}
    for who, user in world.people.items():
        ready[who] = Client(raise_request_exception=False)
        if user:
            ready[who].force_login(user, backend=BACKEND)
    return ready


def answer(client, row, world, method, *, names=None, data=None, htmx=False):
    """Return the answer and the events that it left; what it changed is taken back."""
    named = world.names | (names or {})
    sent = {
        key: value.format(**named) if isinstance(value, str) else value
        for key, value in (row.data if data is None else data).items()
    }
    fresh = Client(raise_request_exception=False)
    fresh.cookies = SimpleCookie({key: morsel.value for key, morsel in client.cookies.items()})
    headers = {"hx-request": "true"} if htmx else {}
    last = AuditEvent.objects.values_list("pk", flat=True).first() or 0
    with transaction.atomic():
        send = getattr(fresh, method.lower())
        kind = {"content_type": "application/json"} if row.is_json and method != "GET" else {}
        response = send(row.path.format(**named), sent, headers=headers, **kind)
        if response.streaming:
            response = list(response.streaming_content) and response
        left = list(AuditEvent.objects.filter(pk__gt=last).values_list("action", flat=True))
        transaction.set_rollback(True)
    return response, left


def test_every_address_has_a_row_and_every_row_an_address():
    names = [row.name for row in all_rows()]
    assert len(names) == len(set(names))
    every = {
        name
        for name in addresses(get_resolver().url_patterns)
        if not name.startswith(_ADMINISTRATION)
    }
    assert every - set(names) == set()
    assert set(names) - every == set()


def test_every_address_answers_everybody_and_every_change_leaves_an_event(world, clients):
    wrong: list[object] = []
    for row in all_rows():
        path = row.path.format(**world.names).partition("?")[0]
        assert resolve(path).view_name == row.name
        for method, statuses in row.expected().items():
            did = []
            for who, status in zip(PEOPLE, statuses, strict=True):
                response, left = answer(clients[who], row, world, method)
                if response.status_code != status:
                    wrong.append((row.name, method, who, response.status_code, status))
                if status < 400:
                    did.append(left)
                elif left:
                    wrong.append((row.name, who, "refused, but left", left))
            if method not in {"GET", "HEAD"}:
                wrong += _untold(row, did)
    assert not wrong, "\n".join(map(str, wrong))


def _untold(row: Row, did: list[list[str]]) -> Iterator[tuple]:
    """Yield what is wrong with the events that a change left for those who may make it."""
    if not row.leaves and not row.quiet:
        yield row.name, "say what a change leaves, or why it leaves nothing"
    if row.leaves and not any(row.leaves in left for left in did):
        yield row.name, "left", did
    if row.quiet and any(did):
        yield row.name, "is said to be quiet", did


def test_other_methods_are_refused(world, clients):
    wrong: list[object] = []
    for row in all_rows():
        if row.name.startswith(_PROGRAMS) or row.name in {"home", "login", "logout"}:
            continue
        for method in {"GET", "POST", "DELETE"} - set(row.expected()):
            response, _left = answer(clients["admin"], row, world, method)
            if response.status_code != 405:
                wrong.append((row.name, method, response.status_code))
    assert not wrong, "\n".join(map(str, wrong))


def test_parts_for_htmx_are_refused_as_their_pages_are(world, clients):
    wrong: list[object] = []
    for row in all_rows():
        if row.name.startswith(_PROGRAMS):
            continue
        for method, statuses in row.expected().items():
            by_person = dict(zip(PEOPLE, statuses, strict=True))
            for who, status in ((who, by_person[who]) for who in ("anonymous", "other")):
                needs_log_in = (
                    who == "anonymous" and statuses[0] in {302, 401} and statuses[0] != statuses[1]
                )
                if status not in {403, 404} and not needs_log_in:
                    continue
                response, left = answer(clients[who], row, world, method, htmx=True)
                if response.status_code != (401 if needs_log_in else status) or left:
                    wrong.append((row.name, method, who, response.status_code))
    assert not wrong, "\n".join(map(str, wrong))


def test_objects_that_are_not_there_answer_as_those_of_others(world, clients):
    """A number that nobody has and a number of another person's can't be told apart."""
    kept = {name: world.names[name] for name in ("secret", "seen", "review")}
    numbers = dict.fromkeys(world.names, 10**9) | kept
    wrong: list[object] = []
    for row in all_rows():
        page = row.path.partition("?")[0]  # what stands behind it chooses among what is there
        if row.name.startswith(_PROGRAMS) or page.format(**numbers) == page.format(**world.names):
            continue
        for method, statuses in row.expected().items():
            people = list(zip(PEOPLE, statuses, strict=True))[1:]
            for who in [who for who, status in people if status < 400][:1]:
                response, _left = answer(clients[who], row, world, method, names=numbers)
                if response.status_code != 404:
                    wrong.append((row.name, method, who, response.status_code))
    assert not wrong, "\n".join(map(str, wrong))


def test_administration_is_for_admins_alone(world, clients):
    paths = ["/admin/"]
    for address in addresses(get_resolver().url_patterns):
        if address.startswith("admin:review_") or address.startswith("admin:generation_"):
            app, model, page = address.removeprefix("admin:").split("_", 2)
            if page == "changelist":
                paths += [f"/admin/{app}/{model}/", f"/admin/{app}/{model}/?q=a"]
    paths += ["/admin/auth/user/", f"/admin/auth/user/{world.people['owner'].pk}/change/"]
    assert len(paths) > 40
    for path in paths:
        for who, client in clients.items():
            status = client.get(path).status_code
            assert (path, who, status) == (
                path,
                who,
                {"anonymous": 302, "admin": 200}.get(who, 403),
            )
