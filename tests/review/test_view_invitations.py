"""The pages of invitations: making a link, following it, and links that are no good."""

import re

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from review.models import Invitation, Role
from review.services.invitations import invite, revoke
from review.views.kept import unsign
from tests.make import later, make_user

BACKEND = "review.authentication.MemberBackend"
GOOD = {"username": "wanda", "password": "lamp-rope-9", "repeated": "lamp-rope-9"}


@pytest.fixture
def lead(db):
    return make_user(Role.LEAD, username="lead")


@pytest.fixture
def desk(client, lead):
    client.force_login(lead, backend=BACKEND)
    return client


@pytest.fixture
def link(lead):
    _invitation, secret = invite(actor=lead, role=Role.ANNOTATOR, now=timezone.now())
    return f"/invitation/{secret}/"


def test_link_is_shown_once_and_makes_a_member_who_lands_on_the_guidelines(desk):
    data = {"role": "annotator", "days": "7", "languages": ["zh"], "note": "Wanda"}
    made = desk.post("/people/invitations/", data)
    assert made.status_code == 201
    (link,) = re.findall(r"http://testserver(/invitation/[\w-]+/)", made.content.decode())
    assert link not in desk.get("/people/invitations/").content.decode()
    visitor = Client()
    page = visitor.get(link)
    assert "You are invited" in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    answer = visitor.post(link, GOOD)
    assert (answer.status_code, answer["Location"]) == (303, "/guidelines/")
    assert visitor.get("/guidelines/").status_code == 200
    assert User.objects.get(username="wanda").profile.languages == ["zh"]
    assert "used by wanda" in desk.get("/people/invitations/").content.decode()


def test_text_of_a_new_member_whose_session_is_gone_is_known_for_theirs(link):
    visitor = Client()
    visitor.post(link, GOOD)
    Session.objects.all().delete()
    page = visitor.post("/tokens/", {"name": "my long script's token"}).content.decode()
    kept = unsign(re.findall(r'name="kept" value="([^"]+)"', page)[0])
    assert kept is not None
    assert kept.owner == User.objects.get(username="wanda").pk


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"repeated": "other"}, "The two passwords differ."),
        ({"password": "1234", "repeated": "1234"}, "too short"),
        ({"password": "wanda-99", "repeated": "wanda-99", "username": "wanda-9"}, "too similar"),
        ({"username": "two words"}, "valid username"),
        ({"username": "LEAD".lower()}, "Somebody has this name already."),
        ({"username": ""}, "required"),
        ({"username": "x" * 151}, "at most 150"),
        ({"username": "a\x00b"}, "Null characters"),
    ],
)
def test_unfit_name_or_password_is_told_and_the_link_stays_good(link, change, word):
    visitor = Client()
    answer = visitor.post(link, GOOD | change)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert word in page
    assert "lamp-rope-9" not in page
    assert visitor.post(link, GOOD).status_code == 303


def test_all_links_that_are_no_good_show_the_same_calm_page(lead, link):
    bodies, statuses = [], []
    for kind in ("unknown", "used", "revoked", "expired"):
        invitation, secret = invite(actor=lead, role=Role.ANNOTATOR, now=timezone.now())
        if kind == "used":
            Client().post(f"/invitation/{secret}/", GOOD | {"username": "used"})
        elif kind == "revoked":
            revoke(invitation=invitation, actor=lead, now=timezone.now())
        elif kind == "expired":
            Invitation.objects.filter(pk=invitation.pk).update(expires_at=later(0))
        elif kind == "unknown":
            secret = "no-such-link"
        for answer in (
            Client().get(f"/invitation/{secret}/"),
            Client().post(f"/invitation/{secret}/", GOOD),
        ):
            page = answer.content.decode()
            bodies.append(page[page.index("<main") : page.index("</main")])
            statuses.append(answer.status_code)
    assert len(set(bodies)) == 1
    assert "ask the person who invited you for a new link" in bodies[0]
    assert statuses == [404, 404, 410, 410, 410, 410, 410, 410]
    assert not User.objects.filter(username="wanda").exists()


def test_guessing_links_is_throttled_and_good_links_wait_too(link):
    visitor = Client()
    statuses = [
        visitor.get(f"/invitation/guess{number}/").status_code
        for number in range(settings.AXES_FAILURE_LIMIT)
    ]
    assert statuses[0] == 404
    assert statuses[-1] == 429
    assert visitor.get(link).status_code == 429
    assert Client(REMOTE_ADDR="10.1.2.3").get(link).status_code == 200


def test_guessing_links_locks_nobody_out_of_logging_in(link, lead):
    lead.set_password("lamp-rope-9")
    lead.save()
    visitor = Client()
    for number in range(settings.AXES_FAILURE_LIMIT):
        visitor.get(f"/invitation/guess{number}/")
    sent = {"username": "lead", "password": "lamp-rope-9"}
    assert visitor.post("/login/", sent).status_code == 302


def test_member_who_follows_a_link_uses_nothing_up(desk, link):
    assert "You are a member already" in desk.get(link).content.decode()
    assert "You are a member already" in desk.post(link, GOOD).content.decode()
    assert Invitation.objects.get().used_at is None


def test_lead_is_offered_annotators_alone_and_can_not_send_another_role(desk):
    page = desk.get("/people/invitations/").content.decode()
    assert '<option value="annotator"' in page
    assert '<option value="admin"' not in page
    refused = desk.post("/people/invitations/", {"role": "admin", "days": "7"})
    assert refused.status_code == 422
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("days", ["0", "91", "", "x", "1" * 400])
def test_days_out_of_range_are_refused_and_what_was_typed_is_kept(desk, days):
    sent = {"role": "annotator", "days": days, "note": "for Wanda"}
    answer = desk.post("/people/invitations/", sent)
    assert answer.status_code == 422
    assert "for Wanda" in answer.content.decode()


def test_revoked_link_says_so_in_the_list(desk, link):
    desk.post(f"/people/invitations/{Invitation.objects.get().pk}/revoke")
    assert "revoked" in desk.get("/people/invitations/").content.decode()
    assert Client().get(link).status_code == 410


def test_list_costs_the_same_for_many(desk, lead, django_assert_num_queries):
    for _ in range(12):
        invite(actor=lead, role=Role.ANNOTATOR, now=timezone.now())
    with django_assert_num_queries(3):  # session, user, invitations with their people
        desk.get("/people/invitations/")
