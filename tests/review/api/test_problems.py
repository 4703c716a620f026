"""Whatever is wrong answers as a problem document: no page, no traceback, no server error."""

import json

import pytest
from django.test import override_settings
from django.utils import timezone

from review.models import BlindAnswer, Note
from tests.make import make_assignment, make_revision
from tests.review.api.calls import Caller

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(ann):
    turn = make_assignment(revision=make_revision(), reviewer=ann, now=timezone.now())
    return f"assignments/{turn.pk}/notes"


def is_problem(answer, status):
    body = json.loads(answer.content)
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert (body["status"], body["type"]) == (status, "about:blank")
    assert body["title"]
    assert body["detail"]
    assert "Traceback" not in answer.content.decode()
    return True


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"",
        b"nonsense",
        b'{"text": NaN}',
        b'{"text": "\xff"}',
        b'{"text": "\\ud800"}',
        b'{"text": "\\udfff\\ud800"}',
        b'{"review": 1' + b"0" * 400 + b"}",
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    ],
    ids=[
        "cut",
        "empty",
        "word",
        "NaN",
        "latin",
        "surrogate",
        "swapped",
        "huge",
        "deep list",
        "deep",
    ],
)
def test_body_that_is_no_json_answers_400(api, address, body):
    answer = api.post(address, body)
    if body:
        assert is_problem(answer, 400)
    else:
        assert is_problem(answer, 422)
    assert not Note.objects.exists()


@pytest.mark.parametrize(
    "body", [b"[]", b'"text"', b"1", b"null", b'{"text": null}', b'{"text": 1}', b'{"text": ["a"]}']
)
def test_json_of_another_shape_answers_422(api, address, body):
    assert is_problem(api.post(address, body), 422)


def test_nul_in_a_text_is_refused_by_field(api, address):
    answer = api.post(address, {"text": "a\x00b"})
    assert is_problem(answer, 422)
    assert [error["field"] for error in answer.json()["errors"]] == ["text"]
    assert not Note.objects.exists()


@pytest.mark.parametrize("number", [2**63, 2**64, -(2**63) - 1, 1e300, 0, -1])
def test_numbers_beyond_any_id_are_refused(api, address, number):
    sent = json.dumps({"review": number}).encode()
    assert is_problem(api.post(address.replace("notes", "undo"), sent), 422)


@pytest.mark.parametrize("pk", [0, 2**63 - 1, 2**63, 10**25, "9" * 5000, "-1", "x", "1.0", "٣"])
def test_ids_that_nothing_has_answer_404(api, pk):
    assert is_problem(api.get(f"assignments/{pk}"), 404)


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x"],
)
def test_body_of_another_type_answers_415(api, address, content_type):
    assert is_problem(api.post(address, b"text=x", content_type=content_type), 415)


@pytest.mark.parametrize("charset", ["utf-16", "latin-1", "hex", "no-such"])
def test_body_in_another_encoding_is_refused(api, address, charset):
    sent = b'{"text": "x"}'
    answer = api.post(address, sent, content_type=f"application/json; charset={charset}")
    assert is_problem(answer, 400)
    assert not Note.objects.exists()


@override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=1000)
def test_body_that_is_too_large_answers_413(api, address):
    assert is_problem(api.post(address, {"text": "x" * 1000}), 413)
    assert api.post(address, {"text": "x" * 900}).status_code == 201


def test_form_of_a_session_that_is_too_large_or_broken_is_a_problem_too(member):
    for content_type, body in [
        ("application/x-www-form-urlencoded", b"x=" + b"y" * 6_000_000),
        ("multipart/form-data", b"--x"),
        ("multipart/form-data; boundary=x", b"--x\r\nnonsense"),
    ]:
        answer = member.post("/api/v1/next", body, content_type=content_type)
        assert answer["Content-Type"].endswith("json")
        assert answer.status_code < 500


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/*"])
def test_other_accepted_types_answer_406(api, accept):
    assert is_problem(api.get("me", headers={"accept": accept}), 406)


@pytest.mark.parametrize("accept", ["*/*", "application/*", "application/json;q=0.1"])
def test_json_is_served_where_it_is_accepted(api, accept):
    assert api.get("me", headers={"accept": accept}).status_code == 200


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_methods_that_there_are_not_answer_405_with_those_that_there_are(api, method):
    answer = api.send(method, "next")
    assert is_problem(answer, 405)
    assert answer["Allow"] == "POST"


@pytest.mark.parametrize("path", ["", "nonsense", "candidates/", "me.json", "assignments/1/x"])
@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_addresses_that_there_are_not_answer_404_to_everyone(api, path, method):
    for caller in (api, Caller(None)):
        assert is_problem(caller.send(method, path), 404)


def test_parameters_that_there_are_not_are_refused(api, lead_api):
    for caller, path in [(api, "assignments"), (lead_api, "candidates"), (lead_api, "agreement")]:
        answer = caller.get(path, limits=3)
        assert is_problem(answer, 422)
        assert [error["field"] for error in answer.json()["errors"]] == ["limits"]


def test_too_many_parameters_answer_400(lead_api):
    many = {f"p{number}": "1" for number in range(3000)}
    assert is_problem(lead_api.get("candidates", **many), 400)


def test_nul_and_bad_escapes_in_the_address_are_no_server_error(lead_api):
    for query in ("source_kind=%00", "source_kind=%ff%fe", "finding=%ed%a0%80", "subtask=%00"):
        assert lead_api.get(f"candidates?{query}").status_code in {200, 400, 422}
    for path in ("releases/%00", "releases/%00/items", "releases/%00/files/x", "releases/%ff"):
        assert lead_api.get(path).status_code in {400, 404}


def test_unknown_host_is_a_problem_too(api):
    assert is_problem(api.get("me", headers={"host": "elsewhere.example"}), 400)


def test_fault_of_our_own_is_a_problem_without_its_words(ann, monkeypatch):
    caller = Caller(ann)
    caller.client.raise_request_exception = False
    monkeypatch.setattr("review.api.views.me.pseudonym", lambda pk: 1 // 0)
    answer = caller.get("me")
    assert is_problem(answer, 500)
    assert "division" not in answer.content.decode()


def test_every_answer_is_kept_by_no_cache_and_of_no_other_type(api, address):
    for answer in (api.get("me"), api.get("nonsense"), api.post(address, b"{")):
        assert answer["Cache-Control"] == "no-store"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert "Authorization" in answer["Vary"]


def test_hostile_text_is_stored_and_comes_back_as_it_is(api, ann, address):
    text = "<script>alert(1)</script> \u202e {{7*7}} \x1b[31m"
    note = api.post(address, {"text": text}).json()
    assert note["text"] == text
    assert not BlindAnswer.objects.exists()
