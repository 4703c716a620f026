"""Tokens: random, kept as digests, limited by scope, role and time; never given twice."""

from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest

from generation.models import AuditEvent
from review.models import ApiToken, Role
from review.services.tokens import (
    MOST_TOKENS,
    TokenRefused,
    find_token,
    live_tokens,
    make_token,
    past_tokens,
    revoke_token,
)
from tests.make import NOW, later, make_user

pytestmark = pytest.mark.django_db


def make(user, **changes):
    fields: dict[str, Any] = {"name": "nightly", "scopes": ["read"], "days": 30, "now": NOW}
    return make_token(user=user, **fields | changes)


def test_only_the_digest_of_the_secret_is_stored():
    token, secret = make(make_user())
    assert len(secret) > 45
    assert token.digest == sha256(secret.encode()).hexdigest()
    row = str(ApiToken.objects.values().get())
    assert secret not in row
    assert secret[:12] == token.prefix


def test_token_is_found_by_its_secret_until_it_expires():
    token, secret = make(make_user(), days=1)
    assert find_token(secret=secret, now=later(24 * 60 - 1)) == token
    assert find_token(secret=secret, now=NOW + timedelta(days=1)) is None
    for wrong in ("", secret[:-1], secret + "x", token.digest, secret.removeprefix("apt_")):
        assert find_token(secret=wrong, now=NOW) is None


def test_two_secrets_never_match():
    user = make_user()
    assert make(user)[1] != make(user, name="other")[1]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": "  "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["lead"]}, "scopes"),
        ({"scopes": ["read", "everything"]}, "scopes"),
        ({"days": 0}, "days"),
        ({"days": 367}, "days"),
    ],
)
def test_token_that_breaks_a_rule_is_refused_by_field(change, field):
    with pytest.raises(TokenRefused) as refused:
        make(make_user(), **change)
    assert list(refused.value.problems) == [field]
    assert not ApiToken.objects.exists()


def test_only_leads_make_tokens_of_leads():
    token, _secret = make(make_user(Role.LEAD), scopes=["lead", "read"])
    assert token.scopes == ["read", "lead"]


def test_name_of_a_live_token_is_taken_so_that_a_form_sent_twice_makes_one():
    user = make_user()
    token, _secret = make(user)
    with pytest.raises(TokenRefused, match="of that name"):
        make(user, name=" nightly ")
    make(make_user())
    revoke_token(token=token, actor=user, now=NOW)
    make(user)


def test_a_person_has_a_bounded_number_of_tokens():
    user = make_user()
    for number in range(MOST_TOKENS):
        make(user, name=f"token {number}")
    with pytest.raises(TokenRefused, match="revoke one first"):
        make(user, name="one more")


def test_revoked_token_is_found_no_more_and_stays_revoked_at_its_time():
    user = make_user()
    token, secret = make(user)
    revoke_token(token=token, actor=user, now=later(1))
    revoke_token(token=token, actor=user, now=later(2))
    token.refresh_from_db()
    assert token.revoked_at == later(1)
    assert find_token(secret=secret, now=later(1)) is None
    assert list(live_tokens(user, now=NOW)) == []
    assert list(past_tokens(user, now=NOW)) == [token]


def test_making_and_revoking_leave_a_trail_without_the_secret():
    user = make_user()
    token, secret = make(user, scopes=["read", "review"])
    revoke_token(token=token, actor=user, now=NOW)
    events = AuditEvent.objects.filter(subject="apitoken", subject_id=token.pk).order_by("pk")
    assert [(e.action, e.actor, e.detail) for e in events] == [
        ("api_token.made", user, "read, review"),
        ("api_token.revoked", user, "nightly"),
    ]
    assert all(secret not in str(event.__dict__) for event in events)
