"""The people of a project: roles, skills, vouching, leaving."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client

from generation.models import AuditEvent
from review.models import ApiToken, Assignment, Profile, Question, Review, Role
from review.services.members import (
    LastAdmin,
    NameTaken,
    change_email,
    change_role,
    change_skills,
    create_member,
    deactivate,
    reactivate,
    sign_out_everywhere,
    vouch,
)
from tests.make import NOW, later, make_assignment, make_revision, make_user, review_by

pytestmark = pytest.mark.django_db
BACKEND = "review.authentication.MemberBackend"


def actions(user):
    events = AuditEvent.objects.filter(subject="user", subject_id=user.pk).order_by("pk")
    return list(events.values_list("action", flat=True))


def test_member_gets_role_and_skills_in_a_fixed_order():
    user = create_member(
        username="wanda",
        password="",
        role=Role.ANNOTATOR,
        languages=["zh", "en"],
        scenarios=["open_qa", "issue_fix"],
    )
    assert user.profile.languages == ["en", "zh"]
    assert user.profile.scenarios == ["issue_fix", "open_qa"]
    assert not user.has_usable_password()
    assert actions(user) == ["member.created"]


@pytest.mark.parametrize("skills", [{"languages": ["fr"]}, {"scenarios": ["cooking"]}])
def test_unknown_skill_is_refused_by_its_name(skills):
    with pytest.raises(ValueError, match=r"fr|cooking"):
        create_member(username="wanda", password="", role=Role.ANNOTATOR, **skills)
    assert not User.objects.exists()


def test_taken_name_is_refused():
    create_member(username="wanda", password="", role=Role.ANNOTATOR)
    with pytest.raises(NameTaken, match="'wanda' already"):
        create_member(username="wanda", password="", role=Role.LEAD)


def test_role_and_skills_change_and_leave_events_only_where_something_changes():
    member, admin = make_user().profile, make_user(Role.ADMIN)
    change_role(member=member, role=Role.LEAD, actor=admin)
    change_role(member=member, role=Role.LEAD, actor=admin)
    change_skills(member=member, languages=["zh"], scenarios=[], actor=admin)
    change_skills(member=member, languages=["zh"], scenarios=[], actor=admin)
    vouch(member=member, actor=admin, now=NOW)
    vouch(member=member, actor=admin, now=later(5))
    member.refresh_from_db()
    assert (member.role, member.languages, member.qualified_at) == ("lead", ["zh"], NOW)
    assert actions(member.user) == [
        "member.role_changed",
        "member.skills_changed",
        "member.qualified",
    ]


def test_only_active_admin_stays():
    admin = make_user(Role.ADMIN)
    make_user(Role.ADMIN, is_active=False)
    with pytest.raises(LastAdmin):
        change_role(member=admin.profile, role=Role.LEAD, actor=admin)
    with pytest.raises(LastAdmin):
        deactivate(member=admin.profile, actor=admin, now=NOW)
    second = make_user(Role.ADMIN)
    deactivate(member=admin.profile, actor=second, now=NOW)
    assert not User.objects.get(pk=admin.pk).is_active


@pytest.mark.django_db(transaction=True)
def test_two_admins_who_leave_at_once_do_not_both_leave():
    admins = [make_user(Role.ADMIN), make_user(Role.ADMIN)]
    start = Barrier(2)

    def leave(admin):
        start.wait()
        try:
            change_role(member=admin.profile, role=Role.LEAD, actor=admin)
        except LastAdmin:
            return "stays"
        finally:
            connection.close()
        return "left"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(leave, admins)) == ["left", "stays"]
    assert Profile.objects.filter(role=Role.ADMIN).count() == 1


def test_deactivated_person_is_out_and_their_places_are_free_and_their_work_stays():
    admin, ann = make_user(Role.ADMIN), make_user()
    review = review_by(ann, make_revision())
    running = make_assignment(reviewer=ann)
    running.draft = {"phase": "blind", "fields": {"text": ["half"]}}
    running.save()
    parked = make_assignment(reviewer=ann, now=later(-600))
    Question.objects.create(assignment=parked, text="Does a typo count?")
    parked.parked_at = later(-590)
    parked.save()
    ended = make_assignment(reviewer=ann, now=later(-600))
    browser = Client()
    browser.force_login(ann, backend=BACKEND)
    token = ApiToken.objects.create(
        user=ann, name="a", digest="0" * 64, prefix="apt_0", expires_at=later(60)
    )

    assert deactivate(member=ann.profile, actor=admin, now=later(1)) == 2

    running.refresh_from_db()
    parked = Assignment.objects.get(pk=parked.pk)
    assert running.leased_until == running.expired_at == later(1)
    assert running.draft["fields"] == {"text": ["half"]}
    assert parked.parked_at is None
    assert parked.leased_until < later(1)
    assert Assignment.objects.get(pk=ended.pk).expired_at is None  # ended by itself before
    assert Review.objects.get(pk=review.pk).undone_at is None
    assert ApiToken.objects.get(pk=token.pk).revoked_at == later(1)
    assert AuditEvent.objects.filter(action="api_token.revoked", subject_id=token.pk).exists()
    assert not Session.objects.exists()
    assert browser.get("/queue/").status_code == 302
    assert deactivate(member=ann.profile, actor=admin, now=later(2)) == 0

    reactivate(member=ann.profile, actor=admin)
    assert User.objects.get(pk=ann.pk).is_active
    assert actions(ann) == ["member.deactivated", "member.reactivated"]


def test_signing_out_everywhere_ends_own_sessions_alone():
    ann, ben = make_user(), make_user()
    browsers = [Client(), Client(), Client()]
    for browser, user in zip(browsers, [ann, ann, ben], strict=True):
        browser.force_login(user, backend=BACKEND)
    assert sign_out_everywhere(user=ann, now=NOW) == 2
    assert [browser.get("/account/").status_code for browser in browsers] == [302, 302, 200]


def test_email_changes_and_leaves_an_event_without_the_address():
    ann, admin = make_user(), make_user(Role.ADMIN)
    change_email(user=ann, email="ann@example.org", actor=admin)
    assert User.objects.get(pk=ann.pk).email == "ann@example.org"
    (event,) = AuditEvent.objects.filter(action="member.email_changed")
    assert event.before != event.after
    assert "ann@example.org" not in f"{event.detail}{event.before}{event.after}"
