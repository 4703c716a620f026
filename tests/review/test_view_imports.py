"""Pages of imports and builds: files uploaded, the worker watched, candidates built, all by leads."""

import json
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from generation.core.importers.catalogue import IMPORTERS
from generation.models import AuditEvent, Candidate, Job, JobKind, JobState, Source, SourceForm
from generation.services import jobs
from review.models import Role
from review.views.import_words import FORMS, KINDS, REFUSALS
from tests.generation.services.uploading import RUNS, questions, zip_of
from tests.make import make_source, make_user

pytestmark = pytest.mark.django_db
HOSTILE = "<img src=x onerror=alert(1)>{{7*7}}.json"


@pytest.fixture(autouse=True)
def uploads_dir(settings, tmp_path):
    settings.UPLOADS_DIR = tmp_path / "uploads"
    settings.FILE_UPLOAD_TEMP_DIR = settings.UPLOADS_DIR
    return settings.UPLOADS_DIR


@pytest.fixture
def lead(client):
    client.force_login(make_user(role=Role.LEAD), backend="review.authentication.MemberBackend")
    return client


def sent(client, kind, *files, **more):
    parts = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post(reverse("imports"), {"kind": kind, "files": parts} | more)


def page_of(client, job):
    return client.get(reverse("import", args=[job.pk])).content.decode()


def test_every_kind_of_importer_is_offered_with_what_it_takes(lead):
    page = lead.get(reverse("imports")).content.decode()
    assert set(KINDS) == set(IMPORTERS)
    for kind in IMPORTERS:
        assert f'value="{kind}"' in page


def test_upload_is_kept_and_waits_for_the_worker_which_imports_it(lead, uploads_dir):
    response = sent(lead, "infodeepseek", ("runs.jsonl", RUNS.read_bytes()))
    job = Job.objects.get()
    assert response.headers["Location"] == reverse("import", args=[job.pk])
    assert job.order["files"] == [{"name": "runs.jsonl", "bytes": RUNS.stat().st_size}]
    assert "waits for the worker" in page_of(lead, job)
    assert [path.name for path in uploads_dir.iterdir()] == [job.folder]
    jobs.work(job.pk)
    page = page_of(lead, job)
    assert f"{Source.objects.count()} {FORMS[SourceForm.TRAJECTORY]}" in page
    assert "Apache-2.0" in page
    assert 'action="/imports/build"' in page
    assert list(uploads_dir.iterdir()) == []
    assert AuditEvent.objects.get(action="job.asked").actor == job.asked_by


def test_second_upload_of_the_same_file_says_that_nothing_is_new(lead):
    for _ in range(2):
        sent(lead, "researchy_questions", ("q.jsonl", questions("moths")))
        jobs.work(Job.objects.latest("pk").pk)
    assert "Nothing is new" in page_of(lead, Job.objects.latest("pk"))


def test_what_was_left_out_is_listed_and_downloaded_and_no_cell_is_a_formula(lead):
    sent(lead, "researchy_questions", ("=cmd.jsonl", questions("moths", "")))
    job = Job.objects.get()
    jobs.work(job.pk)
    assert "=cmd.jsonl" in page_of(lead, job)
    address = reverse("import-left-out", args=[job.pk, "csv"])
    table = b"".join(lead.get(address).streaming_content).decode()
    assert table.splitlines()[1].startswith("refused,'=cmd.jsonl,2,question,")
    lines = lead.get(reverse("import-left-out", args=[job.pk, "jsonl"])).streaming_content
    assert json.loads(b"".join(lines))["line"] == 2


@pytest.mark.parametrize(
    ("kind", "files", "told"),
    [
        ("nothing", [("q.jsonl", b"{}")], REFUSALS["no_kind"]),
        ("readme", [], REFUSALS["no_file"]),
        ("readme", [("q.md", b"")], REFUSALS["empty"]),
        ("readme", [("n" * 300 + ".md", b"x")], REFUSALS["unsafe_name"]),
        ("readme", [("q.md", b"x"), ("q.md", b"y")], REFUSALS["twice"]),
        ("readme", [("q.md", b"x" * 3_000_000)], REFUSALS["too_large"]),
    ],
)
def test_upload_that_is_not_taken_says_why_and_leaves_nothing(
    lead, settings, uploads_dir, kind, files, told
):
    settings.UPLOAD_MB = 1
    response = sent(lead, kind, *files)
    assert response.status_code == 422
    assert str(told) in unescape(response.content.decode())
    assert not Job.objects.exists()
    assert not uploads_dir.exists() or list(uploads_dir.iterdir()) == []


def test_files_of_others_and_to_other_pages_are_dropped_before_they_are_kept(
    lead, uploads_dir, monkeypatch
):
    annotator, nobody = Client(), Client()
    annotator.force_login(make_user(), backend="review.authentication.MemberBackend")
    for client in (annotator, nobody):
        assert sent(client, "readme", ("q.md", b"x")).status_code in {302, 401, 403}
    lead.post(reverse("build"), {"seed": "0", "files": SimpleUploadedFile("q.md", b"x")})
    assert not uploads_dir.exists()
    assert not Job.objects.filter(kind=JobKind.IMPORT).exists()


def test_upload_without_the_forms_token_is_refused_and_nothing_is_kept(uploads_dir):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(make_user(Role.LEAD), backend="review.authentication.MemberBackend")
    assert sent(strict, "readme", ("q.md", b"# x")).status_code == 403
    assert not Job.objects.exists()
    assert list(uploads_dir.rglob("*.md")) == []


def test_hostile_names_and_texts_are_shown_as_text(lead):
    rows = json.dumps({"id": "<script>alert(2)</script>", HOSTILE: 1}).encode()
    sent(lead, "researchy_questions", (HOSTILE, questions("moths") + rows))
    job = Job.objects.get()
    jobs.work(job.pk)
    for page in (page_of(lead, job), lead.get(reverse("imports")).content.decode()):
        assert "<img src=x" not in page
        assert "<script>alert" not in page
        assert "&lt;img src=x onerror=alert(1)&gt;{{7*7}}.json" in page


def test_archive_that_leads_out_says_so_and_imports_nothing(lead, tmp_path):
    evil = zip_of({"../../../out.jsonl": questions("moths")})
    sent(lead, "researchy_questions", ("set.zip", evil))
    job = Job.objects.get()
    jobs.work(job.pk)
    page = page_of(lead, job)
    assert str(REFUSALS["unsafe_name"]) in unescape(page)
    assert "../../../out.jsonl" in page
    assert not list(tmp_path.rglob("out.jsonl"))
    assert not Source.objects.exists()


def test_stopped_import_says_what_is_there_and_goes_on(lead):
    sent(lead, "researchy_questions", ("q.jsonl", questions("moths")))
    job = Job.objects.get()
    lead.post(reverse("import-stop", args=[job.pk]))
    page = page_of(lead, job)
    assert "stopped" in page
    assert "nothing is half there" in page
    lead.post(reverse("import-resume", args=[job.pk]))
    job.refresh_from_db()
    assert job.state == JobState.QUEUED
    again = lead.post(reverse("import-resume", args=[job.pk]), follow=True).content.decode()
    assert "It runs, or is over." in again


def test_page_of_a_running_job_asks_for_its_part_and_loads_itself_anew_at_the_end(lead):
    job = jobs.ask_for(kind=JobKind.BUILD, order={"subtasks": []}, actor=None)
    part = lead.get(reverse("import", args=[job.pk]), headers={"hx-request": "true"})
    assert 'hx-trigger="every 2s"' in part.content.decode()
    assert "<html" not in part.content.decode()
    Job.objects.update(state=JobState.DONE)
    over = lead.get(reverse("import", args=[job.pk]), headers={"hx-request": "true"})
    assert over.headers["HX-Refresh"] == "true"


def test_candidates_are_built_by_the_worker_and_building_again_adds_none(lead):
    make_source()
    for made in (1, 0):
        given = {"subtasks": "issue_fix_plan", "seed": "3", "limit": "1"}
        lead.post(reverse("build"), given)
        job = Job.objects.latest("pk")
        assert job.order == {"subtasks": ["issue_fix_plan"], "seed": 3, "limit": 1}
        jobs.work(job.pk)
        job.refresh_from_db()
        if made:
            assert job.result["candidates"] == {"issue_fix_plan": Candidate.objects.count()}
        assert f"{job.result['candidates']['issue_fix_plan']} new candidate" in page_of(lead, job)
    assert Candidate.objects.count() == 2, "the limit is of each build"


@pytest.mark.parametrize("changes", [{"seed": "-1"}, {"limit": "0"}, {"subtasks": "nothing"}])
def test_build_that_can_not_be_says_why(lead, changes):
    response = lead.post(reverse("build"), {"seed": "0"} | changes)
    assert response.status_code == 422
    assert not Job.objects.exists()


def test_pages_cost_a_fixed_number_of_queries(lead, django_assert_num_queries):
    for name in ("moths", "bats", "eels"):
        sent(lead, "researchy_questions", (f"{name}.jsonl", questions(name, "")))
        jobs.work(Job.objects.latest("pk").pk)
    with django_assert_num_queries(5):  # session, user with profile, sources, count, jobs
        lead.get(reverse("imports"))
    with django_assert_num_queries(6):  # session, user, profile, job, left out, sources
        page_of(lead, Job.objects.latest("pk"))
