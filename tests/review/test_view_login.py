import re

import pytest
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.template.loader import render_to_string
from django.test import Client

from tests.make import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann():
    user = make_user(username="ann")
    user.set_password("a good password")
    user.save()
    return user


def test_right_password_leads_to_where_one_was(client, ann):
    page = client.get("/login/?next=/review/7/").content.decode()
    assert 'name="next" value="/review/7/"' in page
    sent = {"username": "ann", "password": "a good password", "next": "/review/7/"}
    assert client.post("/login/", sent)["Location"] == "/review/7/"


@pytest.mark.parametrize(
    ("address", "is_told"),
    [("/login/", False), ("/login/?next=/queue/", False), ("/login/?next=/review/7/", True)],
)
def test_only_who_was_at_an_item_is_told_that_typed_text_is_kept(client, db, address, is_told):
    page = client.get(address).content.decode()
    assert ("What you had typed is kept" in page) is is_told


def test_login_never_leads_to_another_site(client, ann):
    sent = {"username": "ann", "password": "a good password", "next": "https://example.org/"}
    assert client.post("/login/", sent)["Location"] == "/"


def test_wrong_password_is_told_and_the_name_is_kept(client, ann):
    page = client.post("/login/", {"username": "ann", "password": "no"}).content.decode()
    assert "Name and password do not match" in page
    assert 'value="ann"' in page


@pytest.mark.parametrize("name", ["x" * 151, "x" * 3000, "a\x00b"])
def test_name_that_no_user_can_have_is_refused_on_both_databases(client, db, name):
    response = client.post("/login/", {"username": name, "password": "rope"})
    assert response.status_code == 200
    assert response.context["form"].errors["username"]


def test_too_many_tries_are_locked_with_a_friendly_page(client, ann):
    for _ in range(settings.AXES_FAILURE_LIMIT):
        response = client.post("/login/", {"username": "ann", "password": "no"})
    assert response.status_code == 429
    assert "Please wait a quarter of an hour" in response.content.decode()
    right = {"username": "ann", "password": "a good password"}
    assert client.post("/login/", right).status_code == 429


def test_logout_ends_the_session(client, ann):
    client.force_login(ann, backend="review.authentication.MemberBackend")
    assert client.post("/logout/")["Location"] == "/login/"
    assert client.get("/queue/").status_code == 302


def test_health_and_readiness_need_no_login(client):
    assert client.get("/health").content == b"ok\n"
    assert client.get("/ready").json() == {"database": "ok"}


def test_readiness_fails_while_migrations_wait(client):
    (newest,) = MigrationLoader(connection).graph.leaf_nodes("review")
    MigrationRecorder(connection).record_unapplied(*newest)
    response = client.get("/ready")
    assert (response.status_code, response.json()) == (503, {"database": "migrations wait"})


def test_unknown_address_has_a_page_that_leads_on(client, ann):
    client.force_login(ann, backend="review.authentication.MemberBackend")
    response = client.get("/nothing/")
    assert response.status_code == 404
    assert 'href="/queue/"' in response.content.decode()


def test_page_of_a_broken_server_needs_no_request():
    page = render_to_string("500.html")
    assert "Something broke on our side" in page
    assert 'href="/queue/"' in page


def test_form_with_a_stale_mark_is_refused_and_its_text_kept(ann):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ann, backend="review.authentication.MemberBackend")
    typed = "A long explanation that took a while </textarea><script>"
    response = strict.post("/review/7/", {"comment": typed})
    page = response.content.decode()
    assert response.status_code == 403
    assert "A long explanation that took a while &lt;/textarea&gt;" in page
    assert 'href="/review/7/"' in page


def test_no_page_has_inline_script_or_style(client, ann):
    for address in ("/login/", "/queue/", "/nothing/"):
        page = client.get(address).content.decode()
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?! src)", page)
        client.force_login(ann, backend="review.authentication.MemberBackend")
