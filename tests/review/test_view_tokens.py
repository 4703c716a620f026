"""The page of one's tokens: a secret is shown once, and only one's own can be revoked."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from review.models import ApiToken, Role
from review.services.tokens import make_token
from tests.make import make_user

FORM = {"name": "nightly", "scopes": ["read", "review"], "days": "30"}


def test_secret_is_on_the_page_that_makes_it_and_on_no_other(member):
    page = member.post(reverse("tokens"), FORM)
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    found = re.search(r"apt_[\w-]{43}", page.content.decode())
    assert found
    secret = found[0]
    assert ApiToken.objects.get().prefix == secret[:12]
    again = member.get(reverse("tokens")).content.decode()
    assert secret not in again
    assert secret[:12] in again
    answer = member.get("/api/v1/me", headers={"authorization": f"Bearer {secret}"})
    assert answer.json()["scopes"] == ["read", "review"]


def test_form_sent_twice_makes_one_token(member):
    member.post(reverse("tokens"), FORM)
    page = member.post(reverse("tokens"), FORM)
    assert page.status_code == 422
    assert "You have a token of that name" in page.content.decode()
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": ""}, "Name the token."),
        ({"scopes": []}, "Choose what the token may do."),
        ({"scopes": ["lead"]}, "lead is not one of the available choices"),
        ({"days": "400"}, "less than or equal to 366"),
    ],
)
def test_wrong_form_says_what_is_wrong_and_keeps_what_was_typed(member, change, words):
    page = member.post(reverse("tokens"), FORM | change)
    assert page.status_code == 422
    assert words in page.content.decode()
    assert not ApiToken.objects.exists()


def test_scope_of_leads_is_offered_to_leads_alone(member, client):
    assert 'value="lead"' not in member.get(reverse("tokens")).content.decode()
    client.force_login(make_user(Role.LEAD), backend="review.authentication.MemberBackend")
    assert 'value="lead"' in client.get(reverse("tokens")).content.decode()


def test_own_token_is_revoked_and_anothers_is_none(member, reviewer):
    now = timezone.now()
    own, _ = make_token(user=reviewer, name="own", scopes=["read"], days=1, now=now)
    other, _ = make_token(user=make_user(), name="other", scopes=["read"], days=1, now=now)
    assert member.post(reverse("token-revoke", args=[other.pk])).status_code == 404
    assert member.post(reverse("token-revoke", args=[own.pk])).status_code == 303
    assert list(ApiToken.objects.filter(revoked_at=None)) == [other]
    assert "revoked" in member.get(reverse("tokens")).content.decode()


def test_page_costs_a_fixed_number_of_queries(member, reviewer, django_assert_num_queries):
    now = timezone.now()
    for number in range(5):
        make_token(user=reviewer, name=f"t{number}", scopes=["read"], days=1, now=now)
    with django_assert_num_queries(4):  # session, user with profile, tokens that work and not
        member.get(reverse("tokens"))


def test_hostile_name_is_shown_as_text(member):
    page = member.post(reverse("tokens"), FORM | {"name": "<img src=x onerror=alert(1)>"})
    assert "<img" not in page.content.decode()
    assert "&lt;img" in page.content.decode()
