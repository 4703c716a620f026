"""The administration: admins of the project read every table there, and change next to nothing."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from generation.models import AuditEvent
from review.models import Role
from review.services.invitations import invite
from tests.make import approving, make_revision, make_user, review_by

BACKEND = "review.authentication.MemberBackend"


@pytest.fixture
def boss(db):
    return make_user(Role.ADMIN, username="boss")


@pytest.fixture
def desk(client, boss):
    client.force_login(boss, backend=BACKEND)
    return client


def text(response):
    return response.content.decode()


def tables():
    return [
        model for app in ("generation", "review") for model in apps.get_app_config(app).get_models()
    ]


def test_every_table_is_there_and_none_can_be_added_to_or_deleted_from(desk, boss):
    revision = make_revision()
    review_by(make_user(), revision, answers=approving(revision))
    invite(actor=boss, role=Role.ANNOTATOR, now=timezone.now())
    for model in tables():
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        assert desk.get(reverse(f"admin:{name}_changelist"), {"q": "a"}).status_code == 200
        assert desk.get(reverse(f"admin:{name}_add")).status_code == 403
        row = model._base_manager.first()
        if row is not None:
            page = desk.get(reverse(f"admin:{name}_change", args=[row.pk]))
            assert page.status_code == 200
            assert 'name="_save"' not in text(page)
            assert desk.post(page.wsgi_request.path, {"_save": "1"}).status_code == 403
            assert desk.post(reverse(f"admin:{name}_delete", args=[row.pk])).status_code == 403


def test_no_hash_and_no_digest_of_a_secret_is_shown(desk, boss):
    boss.set_password("lamp-rope-9")
    boss.save()
    desk.force_login(boss, backend=BACKEND)
    invitation, _secret = invite(actor=boss, role=Role.ANNOTATOR, now=timezone.now())
    for address, hidden in (
        (f"/admin/auth/user/{boss.pk}/change/", boss.password),
        ("/admin/auth/user/", boss.password),
        (f"/admin/review/invitation/{invitation.pk}/change/", invitation.digest),
        ("/admin/review/invitation/", invitation.digest),
    ):
        page = text(desk.get(address))
        assert hidden not in page
        assert hidden[-20:] not in page
    found = desk.get("/admin/review/invitation/", {"q": invitation.digest})
    assert "0 results" in text(found) or "0 invitations" in text(found)


def test_email_address_alone_can_be_changed_and_leaves_an_event(desk, boss):
    ann = make_user(username="ann")
    sent = {"email": "ann@example.org", "username": "king", "is_active": "", "is_superuser": "on"}
    assert desk.post(f"/admin/auth/user/{ann.pk}/change/", sent).status_code == 302
    ann = User.objects.get(pk=ann.pk)
    assert (ann.username, ann.email) == ("ann", "ann@example.org")
    assert ann.is_active
    assert not ann.is_superuser
    (event,) = AuditEvent.objects.filter(action="member.email_changed")
    assert event.actor == boss
    assert desk.post(f"/admin/auth/user/{ann.pk}/change/", {"email": "x"}).status_code == 200
    assert not admin.models.LogEntry.objects.exists()


def test_superuser_who_is_no_admin_of_the_project_is_refused(client, db):
    root = make_user(username="root", is_superuser=True, is_staff=True)
    client.force_login(root, backend=BACKEND)
    for address in ("/admin/", "/admin/auth/user/", "/admin/password_change/"):
        assert client.get(address).status_code == 403


def test_login_logout_and_password_are_those_of_the_project(desk, client):
    assert desk.get("/admin/password_change/")["Location"] == "/account/"
    assert desk.get("/admin/login/")["Location"] == "/login/"
    assert desk.post("/admin/logout/")["Location"] == "/login/"
    assert desk.get("/admin/")["Location"].startswith("/login/")


def test_list_costs_the_same_for_many_rows(desk, django_assert_max_num_queries):
    for _ in range(12):
        review_by(make_user(), make_revision())
    for table in ("review", "assignment", "profile"):
        with django_assert_max_num_queries(5):
            desk.get(f"/admin/review/{table}/")
