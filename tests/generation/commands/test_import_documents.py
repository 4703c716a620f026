"""``import_sources`` stores every kind of document once, with what lies beside it."""

import json
import shutil
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from generation.models import AuditEvent, Candidate, Section, Source, SourceForm
from generation.services.documents import load_document
from tests.commands import run_json
from tests.shared_data import DATA, needs_shared

pytestmark = pytest.mark.django_db

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
# Kind, what of the project's own samples is imported, refused and passed over.
SAMPLES = [
    ("readme", 15, 1, 1),
    ("github_issues", 19, 0, 5),
    ("swe_bench", 15, 0, 0),
    ("predictions", 76, 0, 0),
    ("deepresearch_bench", 46, 0, 0),
    ("researchy_questions", 20, 0, 0),
]


@pytest.mark.parametrize(("kind", "imported", "refused", "passed_over"), SAMPLES)
def test_the_samples_of_a_kind_are_stored_once(kind, imported, refused, passed_over):
    first = run_json("import_sources", kind, FIXTURES / kind)
    assert (first["read"], first["imported"]) == (imported + refused, imported)
    assert len(first["refused"]) == refused
    assert sum(first.get("passed_over", {}).values()) == passed_over
    sources = Source.objects.filter(form=SourceForm.DOCUMENT, kind=kind)
    assert sources.count() == imported
    sections = Section.objects.count()
    assert sections >= imported
    again = run_json("import_sources", kind, FIXTURES / kind)
    assert (again["imported"], again["skipped"]) == (0, imported)
    assert Section.objects.count() == sections
    assert AuditEvent.objects.filter(action="source.imported").count() == imported
    assert not Candidate.objects.exists()
    for source in sources:
        document = load_document(source)
        assert document.title
        assert [section.is_future for section in document.sections].count(False) >= 1 or (
            kind == "predictions"
        )


def test_what_answers_a_question_is_future_in_every_kind():
    for kind, *_counts in SAMPLES:
        run_json("import_sources", kind, FIXTURES / kind)
    shown = set(Section.objects.filter(is_future=False).values_list("kind", flat=True))
    future = set(Section.objects.filter(is_future=True).values_list("kind", flat=True))
    assert not shown & future
    assert {"patch", "test_patch", "comment", "plan", "result", "criterion", "chatter"} <= future
    assert {"problem", "body", "question", "query", "command", "report"} <= shown


def test_passing_over_is_no_refusal_for_a_strict_import():
    result = run_json("import_sources", "github_issues", FIXTURES / "github_issues", "--strict")
    assert result["imported"] == 19
    with pytest.raises(CommandError, match="no command") as stopped:
        run_json("import_sources", "readme", FIXTURES / "readme", "--strict")
    assert stopped.value.returncode == 1


def test_pages_that_come_later_are_added_to_the_reports_that_cite_them():
    folder = FIXTURES / "deepresearch_bench"
    run_json("import_sources", "deepresearch_bench", folder)
    assert not Section.objects.filter(kind="page").exists()
    result = run_json(
        "import_sources", "deepresearch_bench", folder, "--pages", folder / "pages.jsonl"
    )
    assert (result["imported"], result["skipped"]) == (0, 46)
    assert Section.objects.filter(kind="page").count() == 51
    assert AuditEvent.objects.filter(action="source.completed").count() == 10


def test_files_of_a_clone_are_stored_with_the_instance(tmp_path):
    clone = tmp_path / "clones" / "ormshaven__linefold"
    clone.mkdir(parents=True)
    (clone / "linefold").mkdir()
    (clone / "linefold" / "prose.py").write_text("fold\n")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.example", "-C", str(clone)]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    row = json.loads((FIXTURES / "swe_bench" / "instances.jsonl").read_text().splitlines()[0])
    path = tmp_path / "instances.jsonl"
    path.write_text(json.dumps(row | {"base_commit": head.stdout.strip()}) + "\n")
    result = run_json("import_sources", "swe_bench", path, "--repos", tmp_path / "clones")
    assert result["imported"] == 1
    section = Section.objects.get(kind="file")
    assert (section.title, section.text.body) == ("linefold/prose.py", "fold\n")
    assert [note["where"] for note in Source.objects.get().notes] == ["tests/test_prose.py"]


@pytest.mark.parametrize(
    ("kind", "option"),
    [
        ("swe_bench", "--repos"),
        ("deepresearch_bench", "--pages"),
        ("predictions", "--reports"),
    ],
)
def test_a_folder_that_is_not_there_is_wrong_use(kind, option, tmp_path):
    with pytest.raises(CommandError, match="no such") as stopped:
        run_json("import_sources", kind, FIXTURES / kind, option, tmp_path / "none")
    assert stopped.value.returncode == 2
    assert not Source.objects.exists()


@pytest.mark.parametrize("option", ["--repos", "--pages"])
def test_an_option_of_another_kind_is_wrong_use(option, tmp_path):
    with pytest.raises(CommandError, match=f"{option} is for .*, not for readme") as stopped:
        run_json("import_sources", "readme", FIXTURES / "readme", option, tmp_path)
    assert stopped.value.returncode == 2


def test_a_thread_that_grew_is_completed(tmp_path):
    folder = tmp_path / "issues"
    shutil.copytree(FIXTURES / "github_issues", folder)
    comments = folder / "comments_saltmap.json"
    kept = json.loads(comments.read_text())
    comments.write_text(json.dumps(kept[:1]))
    run_json("import_sources", "github_issues", folder)
    issue = Source.objects.get(external_id="brackwater/saltmap#4")
    assert [note["kind"] for note in issue.notes] == ["incomplete_thread"]
    comments.write_text(json.dumps(kept))
    assert run_json("import_sources", "github_issues", folder)["imported"] == 0
    issue.refresh_from_db()
    assert issue.notes == []
    assert issue.sections.filter(kind="comment").count() == 2


def test_counting_stores_nothing():
    result = run_json("count_sources", f"readme={FIXTURES / 'readme'}")
    (row,) = result["sources"]
    assert (row["kind"], row["read"], row["distinct"], row["forms"]) == (
        "readme",
        16,
        15,
        {"document": 15},
    )
    assert row["refused"] == {"no command in n fence (bibtex)": 1}
    assert not Source.objects.exists()


@pytest.mark.parametrize("source", ["readme", "readme=", "books=x", "readme=/none/there"])
def test_counting_what_is_no_source_is_wrong_use(source):
    with pytest.raises(CommandError) as stopped:
        run_json("count_sources", source)
    assert stopped.value.returncode == 2


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize(
    ("kind", "folder", "imported", "skipped", "refused"),
    [
        ("readme", "readmes", 11, 0, 3),
        ("github_issues", "github_issues", 29, 42, 0),
        ("swe_bench", "swe_bench_lite", 164, 2, 1),
        ("predictions", "openhands", 26, 0, 4),
        ("deepresearch_bench", "deepresearch_bench", 124, 0, 0),
        ("researchy_questions", "researchy_questions", 603, 10, 0),
    ],
)
def test_the_shared_documents_are_stored(kind, folder, imported, skipped, refused):
    result = run_json("import_sources", kind, DATA / folder)
    assert (result["imported"], result["skipped"]) == (imported, skipped)
    assert len(result["refused"]) == refused
    assert Source.objects.filter(form=SourceForm.DOCUMENT).count() == imported


COUNTED = [
    ("aptbench", "aptbench_official"),
    ("deepresearch_bench", "deepresearch_bench"),
    ("github_issues", "github_issues"),
    ("infodeepseek", "infodeepseek"),
    ("mini_swe_agent", "mini_swe_agent"),
    ("openhands", "openhands"),
    ("predictions", "mini_swe_agent"),
    ("predictions", "openhands"),
    ("predictions", "swe_agent_traj"),
    ("readme", "readmes"),
    ("researchy_questions", "researchy_questions"),
    ("swe_agent", "swe_agent_traj"),
    ("swe_bench", "swe_bench_lite"),
    ("swe_smith", "swe_smith_traj"),
]


@needs_shared
@pytest.mark.shared
def test_the_table_in_the_documentation_is_what_the_command_prints():
    out = StringIO()
    sources = [f"{kind}={DATA / folder}" for kind, folder in COUNTED]
    call_command("count_sources", *sources, "--verbosity", "0", stdout=out)
    page = (FIXTURES.parent / "docs" / "sources.md").read_text(encoding="utf-8")
    assert out.getvalue().strip() in page
