"""``run_checks``: what it finds in the official rows, and how it moves candidates on."""

import json
from collections import Counter, defaultdict

import pytest
from django.core.management.base import CommandError

from generation.models import AuditEvent, Candidate, CandidateState, Finding
from tests.commands import PROJECT, run_json
from tests.shared_data import DATA, needs_shared

pytestmark = pytest.mark.django_db

# Rows flagged, as counted on the public files: subtask and kind -> items.
OFFICIAL = {
    ("env_setup_action", "target_already_executed"): 68,
    ("env_setup_action", "gold_not_shell"): 21,
    ("env_setup_action", "gold_is_command_fragment"): 35,
    ("env_setup_action", "placeholder_in_gold"): 25,
    ("closed_answer_en", "duplicate_row"): 51,
    ("issue_fix_locate", "answer_out_of_range"): 5,
    ("issue_fix_locate", "gold_fully_covered_by_distractors"): 119,
    ("issue_fix_locate", "ambiguous_choice_labels"): 2,
    ("closed_plan_zh", "distractor_violates_tool_schema"): 145,
}


@needs_shared
def test_official_rows_show_the_counted_faults(tmp_path):
    run_json("import_sources", "aptbench", DATA / "aptbench_official")
    out = tmp_path / "findings.jsonl"
    result = run_json("run_checks", "--out", out)
    assert result["revisions"] == 1686
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    keys = ["external_id", "subtask", "kind", "severity", "field", "evidence"]
    assert all(list(line) == keys for line in lines)
    rows: Counter[tuple[str, str]] = Counter()
    flagged = Finding.objects.values_list("revision__candidate__subtask", "kind", "revision")
    rows.update((subtask, kind) for subtask, kind, _revision in set(flagged))
    assert {key: rows[key] for key in OFFICIAL} == OFFICIAL


def import_samples():
    run_json("import_sources", "swe_smith", PROJECT / "fixtures/swe_smith")
    run_json("build_candidates", "--subtask", "issue_fix_action", "--limit", "20")


def test_built_drafts_go_to_review_and_imported_rows_wait_for_a_lead():
    import_samples()
    run_json("import_sources", "aptbench", PROJECT / "fixtures/aptbench")
    run_json("run_checks")
    states = defaultdict(set)
    for is_built, state in Candidate.objects.values_list("cut", "state"):
        states[is_built > 0].add(state)
    assert states == {True: {CandidateState.IN_REVIEW}, False: {CandidateState.CHECKED}}


def test_imported_rows_go_to_review_when_asked():
    run_json("import_sources", "aptbench", PROJECT / "fixtures/aptbench")
    first = run_json("run_checks")
    assert (first["queued"], first["waiting"]) == (0, 19)
    again = run_json("run_checks", "--queue-imported")
    assert (again["queued"], again["waiting"]) == (19, 0)
    assert set(Candidate.objects.values_list("state", flat=True)) == {CandidateState.IN_REVIEW}


@pytest.mark.parametrize("name", ["x" * 300, "nowhere/findings.jsonl"])
def test_place_that_can_not_be_written_is_refused_before_the_work(tmp_path, name):
    with pytest.raises(CommandError, match=r"too long|No such file") as stopped:
        run_json("run_checks", "--out", tmp_path / name)
    assert stopped.value.returncode == 2


def test_checking_again_changes_nothing():
    import_samples()
    first = run_json("run_checks")
    findings = set(Finding.objects.values_list("pk", "digest"))
    events = AuditEvent.objects.count()
    again = run_json("run_checks")
    assert again["findings"] == first["findings"]
    assert again["queued"] == 0
    assert set(Finding.objects.values_list("pk", "digest")) == findings
    assert AuditEvent.objects.count() == events


def test_choice_drafts_without_distractors_stay_drafts():
    run_json("import_sources", "swe_smith", PROJECT / "fixtures/swe_smith")
    run_json("build_candidates", "--subtask", "issue_fix_plan", "--limit", "3")
    assert run_json("run_checks")["revisions"] == 0
    assert set(Candidate.objects.values_list("state", flat=True)) == {CandidateState.DRAFT}


def test_existing_file_is_not_overwritten(tmp_path):
    out = tmp_path / "findings.jsonl"
    out.write_text("precious")
    with pytest.raises(CommandError, match="never overwritten") as stopped:
        run_json("run_checks", "--out", out)
    assert stopped.value.returncode == 2
    assert out.read_text() == "precious"
