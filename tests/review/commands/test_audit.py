"""``manage.py audit``: its JSON, its words, its exit statuses."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from review.models import Release
from tests.commands import run_json
from tests.generation.services.uploading import FIXTURES
from tests.make import make_completion, make_revision, make_user, review_by
from tests.shared_data import DATA, needs_shared

pytestmark = pytest.mark.django_db


def words(*arguments):
    out = StringIO()
    call_command("audit", *arguments, verbosity=0, stdout=out)
    return out.getvalue()


def test_an_empty_database_has_nothing_to_audit():
    assert run_json("audit") == {
        "seed": 0,
        "release": None,
        "passes": True,
        "built": {},
        "imported": {},
        "operators": [],
    }
    assert words() == "No complete questions to audit\n"


def test_a_set_tells_each_attack_with_chance_interval_and_adjusted_p():
    for number in range(8):
        make_revision(options=(f"a long and winding plan {number}", "b", "c", "d"))
    found = run_json("audit", "--subtask", "issue_fix_plan")
    audit = found["built"]["issue_fix_plan"]
    longest = audit["attacks"]["longest"]
    assert (longest["accuracy"], longest["chance"], longest["n"]) == (1.0, 0.25, 8)
    assert 0.25 < longest["low"] < 1 == longest["high"]
    assert longest["p"] < longest["p_holm"] < 0.05
    assert not longest["within_chance"]
    assert audit["gate"]["verdict"] == "fails"
    assert audit["gate"]["reasons"][0].startswith("longest is right in 1.000 of 8 sets")
    assert audit["position"] is None
    assert found["passes"] is False


def test_few_questions_that_tell_nothing_are_not_said_to_pass():
    make_revision()
    audit = run_json("audit")["built"]["issue_fix_plan"]
    assert audit["gate"]["verdict"] == "too_few"
    assert "not enough to say: 1 sets" in audit["gate"]["reasons"][0]
    assert set(audit["left_out"]) == {"text_classifier", "text_classifier_reversed", "learned"}


def test_words_for_people():
    make_completion()
    review_by(make_user(), make_revision())
    shown = words()
    assert "issue_fix_action (built): 1 questions; no limit" in shown
    assert "most_frequent_gold          1.000" in shown
    assert "issue_fix_plan (built): 1 questions; too few" in shown
    assert "later_step: 3 options, 3 verdicts: also_correct 0.00" in shown


def test_the_same_seed_gives_the_same_bytes():
    for number in range(8):
        make_revision(options=[f"{word} {number}" for word in ("one", "two", "three", "four")])
    assert run_json("audit", "--seed", "4") == run_json("audit", "--seed", "4")


def test_an_unknown_subtask_or_release_is_wrong_use():
    with pytest.raises(CommandError, match="no subtask nosuch: there are") as caught:
        call_command("audit", "--subtask", "nosuch")
    assert caught.value.returncode == 2
    with pytest.raises(CommandError, match=r"no release 9\.9") as caught:
        call_command("audit", "--release", "9.9")
    assert caught.value.returncode == 2


@needs_shared
@pytest.mark.shared
def test_a_release_is_audited_in_its_order():
    folder = DATA / "aptbench_official" / "data" / "env_setup" / "error"
    run_json("import_sources", "aptbench", folder)
    run_json("freeze_release", "0.1", "--as-imported", "--subtasks", "env_setup_error")
    assert Release.objects.count() == 1
    audit = run_json("audit", "--release", "0.1")["imported"]["env_setup_error"]
    assert audit["attacks"]["step_consensus"]["accuracy"] == pytest.approx(0.95, abs=0.05)
    assert sum(audit["position"]["counts"]) == audit["n"] == 50
    assert json.dumps(audit, allow_nan=False)


def told(found, origin):
    """The numbers of all sets of one origin; those of rules that need what was done last left out."""
    return {
        name: audit | {"completions": audit["completions"].get("most_frequent_gold")}
        for name, audit in found[origin].items()
    }


def test_folder_of_an_export_gives_the_numbers_of_its_release(tmp_path):
    for number in range(12):
        verbs = ("Fix all the", "Sell", "Paint", "Watch over")
        options = [f"{verb} kilns of row {number}{'x' * (number % 3)}." for verb in verbs]
        revision = make_revision(options=options)
        written = make_completion(gold=f"cat part{number % 3}.py")
        for each in (revision, written):
            for _ in range(2):
                review_by(make_user(), each)
    why = ("--despite-audit", "A trial of the audit alone.")
    run_json("freeze_release", "1.0", "--shots", "1", *why)
    run_json("export_benchmark", "1.0", "--out", tmp_path / "out")
    whole = run_json("audit", "--release", "1.0", "--seed", "3")
    found = run_json("audit", "--input", tmp_path / "out", "--seed", "3")
    assert told(found, "built") == told(whole, "built")
    assert set(found["built"]) == {"issue_fix_plan", "issue_fix_action"}
    assert (found["imported"], found["operators"], found["passes"]) == ({}, [], False)
    only = run_json("audit", "--input", tmp_path / "out", "--subtask", "issue_fix_action")
    assert set(only["built"]) == {"issue_fix_action"}


def test_folder_in_the_official_layout_gives_the_numbers_of_its_rows_once_imported():
    folder = FIXTURES / "aptbench"
    found = run_json("audit", "--input", folder)
    run_json("import_sources", "aptbench", folder)
    assert found["imported"] == run_json("audit")["imported"]
    assert found["imported"]


@pytest.mark.parametrize("content", [None, "{", '{"format": "another"}'])
def test_folder_that_is_no_benchmark_is_wrong_use_and_named(tmp_path, content):
    if content:
        (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(CommandError, match=str(tmp_path)) as refused:
        call_command("audit", "--input", str(tmp_path), verbosity=0)
    assert refused.value.returncode == 2


def test_changed_export_is_refused(tmp_path):
    for number in range(4):
        revision = make_revision(options=[f"{verb} kiln {number}." for verb in ("Fix", "Sell")])
        for _ in range(2):
            review_by(make_user(), revision)
    run_json("freeze_release", "1.0", "--shots", "1")
    run_json("export_benchmark", "1.0", "--out", tmp_path / "out")
    path = tmp_path / "out" / "items" / "issue_fix_plan.jsonl"
    path.write_text(path.read_text().replace("Fix kiln", "Mend kiln"))
    with pytest.raises(CommandError, match=r"issue_fix_plan\.jsonl"):
        call_command("audit", "--input", str(tmp_path / "out"), verbosity=0)
