"""Imports of uploads: what is stored, what is refused, and what a dead worker leaves."""

from datetime import timedelta

import pytest
from django.utils import timezone

from generation.core.archives import Limits
from generation.models import AuditEvent, Job, JobLeftOut, JobState, Left, Source
from generation.services import imports, jobs, uploads
from generation.services.job_steps import Given, JobEnded
from tests.generation.services.uploading import (
    FIXTURES,
    RUNS,
    imported,
    questions,
    uploaded,
    zip_of,
    zip_of_folder,
)

pytestmark = pytest.mark.django_db
KIND = "researchy_questions"


@pytest.fixture(autouse=True)
def uploads_dir(settings, tmp_path):
    settings.UPLOADS_DIR = tmp_path / "uploads"
    return settings.UPLOADS_DIR


def left_out(job):
    return [
        (row.outcome, row.file, row.line, row.field, row.why)
        for row in JobLeftOut.objects.filter(job=job)
    ]


def test_import_counts_what_it_stored_by_form_and_licence_and_removes_the_files(uploads_dir):
    job = imported("infodeepseek", {"runs.jsonl": RUNS.read_bytes()})
    assert job.state == JobState.DONE
    assert job.done == job.total == Source.objects.count() == job.result["imported"] > 3
    assert job.result["forms"] == {"trajectory": job.total}
    assert job.result["licences"] == {"Apache-2.0": job.total}
    assert set(Source.objects.values_list("licence", flat=True)) == {"Apache-2.0"}
    assert (job.folder, list(uploads_dir.iterdir())) == ("", [])
    told = ["job.done", "job.begun", "job.asked"]
    assert list(AuditEvent.objects.filter(subject="job").values_list("action", flat=True)) == told


def test_same_file_again_adds_nothing_and_says_so():
    files = {"q.jsonl": questions("moths", "bats")}
    assert imported(KIND, files).result["imported"] == 2
    again = imported(KIND, files)
    assert (again.result["imported"], again.result["skipped"]) == (0, 2)
    assert Source.objects.count() == 2


def test_refused_record_is_named_with_file_line_and_field_and_the_others_are_stored():
    job = imported(KIND, {"q.jsonl": questions("moths", "", "bats") + b"no JSON\n"})
    assert job.state == JobState.DONE
    assert (job.result["read"], job.result["imported"], job.result["refused"]) == (4, 2, 2)
    (first, second) = left_out(job)
    assert first[:4] == (Left.REFUSED, "q.jsonl", 2, "question")
    assert second[:3] == (Left.REFUSED, "q.jsonl", 4)
    assert "not valid JSON" in second[4]


def test_no_place_names_a_folder_of_the_server(uploads_dir):
    job = imported(KIND, {"x.zip": zip_of({"a/q.jsonl": questions("moths", ""), "a/b.txt": b"-"})})
    assert Source.objects.get().place == "q.jsonl:1"
    texts = [str(row) for row in left_out(job)] + [job.failure_detail]
    assert not [text for text in texts if str(uploads_dir) in text]
    assert left_out(job)[1][:2] == (Left.UNREAD, "a/b.txt")


def test_file_that_breaks_off_is_refused_before_anything_of_it_is_stored():
    rows = b"[" + questions("moths", "bats").replace(b"\n", b",\n")
    job = imported(KIND, {"q.json": rows})
    assert (job.state, job.failure) == (JobState.FAILED, "unreadable")
    assert job.failure_detail.startswith("q.json:3: not valid JSON")
    assert not Source.objects.exists()
    assert job.folder == ""


def test_files_whose_names_are_not_the_kinds_are_read_by_their_content():
    job = imported(KIND, {"a.txt": questions("moths"), "b.txt": b"prose"})
    assert (job.result["imported"], job.result["refused"]) == (1, 1)
    assert left_out(job)[0][1] == "b.txt"


@pytest.mark.parametrize(
    ("kind", "folder", "form"),
    [
        ("swe_smith", "swe_smith", "trajectory"),
        ("readme", "readme", "document"),
        ("aptbench", "aptbench", "question"),
        ("github_issues", "github_issues", "document"),
        ("predictions", "predictions", "document"),
    ],
)
def test_folder_in_an_archive_gives_what_the_folder_gives(kind, folder, form):
    job = imported(kind, {"set.zip": zip_of_folder(FIXTURES / folder)})
    assert job.state == JobState.DONE
    assert job.result["forms"] == {form: job.result["imported"]}
    assert job.result["imported"] > 1


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({}, "no_file"),
        ({"empty.jsonl": b""}, "empty"),
        ({"a\u202egnp.jsonl": b"{}"}, "unsafe_name"),
        ({"..": b"{}"}, "unsafe_name"),
        ({"n" * 300: b"{}"}, "unsafe_name"),
        ({"big.jsonl": b"x" * 2_000_000}, "too_large"),
    ],
)
def test_upload_that_is_not_taken_leaves_nothing(settings, uploads_dir, files, kind):
    settings.UPLOAD_MB = 1
    with pytest.raises(uploads.UploadRefused) as refused:
        uploaded(KIND, files)
    assert refused.value.kind == kind
    assert list(uploads_dir.iterdir()) == []
    assert not Job.objects.exists()


def test_two_files_of_one_name_are_refused():
    with pytest.raises(uploads.UploadRefused, match="twice"):
        uploads.keep([("a/q.jsonl", [b"{}"]), ("b/q.jsonl", [b"{}"])])


@pytest.mark.parametrize(
    ("name", "content", "failure"),
    [
        ("x.zip", b"no archive", "broken"),
        ("x.zip", zip_of({"../../out.jsonl": questions("moths")}), "unsafe_name"),
        ("x.zip", zip_of({"big.jsonl": b"\0" * 20_000}), "too_large"),
    ],
)
def test_archive_that_is_unsafe_fails_the_import_and_stores_nothing(
    monkeypatch, uploads_dir, name, content, failure
):
    monkeypatch.setattr(uploads, "limits", lambda: Limits(total_bytes=10_000))
    job = imported(KIND, {name: content})
    assert (job.state, job.failure) == (JobState.FAILED, failure)
    assert not Source.objects.exists()
    assert list(uploads_dir.iterdir()) == []


def test_archive_with_a_name_of_dots_is_read_beside_others():
    first, second = zip_of({"q.jsonl": questions("moths")}), zip_of({"r.jsonl": questions("bats")})
    job = imported(KIND, {"...zip": first, "x.zip": second})
    assert (job.state, job.result["imported"]) == (JobState.DONE, 2)


def test_upload_that_is_gone_from_the_server_fails_the_import_with_words(uploads_dir):
    job = uploaded(KIND, {"q.jsonl": questions("moths")})
    uploads.remove(job.folder)
    assert jobs.work(job.pk)
    job.refresh_from_db()
    assert (job.state, job.failure) == (JobState.FAILED, "unreadable")
    assert "gone from the server" in job.failure_detail


def test_worker_gives_signs_of_life_while_it_unpacks(monkeypatch):
    monkeypatch.setattr(imports, "_SECONDS_BETWEEN_WORDS", -1.0)
    unpacked = uploads.unpacked

    def watched(name, *, alive):
        Job.objects.update(leased_until=None)
        found = unpacked(name, alive=alive)
        assert Job.objects.get().leased_until is not None
        return found

    monkeypatch.setattr(uploads, "unpacked", watched)
    job = imported(KIND, {"x.zip": zip_of({"q.jsonl": questions("moths")})})
    assert (job.state, job.result["imported"]) == (JobState.DONE, 1)


class KilledError(BaseException):
    """The worker's process is gone."""


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(imports, "_BATCH_RECORDS", 2)


def killed_after(monkeypatch, parts):
    """Let workers die right after they stored so many parts."""
    store = Given.store

    def dying(self, count, *args, **kwargs):
        store(self, count, *args, **kwargs)
        if self.done >= parts:
            raise KilledError

    monkeypatch.setattr(Given, "store", dying)
    return lambda: monkeypatch.setattr(Given, "store", store)


def test_next_worker_goes_on_where_a_killed_one_stood(monkeypatch, small_batches):
    names = ["moths", "bats", "", "eels", "storks", "toads", ""]
    job = uploaded(KIND, {"q.jsonl": questions(*names)})
    heal = killed_after(monkeypatch, 4)
    with pytest.raises(KilledError):
        jobs.work(job.pk)
    heal()
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == (JobState.RUNNING, 4, 7)
    assert not jobs.work(job.pk), "its lease holds"
    assert jobs.sweep(now=timezone.now()) == []
    later = timezone.now() + timedelta(minutes=3)
    assert jobs.sweep(now=later) == [job.pk]
    Job.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert jobs.work(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert (job.result["imported"], job.result["skipped"], job.result["refused"]) == (5, 0, 2)
    assert [row.number for row in job.left_out.all()] == [1, 2]
    assert Source.objects.count() == 5


def test_job_whose_workers_die_again_and_again_waits_for_a_person(monkeypatch, small_batches):
    job = uploaded(KIND, {"q.jsonl": questions("moths", "bats", "eels")})
    heal = killed_after(monkeypatch, 0)
    for _ in range(jobs.MOST_ATTEMPTS):
        with pytest.raises(KilledError):
            jobs.work(job.pk)
        Job.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert not jobs.work(job.pk)
    heal()
    job.refresh_from_db()
    assert (job.state, job.failure) == (JobState.FAILED, "worker_ended")
    assert jobs.can_go_on(job)
    jobs.resume(job_pk=job.pk, actor=None)
    assert jobs.work(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["imported"], job.folder) == (JobState.DONE, 3, "")


def test_worker_that_was_thought_dead_stores_nothing_any_more(small_batches):
    job = uploaded(KIND, {"q.jsonl": questions("moths", "bats", "eels")})
    slow = jobs._take_up(job.pk, now=timezone.now())
    Job.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert slow is not None
    assert jobs.work(job.pk)
    with pytest.raises(JobEnded):
        slow.tell()
    job.refresh_from_db()
    assert (job.state, job.result["imported"]) == (JobState.DONE, 3)


def test_stopped_import_keeps_its_place_and_goes_on(monkeypatch, small_batches):
    job = uploaded(KIND, {"q.jsonl": questions("moths", "bats", "eels")})
    store = Given.store

    def stopping(self, count, *args, **kwargs):
        store(self, count, *args, **kwargs)
        if self.done == 2:
            jobs.stop(job_pk=self.pk, actor=None)

    with monkeypatch.context() as patch:
        patch.setattr(Given, "store", stopping)
        assert jobs.work(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["imported"]) == (JobState.STOPPED, 2)
    assert not jobs.work(job.pk)
    assert job.folder
    jobs.resume(job_pk=job.pk, actor=None)
    jobs.work(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["imported"]) == (JobState.DONE, 3)


def test_finished_job_is_neither_stopped_nor_resumed():
    job = imported(KIND, {"q.jsonl": questions("moths")})
    assert jobs.stop(job_pk=job.pk, actor=None).state == JobState.DONE
    with pytest.raises(jobs.CannotResume, match="state"):
        jobs.resume(job_pk=job.pk, actor=None)


def test_files_nobody_goes_on_with_are_removed_after_a_week(uploads_dir):
    job = uploaded(KIND, {"q.jsonl": questions("moths")})
    jobs.stop(job_pk=job.pk, actor=None)
    jobs.sweep(now=timezone.now())
    assert len(list(uploads_dir.iterdir())) == 1
    jobs.sweep(now=timezone.now() + timedelta(days=8))
    assert list(uploads_dir.iterdir()) == []
    with pytest.raises(jobs.CannotResume, match="files"):
        jobs.resume(job_pk=job.pk, actor=None)


def test_who_resumes_a_job_while_its_files_go_is_told_that_they_are_gone(monkeypatch):
    job = uploaded(KIND, {"q.jsonl": questions("moths")})
    jobs.stop(job_pk=job.pk, actor=None)
    folder, remove, removed = job.folder, uploads.remove, []

    def meanwhile(name):
        with pytest.raises(jobs.CannotResume, match="files"):
            jobs.resume(job_pk=job.pk, actor=None)
        remove(name)
        removed.append(name)

    monkeypatch.setattr(uploads, "remove", meanwhile)
    jobs.sweep(now=timezone.now() + timedelta(days=8))
    job.refresh_from_db()
    assert (job.state, job.folder, removed) == (JobState.STOPPED, "", [folder])


def test_upload_that_no_job_names_is_removed_after_a_day(uploads_dir):
    uploads.keep([("q.jsonl", [questions("moths")])])
    jobs.sweep(now=timezone.now())
    assert len(list(uploads_dir.iterdir())) == 1
    jobs.sweep(now=timezone.now() + timedelta(days=2))
    assert list(uploads_dir.iterdir()) == []


def test_lost_message_is_made_up_for_by_the_sweep():
    job = uploaded(KIND, {"q.jsonl": questions("moths")})
    assert jobs.sweep(now=timezone.now()) == []
    assert jobs.sweep(now=timezone.now() + timedelta(minutes=1)) == [job.pk]


def test_progress_tells_share_rate_and_end():
    now = timezone.now()
    job = Job(state="running", done=30, total=100, begun_with=10, begun_at=now)
    progress = jobs.progress_of(job, now=now + timedelta(seconds=10))
    assert (progress.percent, progress.per_second) == (30, 2.0)
    assert progress.ends_at == now + timedelta(seconds=45)
    unknown = jobs.progress_of(Job(state="queued"), now=now)
    assert (unknown.percent, unknown.per_second, unknown.ends_at) == (None, None, None)
