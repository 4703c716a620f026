"""Imports and builds by the API: a file sent, the job watched, what was left out read."""

import pytest

from generation.models import Candidate, Job, Source
from generation.services import jobs
from review.models import Scope
from tests.generation.services.uploading import questions, zip_of
from tests.make import make_source
from tests.review.api.calls import Caller

pytestmark = pytest.mark.django_db
BYTES = "application/octet-stream"


def send(caller, content, *, kind="researchy_questions", name="q.jsonl", content_type=BYTES):
    return caller.post(f"imports?kind={kind}&name={name}", content, content_type=content_type)


def test_file_is_taken_and_its_job_is_watched_to_the_end(lead_api, lea):
    answer = send(lead_api, questions("moths", "", "bats"))
    assert answer.status_code == 202
    address = answer.headers["Location"]
    waiting = lead_api.get(address).json()
    assert (waiting["state"], waiting["percent"]) == ("queued", None)
    assert waiting["order"]["files"] == [{"name": "q.jsonl", "bytes": 142}]
    jobs.work(waiting["id"])
    over = lead_api.get(address).json()
    assert (over["state"], over["percent"], over["result"]["imported"]) == ("done", 100, 2)
    (row,) = lead_api.get(f"jobs/{over['id']}/left-out").json()["results"]
    assert (row["outcome"], row["file"], row["line"], row["field"]) == (
        "refused",
        "q.jsonl",
        2,
        "question",
    )
    assert [one["id"] for one in lead_api.get("jobs").json()["results"]] == [over["id"]]
    assert Job.objects.get().asked_by == lea


def test_archive_is_taken(lead_api):
    job = send(lead_api, zip_of({"a/q.jsonl": questions("moths")}), name="set.zip").json()["id"]
    jobs.work(job)
    assert lead_api.get(f"jobs/{job}").json()["result"]["imported"] == 1


@pytest.mark.parametrize(
    ("changes", "content", "status", "field"),
    [
        ({"kind": "nothing"}, b"{}", 422, "kind"),
        ({"name": ".."}, b"{}", 422, "name"),
        ({"name": "n" * 201}, b"{}", 422, "name"),
        ({"name": "a%E2%80%AEb.json"}, b"{}", 422, "name"),
        ({}, b"", 422, ""),
        ({}, b"x" * 1_100_000, 413, None),
        ({"content_type": "application/json"}, b"{}", 415, None),
        ({"name": "q.jsonl&strict=1"}, b"{}", 422, "strict"),
    ],
)
def test_what_is_not_taken_is_refused_by_field_and_leaves_nothing(
    lead_api, settings, uploads_dir, changes, content, status, field
):
    settings.UPLOAD_MB = 1
    answer = send(lead_api, content, **changes)
    assert answer.status_code == status
    if field is not None:
        assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert not Job.objects.exists()
    assert not uploads_dir.exists() or list(uploads_dir.iterdir()) == []


def test_import_needs_the_scope_of_leads(lea, uploads_dir):
    assert send(Caller(lea, scopes=[Scope.READ]), b"{}").status_code == 403
    assert not uploads_dir.exists()


def test_candidates_are_built(lead_api):
    make_source()
    answer = lead_api.post("builds", {"subtasks": ["issue_fix_plan"], "seed": 3, "limit": 2})
    assert answer.status_code == 202
    jobs.work(answer.json()["id"])
    result = lead_api.get(answer.headers["Location"]).json()["result"]
    assert result["candidates"] == {"issue_fix_plan": 2}
    assert Candidate.objects.count() == 2
    unknown = lead_api.post("builds", {"subtasks": ["knitting"]})
    assert (unknown.status_code, unknown.json()["errors"][0]["field"]) == (422, "subtasks")


def test_job_is_stopped_and_goes_on_once(lead_api):
    job = send(lead_api, questions("moths")).json()["id"]
    stopped = lead_api.post(f"jobs/{job}/stop").json()
    assert (stopped["state"], stopped["can_go_on"]) == ("stopped", True)
    assert not jobs.work(job)
    assert lead_api.post(f"jobs/{job}/resume").json()["state"] == "queued"
    again = lead_api.post(f"jobs/{job}/resume")
    assert (again.status_code, again.json()["code"]) == (409, "state")
    jobs.work(job)
    assert Source.objects.count() == 1
