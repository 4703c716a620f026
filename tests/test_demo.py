"""The demo's whole way, run as a person runs it: on both databases, in two places of the world.

It holds the promise that a release is the same bytes wherever it is frozen and exported, and
that a second run is quick and loses nothing.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from generation.core.registry import SUBTASKS
from tests.commands import run_program
from tests.servers import Missing, postgresql, skip_or_fail

HERE = {"TZ": "Asia/Shanghai", "LC_ALL": "C", "PYTHONHASHSEED": "1", "APT_DEBUG": "1"}
THERE = {"TZ": "America/New_York", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2", "APT_DEBUG": "1"}

BUILT = {
    "closed_answer_en",
    "closed_answer_zh",
    "closed_plan_en",
    "closed_plan_zh",
    "env_setup_action",
    "env_setup_error",
    "env_setup_plan",
    "issue_fix_action",
    "issue_fix_fix_patch",
    "issue_fix_locate",
    "issue_fix_plan",
    "issue_fix_test_patch",
    "issue_fix_verify",
    "open_citation_en",
    "open_citation_zh",
    "open_plan_en",
    "open_report_en",
    "open_report_zh",
}
LIST_RELEASED = """
import json
from review.models import ReleaseItem
items = ReleaseItem.objects.select_related("revision__candidate__source")
rows = {"shot": [], "test": []}
for item in items.prefetch_related("revision__options"):
    rows[item.role].append({
        "subtask": item.subtask,
        "cluster": item.revision.candidate.source.cluster,
        "options": [option.text for option in item.revision.options.all()],
    })
print(json.dumps(rows))
"""


def load_demo(var_dir: Path, environment: dict[str, str]) -> dict[str, Any]:
    migrated = run_program(var_dir, "migrate", "--verbosity", "0", **environment)
    assert migrated.returncode == 0, migrated.stderr
    loaded = run_program(var_dir, "load_demo", **environment)
    assert loaded.returncode == 0, loaded.stderr
    summary: dict[str, Any] = json.loads(loaded.stdout.splitlines()[-1])
    return summary


def released(var_dir: Path, environment: dict[str, str]) -> dict[str, list[dict[str, Any]]]:
    """Return what the release holds, by role, as its database has it."""
    done = run_program(var_dir, "shell", "--verbosity", "0", "-c", LIST_RELEASED, **environment)
    assert done.returncode == 0, done.stderr
    rows: dict[str, list[dict[str, Any]]] = json.loads(done.stdout)
    return rows


def contents(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    var_dir = tmp_path_factory.mktemp("demo")
    environment = {**HERE, "DATABASE_URL": ""}
    return var_dir, environment, load_demo(var_dir, environment)


def test_summary_names_every_stage(demo):
    _var_dir, _environment, summary = demo
    assert list(summary) == [
        "sources",
        "candidates",
        "findings",
        "reviews",
        "release",
        "export_dir",
        "score",
    ]
    assert summary["reviews"] > 100
    assert summary["score"]["signature"].startswith("apt-annotate ")
    assert 0 < summary["score"]["averages"]["macro"] < 1


def test_every_built_subtask_has_items_and_worked_examples(demo):
    var_dir, environment, summary = demo
    export = Path(summary["export_dir"])
    assert export.is_relative_to(var_dir)
    manifest = json.loads((export / "manifest.json").read_text(encoding="utf-8"))
    assert set(manifest["counts"]) == BUILT
    rows = released(var_dir, environment)
    for name in BUILT:
        head = (export / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
        lines = (export / "items" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(lines) == sum(row["subtask"] == name for row in rows["test"]) >= 5
        assert not any(json.loads(line)["prompt"] in head for line in lines)
        shots = sum(row["subtask"] == name for row in rows["shot"])
        assert shots == SUBTASKS[name].shots > 0
    assert manifest["shots"] == max(SUBTASKS[name].shots for name in BUILT)


def test_examples_and_items_of_a_scenario_come_from_different_clusters(demo):
    var_dir, environment, _summary = demo
    rows = released(var_dir, environment)
    for scenario in {SUBTASKS[name].scenario for name in BUILT}:
        of_shots, of_items = (
            {row["cluster"] for row in rows[role] if SUBTASKS[row["subtask"]].scenario == scenario}
            for role in ("shot", "test")
        )
        assert of_shots
        assert of_items
        assert of_shots.isdisjoint(of_items)


def test_no_item_shares_an_option_with_an_example_of_its_subtask(demo):
    var_dir, environment, _summary = demo
    rows = released(var_dir, environment)
    compared = 0
    for name in BUILT:
        of_shots, of_items = (
            {text for row in rows[role] if row["subtask"] == name for text in row["options"]}
            for role in ("shot", "test")
        )
        assert of_shots.isdisjoint(of_items)
        compared += bool(of_shots and of_items)
    assert compared >= 2


def test_some_items_are_left_for_the_person_who_tries_it(demo):
    var_dir, environment, _summary = demo
    script = (
        "from generation.models import Candidate; "
        "print(Candidate.objects.filter(state='in_review').count())"
    )
    shell = run_program(var_dir, "shell", "--verbosity", "0", "-c", script, **environment)
    assert int(shell.stdout.split()[-1]) >= 5


def test_second_run_changes_nothing(demo):
    var_dir, environment, summary = demo
    before = contents(Path(summary["export_dir"]))
    assert load_demo(var_dir, environment) == summary
    assert contents(Path(summary["export_dir"])) == before


def test_release_frozen_on_postgresql_elsewhere_is_the_same_bytes(demo, tmp_path):
    _var_dir, _environment, summary = demo
    try:
        with postgresql() as url:
            other = load_demo(tmp_path, {**THERE, "DATABASE_URL": url})
    except Missing as missing:
        skip_or_fail(missing)
    assert contents(Path(other["export_dir"])) == contents(Path(summary["export_dir"]))


def test_export_twice_is_the_same_bytes(demo, tmp_path):
    var_dir, environment, summary = demo
    out = tmp_path / "again"
    elsewhere = environment | THERE
    done = run_program(var_dir, "export_benchmark", "demo-1", "--out", out, **elsewhere)
    assert done.returncode == 0, done.stderr
    assert contents(out) == contents(Path(summary["export_dir"]))


def test_scorer_inside_the_export_gives_the_same_numbers(demo, tmp_path):
    var_dir, environment, summary = demo
    export = Path(summary["export_dir"])
    predictions = export.with_name("demo-1-baseline.jsonl")
    moved = tmp_path / "moved"
    shutil.copytree(export, moved)
    alone = subprocess.run(
        [sys.executable, "-I", "-c", "import runpy, sys; sys.path.insert(0, '.'); "
         "sys.argv = ['scorer', *sys.argv[1:]]; runpy.run_module('scorer', run_name='__main__')",
         str(predictions), "--json"],
        cwd=moved, capture_output=True, text=True, check=True,
    )  # fmt: skip
    ours = run_program(
        var_dir,
        "score",
        *("--benchmark", export, "--predictions", predictions, "--json"),
        **environment,
    )
    assert json.loads(alone.stdout) == json.loads(ours.stdout)
    assert json.loads(ours.stdout)["averages"] == summary["score"]["averages"]


def test_changed_byte_makes_score_refuse(demo, tmp_path):
    var_dir, environment, summary = demo
    export = Path(summary["export_dir"])
    changed = tmp_path / "changed"
    shutil.copytree(export, changed)
    path = changed / "items/issue_fix_plan.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"gold":["A"]', b'"gold":["B"]', 1))
    done = run_program(
        var_dir,
        "score",
        *("--benchmark", changed, "--predictions", export.with_name("demo-1-baseline.jsonl")),
        **environment,
    )
    assert done.returncode == 1
    assert "items/issue_fix_plan.jsonl" in done.stderr
    assert "Traceback" not in done.stderr
