"""The pages about people, and one's own account."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from review.models import Profile, Role
from review.services.withdrawal import withdraw
from tests.make import NOW, make_assignment, make_revision, make_user, review_by

BACKEND = "review.authentication.MemberBackend"


@pytest.fixture
def admin(db):
    return make_user(Role.ADMIN, username="boss")


@pytest.fixture
def desk(client, admin):
    client.force_login(admin, backend=BACKEND)
    return client


def text(response):
    return response.content.decode()


def test_list_shows_what_everybody_can_and_did(desk):
    ann = make_user(username="ann")
    Profile.objects.filter(user=ann).update(languages=["zh"], qualified_at=NOW)
    review_by(ann, make_revision())
    make_assignment(reviewer=ann)
    page = text(desk.get("/people/"))
    row = page[page.index(">ann<") : page.index("</tr>", page.index(">ann<"))]
    assert "Chinese" in row
    assert "✓" in row
    assert '<td class="number">1</td>' in row
    assert "2026-03-01 12:00 UTC" in row


def test_list_costs_six_queries_whatever_the_number(desk, django_assert_num_queries):
    for _ in range(15):
        review_by(make_user(), make_revision())
    # Session, user, people, their reviews, turns begun and times.
    with django_assert_num_queries(6):
        desk.get("/people/")


def test_lead_sees_people_and_skills_but_nothing_of_the_admins(client, admin):
    client.force_login(make_user(Role.LEAD), backend=BACKEND)
    page = text(client.get(f"/people/{admin.profile.pk}/"))
    assert "What they can judge" in page
    assert "Withdraw this person" not in page
    assert "Deactivate" not in page


def test_changes_come_back_to_the_person_with_a_word(desk):
    ann = make_user(username="ann")
    address = f"/people/{ann.profile.pk}/"
    for action, data, word in (
        ("skills", {"languages": ["zh"], "scenarios": ["open_qa"]}, "Stored."),
        ("vouch", {}, "no qualification round"),
        ("role", {"role": "lead"}, "Stored."),
        ("deactivate", {}, "Places that are free again: 0."),
        ("reactivate", {}, "They can log in again."),
    ):
        answer = desk.post(address + action, data, follow=True)
        assert answer.redirect_chain == [(address, 303)]
        assert word in text(answer)
    profile = Profile.objects.get(user=ann)
    assert (profile.role, profile.languages, profile.scenarios) == ("lead", ["zh"], ["open_qa"])


def test_unknown_values_are_refused(desk):
    ann = make_user()
    for action, data in (("skills", {"languages": ["fr"]}), ("role", {"role": "king"})):
        assert desk.post(f"/people/{ann.profile.pk}/{action}", data).status_code == 422


def test_only_admin_is_told_why_nothing_changed(desk, admin):
    for action, data in (
        ("role", {"role": "lead"}),
        ("deactivate", {}),
        ("withdraw", {"word": "boss"}),
    ):
        answer = desk.post(f"/people/{admin.profile.pk}/{action}", data, follow=True)
        assert "the only active admin stays" in text(answer)


def test_withdrawal_needs_the_name_typed(desk):
    ann = make_user(username="ann")
    address = f"/people/{ann.profile.pk}/withdraw"
    for word in ("", "Ann", "withdraw"):
        answer = desk.post(address, {"word": word})
        assert answer.status_code == 422
        assert "Type the name exactly" in text(answer)
    answer = desk.post(address, {"word": " ann "}, follow=True)
    assert f"They are withdrawn-{ann.pk} from now on." in text(answer)
    assert User.objects.get(pk=ann.pk).username == f"withdrawn-{ann.pk}"


def test_withdrawn_person_can_not_be_let_in_again(desk, admin):
    ann = make_user()
    withdraw(member=ann.profile, actor=admin, now=NOW)
    desk.post(f"/people/{ann.profile.pk}/reactivate")
    assert not User.objects.get(pk=ann.pk).is_active
    assert "This person has withdrawn." in text(desk.get(f"/people/{ann.profile.pk}/"))


def test_hostile_name_and_note_are_shown_as_text(desk):
    ann = make_user(username="<img src=x onerror=alert(1)>")
    for address in ("/people/", f"/people/{ann.profile.pk}/"):
        assert "<img" not in text(desk.get(address))
    desk.post("/people/invitations/", {"role": "annotator", "days": "7", "note": "</td><script>"})
    assert "</td><script>" not in text(desk.get("/people/invitations/"))


@pytest.fixture
def ann(db):
    user = make_user(username="ann")
    user.set_password("lamp-rope-9")
    user.save()
    return user


@pytest.fixture
def own(client, ann):
    client.post("/login/", {"username": "ann", "password": "lamp-rope-9"})
    return client


def test_own_password_changes_and_other_browsers_are_out(own, ann):
    elsewhere = Client()
    elsewhere.post("/login/", {"username": "ann", "password": "lamp-rope-9"})
    new = {"old": "lamp-rope-9", "password": "kettle-4-moss", "repeated": "kettle-4-moss"}
    assert "Your password is changed." in text(own.post("/account/password", new, follow=True))
    assert elsewhere.get("/account/").status_code == 302
    assert User.objects.get().check_password("kettle-4-moss")


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"old": "wrong"}, "This is not your password."),
        ({"repeated": "other"}, "The two passwords differ."),
        ({"password": "12345678", "repeated": "12345678"}, "too common"),
    ],
)
def test_password_that_can_not_be_is_refused_and_never_shown(own, change, word):
    new = {"old": "lamp-rope-9", "password": "kettle-4-moss", "repeated": "kettle-4-moss"}
    answer = own.post("/account/password", new | change)
    assert answer.status_code == 422
    page = text(answer)
    assert word in page
    assert "kettle-4-moss" not in page
    assert User.objects.get().check_password("lamp-rope-9")


def test_own_languages_change_and_scenarios_stay_what_a_lead_said(own, ann):
    Profile.objects.update(scenarios=["open_qa"])
    own.post("/account/languages", {"languages": ["en"], "scenarios": ["issue_fix"]})
    profile = Profile.objects.get()
    assert (profile.languages, profile.scenarios) == (["en"], ["open_qa"])


def test_signing_out_everywhere_leads_to_the_login_page(own):
    answer = own.post("/account/sign-out", follow=True)
    assert answer.redirect_chain == [("/login/", 303)]
    assert "You are logged out everywhere." in text(answer)
    assert own.get("/account/").status_code == 302
