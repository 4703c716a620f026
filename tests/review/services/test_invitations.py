"""Invitations: a link makes one member, once, before it expires."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection

from generation.models import AuditEvent
from review.models import Invitation, Role
from review.services.invitations import (
    InvitationOver,
    InvitationRefused,
    InvitationUnknown,
    accept,
    invite,
    open_invitation,
    revoke,
    roles_to_invite,
    state_of,
)
from review.services.members import NameTaken, change_role, deactivate
from tests.make import NOW, later, make_user

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def make_invitation(role=Role.ANNOTATOR, **fields):
    given = {"actor": make_user(Role.ADMIN), "role": role, "now": NOW} | fields
    return invite(**given)


def joined(secret, username="wanda", now=NOW):
    return accept(secret=secret, username=username, password="lamp-rope-9", now=now)


def test_link_makes_one_member_with_the_skills_of_the_invitation():
    invitation, secret = make_invitation(languages=["zh"], scenarios=["open_qa"], note=" Wanda ")
    assert invitation.note == "Wanda"
    user = joined(secret, now=later(60))
    assert user.check_password("lamp-rope-9")
    profile = user.profile
    assert (profile.role, profile.languages, profile.scenarios) == (
        "annotator",
        ["zh"],
        ["open_qa"],
    )
    invitation.refresh_from_db()
    assert (invitation.used_by, invitation.used_at) == (user, later(60))
    with pytest.raises(InvitationOver):
        joined(secret, "tomas")
    assert not User.objects.filter(username="tomas").exists()
    assert {"invitation.made", "invitation.used", "member.created"} <= set(
        AuditEvent.objects.values_list("action", flat=True)
    )


def test_secret_is_stored_nowhere():
    invitation, secret = make_invitation()
    row = Invitation.objects.filter(pk=invitation.pk).values().get()
    assert len(secret) >= 43  # 256 bits
    assert all(secret not in str(value) for value in row.values())
    events = AuditEvent.objects.values_list("detail", "before", "after")
    assert all(secret not in str(event) for event in events)


@pytest.mark.parametrize("secret", ["", "x", "a" * 3000, "\x00", "é"])
def test_unknown_link_is_refused(secret):
    make_invitation()
    with pytest.raises(InvitationUnknown):
        open_invitation(secret, now=NOW)
    with pytest.raises(InvitationUnknown):
        joined(secret)


def test_link_ends_at_its_last_moment_and_when_it_is_revoked():
    invitation, secret = make_invitation(days=2)
    assert open_invitation(secret, now=NOW + 2 * DAY - timedelta(seconds=1)) == invitation
    with pytest.raises(InvitationOver):
        joined(secret, now=NOW + 2 * DAY)
    assert state_of(invitation, now=NOW + 2 * DAY) == "expired"
    revoke(invitation=invitation, actor=invitation.invited_by, now=later(1))
    revoke(invitation=invitation, actor=invitation.invited_by, now=later(2))
    with pytest.raises(InvitationOver):
        joined(secret)
    invitation.refresh_from_db()
    assert invitation.revoked_at == later(1)
    assert state_of(invitation, now=NOW) == "revoked"
    assert AuditEvent.objects.filter(action="invitation.revoked").count() == 1


def test_used_invitation_can_not_be_revoked():
    invitation, secret = make_invitation()
    joined(secret)
    with pytest.raises(InvitationOver):
        revoke(invitation=invitation, actor=invitation.invited_by, now=NOW)


def test_name_that_is_taken_leaves_the_link_good():
    _invitation, secret = make_invitation()
    make_user(username="wanda")
    with pytest.raises(NameTaken):
        joined(secret)
    assert joined(secret, "wanda2").username == "wanda2"


def test_leads_invite_annotators_and_admins_anybody():
    assert roles_to_invite("annotator") == []
    assert roles_to_invite("lead") == [Role.ANNOTATOR]
    assert roles_to_invite("admin") == list(Role)
    with pytest.raises(InvitationRefused, match="lead"):
        make_invitation(Role.LEAD, actor=make_user(Role.LEAD))
    for actor in (
        make_user(),
        User.objects.create(username="x"),
        make_user(Role.LEAD, is_active=False),
    ):
        with pytest.raises(InvitationRefused):
            make_invitation(actor=actor)
    make_invitation(actor=make_user(Role.LEAD))


@pytest.mark.parametrize("role", [Role.LEAD, Role.ADMIN])
def test_link_ends_when_who_made_it_leaves_or_may_give_the_role_no_more(role):
    admin, inviter = make_user(Role.ADMIN), make_user(Role.ADMIN)
    invitation, secret = make_invitation(role, actor=inviter)
    change_role(member=inviter.profile, role=Role.LEAD, actor=admin)
    with pytest.raises(InvitationOver):
        open_invitation(secret, now=NOW)
    with pytest.raises(InvitationOver):
        joined(secret)
    change_role(member=inviter.profile, role=Role.ADMIN, actor=admin)
    open_invitation(secret, now=NOW)
    deactivate(member=inviter.profile, actor=admin, now=NOW)
    with pytest.raises(InvitationOver):
        joined(secret)
    assert state_of(Invitation.objects.get(pk=invitation.pk), now=NOW) == "revoked"


@pytest.mark.parametrize(
    "fields", [{"days": 0}, {"days": 91}, {"languages": ["fr"]}, {"scenarios": ["x"]}]
)
def test_values_out_of_range_are_refused(fields):
    with pytest.raises(InvitationRefused):
        make_invitation(**fields)


@pytest.mark.django_db(transaction=True)
def test_two_who_use_a_link_at_once_make_one_member():
    _invitation, secret = make_invitation()
    start = Barrier(6)

    def use(number):
        start.wait()
        try:
            return joined(secret, f"person{number}")
        except InvitationOver:
            return None
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        made = [user for user in pool.map(use, range(6)) if user]
    assert len(made) == 1
    assert User.objects.filter(username__startswith="person").count() == 1
