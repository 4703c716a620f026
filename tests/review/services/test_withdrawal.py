"""A person who withdraws: what names them goes, what they decided stays."""

import pytest
from axes.models import AccessAttempt, AccessLog
from django.apps import apps
from django.contrib.auth.models import User
from django.db import models
from django.test import Client
from django.utils import timezone

from generation.models import AuditEvent
from review.models import ApiToken, Invitation, Note, Review, Role
from review.services.invitations import accept, invite
from review.services.members import LastAdmin
from review.services.withdrawal import AlreadyWithdrawn, is_withdrawn, withdraw
from tests.make import NOW, later, make_assignment, make_revision, make_user, review_by

pytestmark = pytest.mark.django_db
NAME = "wanda-kowalska"


@pytest.fixture
def admin():
    return make_user(Role.ADMIN)


@pytest.fixture
def wanda(admin):
    _invitation, secret = invite(
        actor=admin, role=Role.LEAD, note=f"for {NAME}", now=timezone.now()
    )
    user = accept(secret=secret, username=NAME, password="lamp-rope-9", now=timezone.now())
    user.email, user.first_name, user.last_name = "wanda@example.org", "Wanda", "Kowalska"
    user.save()
    return user


def test_nothing_names_the_person_any_more_and_decisions_stay(wanda, admin):
    revision = make_revision()
    review = review_by(wanda, revision)
    Note.objects.create(revision=revision, author=wanda, text="A typo.")
    turn = make_assignment(reviewer=wanda)
    turn.draft = {"phase": "blind", "fields": {"text": ["half"]}}
    turn.save()
    ApiToken.objects.create(user=wanda, name="a", digest="0" * 64, prefix="x", expires_at=later(9))
    made, _secret = invite(actor=wanda, role=Role.ANNOTATOR, now=NOW)
    browser = Client()
    browser.post("/login/", {"username": NAME, "password": "lamp-rope-9"})
    browser.post("/login/", {"username": NAME, "password": "wrong"})
    assert browser.get("/account/").status_code == 200

    name = withdraw(member=wanda.profile, actor=admin, now=later(1))

    user = User.objects.get(pk=wanda.pk)
    assert user.username == name == f"withdrawn-{wanda.pk}"
    assert (user.email, user.first_name, user.last_name, user.last_login) == ("", "", "", None)
    assert is_withdrawn(user)
    assert browser.get("/account/").status_code == 302
    assert browser.post("/login/", {"username": name, "password": "lamp-rope-9"}).status_code == 200
    assert ApiToken.objects.get().revoked_at == later(1)
    assert Invitation.objects.get(pk=made.pk).revoked_at == later(1)
    turn.refresh_from_db()
    assert turn.draft == {}
    assert turn.leased_until <= later(1)
    assert Review.objects.get(pk=review.pk).undone_at is None
    assert Note.objects.get().author == user
    assert not AccessAttempt.objects.filter(username=NAME).exists()
    assert not AccessLog.objects.filter(username=NAME).exists()
    assert _places_of(("kowalska", "wanda")) == []
    assert AuditEvent.objects.filter(action="member.withdrawn", actor=admin).count() == 1


def _places_of(words):
    """Return every text column of every table that still holds one of the words."""
    found = []
    for model in apps.get_models():
        for column in model._meta.concrete_fields:
            if not isinstance(column, models.CharField | models.TextField):
                continue
            for value in model._base_manager.values_list(column.name, flat=True):
                if any(word in str(value).lower() for word in words):
                    found.append((model.__name__, column.name, value))
    return found


def test_withdrawal_is_once_and_the_last_admin_can_not(wanda, admin):
    withdraw(member=wanda.profile, actor=admin, now=NOW)
    with pytest.raises(AlreadyWithdrawn):
        withdraw(member=wanda.profile, actor=admin, now=NOW)
    with pytest.raises(LastAdmin):
        withdraw(member=admin.profile, actor=admin, now=NOW)
    assert User.objects.get(pk=admin.pk).username == admin.username


def test_pseudonym_that_somebody_took_is_not_given_twice(wanda, admin):
    make_user(username=f"withdrawn-{wanda.pk}")
    assert withdraw(member=wanda.profile, actor=admin, now=NOW) == f"withdrawn-{wanda.pk}-x"


def test_deactivated_person_may_still_withdraw(wanda, admin):
    wanda.is_active = False
    wanda.save()
    assert withdraw(member=wanda.profile, actor=admin, now=NOW).startswith("withdrawn-")
