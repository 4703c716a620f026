"""The sample sources give every set-up and bug-fix question, with options that no check faults."""

import json
from hashlib import sha256

import pytest

from generation.core.registry import SUBTASKS
from generation.models import Candidate, Finding, Option, Revision, Source
from generation.services.checks import run_checks
from generation.services.documents import load_document
from generation.services.options import drafts_without_options, pool_of
from generation.services.setups import with_setup
from tests.commands import PROJECT, run_json

pytestmark = pytest.mark.django_db
FIXTURES = PROJECT / "fixtures"
MADE = {
    "env_setup_error": 14,
    "env_setup_plan": 15,
    "issue_fix_fix_patch": 12,
    "issue_fix_locate": 12,
    "issue_fix_test_patch": 12,
}
# Of the drafts' prompts and right answers: a change of a builder shows here.
GOLDEN = {
    "env_setup_error": "cc0999a4776fad1f",
    "env_setup_plan": "26d987ecaa836e58",
    "issue_fix_fix_patch": "8cfdbda72f91def7",
    "issue_fix_locate": "2b25cc68394c714d",
    "issue_fix_test_patch": "fe4a9d8eaa9e4154",
}


@pytest.fixture
def imported():
    run_json("import_sources", "readme", FIXTURES / "readme")
    run_json("import_sources", "github_issues", FIXTURES / "github_issues")
    run_json("import_sources", "predictions", FIXTURES / "predictions")
    repositories = FIXTURES / "swe_bench" / "repositories"
    run_json("import_sources", "swe_bench", FIXTURES / "swe_bench", "--repos", repositories)
    for name in MADE:
        run_json("build_candidates", "--subtask", name)


def digest_of(name: str) -> str:
    rows = Revision.objects.filter(candidate__subtask=name).order_by(
        "candidate__source__external_id", "candidate__cut"
    )
    drafts = [[row.slots, row.options.get().text] for row in rows]
    return sha256(json.dumps(drafts, sort_keys=True).encode()).hexdigest()[:16]


def test_every_sample_gives_its_questions_and_options_without_a_finding(imported):
    assert {name: digest_of(name) for name in MADE} == GOLDEN
    for name, least in MADE.items():
        run_json("generate_distractors", "--rules-only", "--subtask", name)
        with_options = Revision.objects.filter(candidate__subtask=name, options__position=3)
        assert with_options.count() == least, name
    assert run_checks().queued == sum(MADE.values())
    assert list(Finding.objects.values_list("kind", flat=True)) == []
    reasons = Option.objects.exclude(operator="gold").values_list("reason", flat=True)
    assert all(reasons)


def test_an_issue_is_shown_the_set_up_of_its_project(imported):
    known = Candidate.objects.get(source__external_id="skarrow/fleecegrade#3")
    setup = known.revisions.get().slots["setup_instruct"]
    assert setup.startswith("1. Get a copy of the repository fleecegrade with git\n")
    readme = Source.objects.get(external_id="skarrow/fleecegrade:README.md")
    assert with_setup(load_document(readme)) == load_document(readme)
    Source.objects.filter(kind="readme").update(language="zh")
    issue = load_document(Source.objects.get(external_id="skarrow/fleecegrade#3"))
    assert with_setup(issue) == issue


def test_a_draft_is_shown_the_failed_predictions_of_its_own_task_alone(imported):
    drafts = drafts_without_options(SUBTASKS["issue_fix_fix_patch"])
    for entry, _revision in pool_of(drafts).values():
        assert entry.document is not None
        assert len(entry.failed) == 6
        assert {failed.provenance.cluster for failed in entry.failed} == {entry.cluster}
