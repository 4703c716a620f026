"""What leads do by the API: decide disputes, read agreement, fetch releases."""

import hashlib
import json
from datetime import UTC, datetime

import pytest
from django.core.management import call_command
from django.utils import timezone

from generation.core.items import Severity
from generation.models import CandidateState
from review.models import Adjudication, Release
from review.services.exports import export_native
from review.services.release_plan import FreezeOrder
from review.services.releases import freeze
from tests.make import make_assignment, make_revision, make_user, rejecting, review_by

pytestmark = pytest.mark.django_db


@pytest.fixture
def disputed(ann, bea):
    revision = make_revision(findings=[Severity.NEEDS_PERSON])
    review_by(ann, revision)
    review_by(bea, revision, answers=rejecting(revision, comment="no kiln is named"))
    return revision


def decide(caller, pk, **changes):
    seen = caller.get(f"disputes/{pk}").json().get("seen", "x")
    sent = {"outcome": "approve", "note": "The second reads it wrongly.", "seen": seen} | changes
    return caller.post(f"disputes/{pk}/decision", sent)


def test_dispute_is_listed_and_read_without_names(lead_api, disputed, ann, bea):
    (row,) = lead_api.get("disputes").json()["results"]
    assert (row["id"], row["kind"], row["subtask"]) == (disputed.pk, "decisions", "issue_fix_plan")
    answer = lead_api.get(f"disputes/{disputed.pk}")
    whole = answer.json()
    assert [review["decision"] for review in whole["reviews"]] == ["approve", "reject"]
    assert {review["reviewer"] for review in whole["reviews"]} == {None}
    for person in (ann, bea):
        assert f"reviewer-{person.pk}" not in answer.content.decode()
        assert person.username not in answer.content.decode()


def test_dispute_is_settled_once(lead_api, disputed):
    answer = decide(lead_api, disputed.pk)
    assert answer.status_code == 201
    assert answer.json() == {
        "id": Adjudication.objects.get().pk,
        "outcome": "approve",
        "state": CandidateState.APPROVED,
    }
    again = decide(lead_api, disputed.pk)
    assert (again.status_code, again.json()["code"]) == (409, "decided")
    assert lead_api.get(f"disputes/{disputed.pk}").status_code == 404
    assert lead_api.get("disputes").json()["results"] == []


def test_decision_on_reviews_that_were_not_read_is_refused(lead_api, disputed):
    answer = decide(lead_api, disputed.pk, seen="something else")
    assert (answer.status_code, answer.json()["code"]) == (409, "reviews_changed")
    assert not Adjudication.objects.exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"outcome": "reject"}, "reject_reason"),
        ({"outcome": "edit"}, "outcome"),
        ({"note": ""}, "note"),
        ({"note": " "}, "note"),
    ],
)
def test_wrong_decision_is_refused_by_field(lead_api, disputed, change, field):
    answer = decide(lead_api, disputed.pk, **change)
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_lead_with_a_turn_at_the_item_neither_reads_nor_decides(lead_api, lea, disputed):
    make_assignment(revision=disputed, reviewer=lea, now=timezone.now())
    assert lead_api.get(f"disputes/{disputed.pk}").json()["code"] == "own_turn_open"
    assert decide(lead_api, disputed.pk).json()["code"] == "own_turn_open"


def test_nothing_in_dispute_answers_404(lead_api):
    revision = make_revision()
    for pk in (revision.pk, 10**9):
        assert lead_api.get(f"disputes/{pk}").status_code == 404
        assert decide(lead_api, pk).status_code == 404


def test_agreement_is_what_the_command_says(lead_api, disputed, ann, bea, capsys):
    other = make_revision()
    for person in (ann, bea):
        review_by(person, other)
    for query, options in [("", []), ("?by=subtask&seed=3", ["--by", "subtask", "--seed", "3"])]:
        call_command("agreement", "--json", "--resamples", "50", *options)
        told = json.loads(capsys.readouterr().out)
        address = f"agreement{query}{'&' if query else '?'}resamples=50"
        assert lead_api.get(address).json() == told


@pytest.mark.parametrize("query", ["by=nonsense", "resamples=2001", "resamples=0", "seed=-1"])
def test_wrong_question_about_agreement_is_refused(lead_api, query):
    answer = lead_api.get(f"agreement?{query}")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == query.split("=")[0]


@pytest.fixture
def release(db) -> Release:
    verbs = ("Fix", "Sell", "Paint", "Watch")
    for number in range(4):
        revision = make_revision(options=[f"{verb} kiln {number}." for verb in verbs])
        for _ in range(2):
            review_by(make_user(), revision)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return freeze(FreezeOrder(name="kilns", version="1.0", at=at, shots=1))


def test_release_is_read_with_its_manifest(lead_api, release):
    (row,) = lead_api.get("releases").json()["results"]
    assert (row["version"], row["canary"]) == (release.version, release.canary)


def test_files_of_a_release_are_those_of_its_export(lead_api, release, tmp_path):
    export_native(release, tmp_path / "out", progress=lambda _path: None)
    whole = lead_api.get("releases/1.0").json()
    assert whole["manifest"] == release.manifest
    for entry in release.manifest["files"]:
        answer = lead_api.get(whole["files"][entry["path"]])
        data = b"".join(answer.streaming_content)
        assert data == (tmp_path / "out" / entry["path"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == entry["sha256"]
        assert answer["Content-Disposition"].startswith("attachment; ")
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert int(answer["Content-Length"]) == len(data)
    lines = (tmp_path / "out/items/issue_fix_plan.jsonl").read_text().splitlines()
    items = lead_api.get("releases/1.0/items").json()["results"]
    assert sorted(items, key=lambda one: one["id"]) == [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    "path", ["releases/none", "releases/none/items", "releases/none/files/manifest.json"]
)
def test_release_that_there_is_not_answers_404(lead_api, path):
    assert lead_api.get(path).status_code == 404


@pytest.mark.parametrize("path", ["nonsense", "../manifest.json", "/etc/passwd", "items"])
def test_file_that_the_manifest_does_not_name_answers_404(lead_api, release, path):
    assert lead_api.get(f"releases/{release.version}/files/{path}").status_code == 404
