"""Who may call: tokens, their scopes and ends; sessions with their CSRF token."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from review.api.authentication import MOST_FAILURES
from review.models import ApiToken, Profile, Role, Scope
from tests.make import make_assignment, make_revision, make_user
from tests.review.api.calls import Caller, blind_body

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "header",
    ["Bearer nonsense", "Bearer apt_nonsense", "Bearer", "Basic YTpi", "apt_x", "Bearer apt_\xff"],
)
def test_wrong_credentials_answer_401_with_what_is_expected(db, header):
    answer = Caller(None).get("me", headers={"authorization": header})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")
    assert answer["Content-Type"] == "application/problem+json"


def test_no_credentials_answer_401(db):
    assert Caller(None).get("me").status_code == 401
    assert Caller(None).post("next").status_code == 401


def test_token_says_who_calls(api, ann):
    assert api.get("me").json() == {
        "name": "ann",
        "reviewer": f"reviewer-{ann.pk}",
        "role": "annotator",
        "scopes": ["read", "review"],
        "token_expires_at": api.get("me").json()["token_expires_at"],
    }


@pytest.mark.parametrize("how", ["revoked", "expired", "inactive"])
def test_token_that_has_ended_answers_401(api, ann, how):
    now = timezone.now()
    if how == "revoked":
        ApiToken.objects.update(revoked_at=now)
    elif how == "expired":
        ApiToken.objects.update(expires_at=now)
    else:
        type(ann).objects.update(is_active=False)
    assert api.get("me").status_code == 401


@pytest.mark.parametrize(
    ("scope", "read", "review", "lead_read", "lead_write"),
    [
        (Scope.READ, 200, 403, 200, 403),
        (Scope.REVIEW, 200, 200, 403, 403),
        (Scope.LEAD, 403, 403, 403, 404),
    ],
)
def test_scopes_limit_a_token_of_a_lead(lea, scope, read, review, lead_read, lead_write):
    caller = Caller(lea, [scope])
    assert caller.get("assignments").status_code == read
    assert caller.post("next").status_code == review
    assert caller.get("candidates").status_code == lead_read
    sent = {"outcome": "approve", "note": "x", "seen": "x"}
    assert caller.post("disputes/999/decision", sent).status_code == lead_write


def test_role_limits_a_token_whatever_its_scopes(lea):
    caller = Caller(lea)
    assert caller.get("candidates").status_code == 200
    Profile.objects.update(role=Role.ANNOTATOR)
    answer = caller.get("candidates")
    assert (answer.status_code, answer.json()["detail"]) == (403, "Only leads may do this.")


def test_user_without_a_profile_is_no_member(ann):
    caller = Caller(ann)
    Profile.objects.all().delete()
    assert caller.get("me").status_code == 403


def test_too_many_unknown_tokens_of_an_address_must_wait(api):
    wrong = {"authorization": "Bearer apt_guess"}
    for _ in range(MOST_FAILURES):
        assert Caller(None).get("me", headers=wrong).status_code == 401
    answer = Caller(None).get("me", headers=wrong)
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")
    assert api.get("me").status_code == 429, "guessing would go on if right tokens passed"


def test_use_is_noted_once_a_minute(api, django_assert_num_queries):
    with django_assert_num_queries(2):
        api.get("me")
    with django_assert_num_queries(1):
        api.get("me")
    ApiToken.objects.update(last_used_at=timezone.now() - timedelta(seconds=61))
    with django_assert_num_queries(2):
        api.get("me")


def test_session_reads_without_and_writes_only_with_the_csrf_token(ann):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann, backend="review.authentication.MemberBackend")
    assert client.get("/api/v1/me").json()["scopes"] == ["read", "review"]
    answer = client.post("/api/v1/next", content_type="application/json")
    assert (answer.status_code, answer["Content-Type"]) == (403, "application/problem+json")
    client.get("/queue/")
    token = client.cookies["csrftoken"].value
    sent = client.post(
        "/api/v1/next", content_type="application/json", headers={"x-csrftoken": token}
    )
    assert sent.status_code == 200


def test_turns_of_others_answer_404_whatever_is_asked(api):
    other = make_assignment(revision=make_revision(), reviewer=make_user(), now=timezone.now())
    address = f"assignments/{other.pk}"
    assert api.get(address).status_code == 404
    assert api.post(f"{address}/blind", blind_body(other)).status_code == 404
    assert api.post(f"{address}/skip", {"reason": "x"}).status_code == 404
    assert api.put(f"{address}/draft", {"phase": "blind", "fields": {}}).status_code == 404
    for part in ("lease", "what-follows"):
        assert api.post(f"{address}/{part}").status_code == 404
    for part in ("notes", "questions"):
        assert api.get(f"{address}/{part}").status_code == 404
