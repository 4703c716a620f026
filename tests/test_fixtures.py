"""The sample sources: they can be recorded again, and are what they say they are."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fixtures.recorder.bugfix import FOLDERS, TASKS
from fixtures.recorder.evaluation import apply, evaluate
from fixtures.recorder.instances import record as instances
from fixtures.recorder.official import record as official
from fixtures.recorder.research import record as research
from fixtures.recorder.script import Rollout, Task
from fixtures.recorder.trajectory import play, render_action
from fixtures.recorder.workspace import opened
from generation.core.importers.catalogue import IMPORTERS
from generation.core.records import Refusal

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
RUNS = [(task, rollout) for task in TASKS for rollout in task.rollouts]
RECORDED = sorted(
    path
    for pattern in ("*.traj", "*.json", "*.jsonl")
    for path in FIXTURES.rglob(pattern)
    if "recorder" not in path.parts
)

every_run = pytest.mark.parametrize(
    ("task", "rollout"), RUNS, ids=lambda part: getattr(part, "instance_id", None) or part.model
)


def recorded_run(task: Task, rollout: Rollout) -> dict[str, Any]:
    name = task.instance_id
    return read(folder_of(rollout) / "trajectories" / name / f"{name}.traj")


def recorded_report(task: Task, rollout: Rollout) -> dict[str, Any]:
    return read(folder_of(rollout) / "run_evaluation" / task.instance_id / "report.json")


def folder_of(rollout: Rollout) -> Path:
    return FIXTURES / "swe_smith" / FOLDERS[rollout.model]


def read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def rows_of(path: str) -> list[dict[str, Any]]:
    lines = (FIXTURES / path).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@every_run
def test_a_run_prints_the_same_when_it_is_played_again(task, rollout):
    observations, submission = play(task, rollout.turns)
    recorded = recorded_run(task, rollout)
    assert observations == [step["observation"] for step in recorded["trajectory"]]
    assert submission == recorded["info"]["submission"]


@pytest.mark.parametrize("name", ["spanparse.a91d07b4.pr_21", "tideline.7719ab3d.pr_3"])
def test_a_report_says_what_the_hidden_tests_say(name):
    task = next(task for task in TASKS if task.instance_id.endswith(name))
    for rollout in task.rollouts:
        submission = recorded_run(task, rollout)["info"]["submission"]
        verdict = evaluate(task, submission)
        expected = verdict.report(model=rollout.model, patch=submission)
        assert recorded_report(task, rollout) == expected


@every_run
def test_a_submission_applies_to_the_project_and_changes_no_test(task, rollout):
    submission = recorded_run(task, rollout)["info"]["submission"]
    with opened(task) as workspace:
        apply(workspace, submission)
        assert workspace.difference() == submission
    changed = re.findall(r"^diff --git a/(\S+) b/", submission, re.MULTILINE)
    assert changed
    assert all(path.startswith(f"{task.repository}/") for path in changed)


@every_run
def test_the_files_hold_the_script_of_the_run(task, rollout):
    steps = recorded_run(task, rollout)["trajectory"]
    assert [step["thought"] for step in steps] == [turn.thought for turn in rollout.turns]
    assert [step["action"] for step in steps] == [render_action(turn) for turn in rollout.turns]


@every_run
def test_history_and_trajectory_tell_the_same(task, rollout):
    run = recorded_run(task, rollout)
    turns = run["history"][2:]
    assert [message["role"] for message in run["history"][:2]] == ["system", "user"]
    for step, said, heard in zip(run["trajectory"], turns[::2], turns[1::2], strict=True):
        assert said["action"] == step["action"]
        call = said["tool_calls"][0]
        assert call["function"]["name"] == step["action"].split()[0] or (
            json.loads(call["function"]["arguments"]) == {"command": step["action"]}
        )
        assert heard["tool_call_ids"] == [call["id"]]
        assert step["observation"] in heard["content"][0]["text"]


def test_one_run_is_unresolved_and_its_report_names_the_failing_tests():
    unresolved = [
        recorded_report(task, rollout)
        for task, rollout in RUNS
        if not recorded_report(task, rollout)["resolved"]
    ]
    assert len(unresolved) == 1
    assert unresolved[0]["tests_status"]["FAIL_TO_PASS"]["failure"]


def test_no_two_steps_have_the_same_thought():
    thoughts = Counter(turn.thought for _, rollout in RUNS for turn in rollout.turns)
    assert [thought for thought, count in thoughts.items() if count > 1] == []


def test_the_research_runs_and_rows_are_written_the_same_again(tmp_path):
    list(research.record(tmp_path / "infodeepseek"))
    list(official.record(tmp_path / "aptbench"))
    written = [path.relative_to(tmp_path) for path in tmp_path.rglob("*.jsonl")]
    assert len(written) == 7
    for path in written:
        assert (tmp_path / path).read_bytes() == (FIXTURES / path).read_bytes(), path


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_reference_answer_was_printed_during_the_run(language):
    for run in rows_of(f"infodeepseek/trajectories_{language}.jsonl"):
        printed = " ".join(step.get("observation", "") for step in run["trajectory"])
        assert run["reference_answer"] in printed, run["query"]


def test_a_page_is_opened_only_after_a_search_printed_its_address_or_as_the_first_step():
    for language in ("en", "zh"):
        for run in rows_of(f"infodeepseek/trajectories_{language}.jsonl"):
            printed = ""
            for number, step in enumerate(run["trajectory"]):
                url = step["execution"]["args"].get("url")
                assert url is None or number == 0 or f"url: {url}\n" in printed + "\n", run["query"]
                printed += "\n" + step.get("observation", "") + "\n"


def test_the_official_rows_hold_one_of_each_planted_fault():
    commands = rows_of("aptbench/data/env_setup/action/input_data.jsonl")
    executed = [row for row in commands if row["target_cmd"] in row["executed_cmds"].split(";")]
    fragments = [row for row in commands if row["target_cmd"].count("'") % 2]
    located = rows_of("aptbench/data/issue_fix/locate/input_data.jsonl")
    unlabelled = [row for row in located if f"({row['answer']}) " not in row["choices"]]
    plans = rows_of("aptbench/data/deepresearch/plan_zh/input_data.jsonl")
    misused = [row for row in plans if '"web_search", "args": {"url"' in row["choices"]]
    answers = rows_of("aptbench/data/deepresearch/summ_ans_en/input_data.jsonl")
    repeats = len(answers) - len({json.dumps(row) for row in answers})
    assert [len(executed), len(fragments), len(unlabelled), len(misused), repeats] == [1] * 5


@pytest.mark.parametrize("kind", ["swe_smith", "infodeepseek", "aptbench"])
def test_everything_is_imported_but_the_unresolved_run(kind):
    refusals = [
        found for found in IMPORTERS[kind].read(FIXTURES / kind) if isinstance(found, Refusal)
    ]
    assert len(refusals) == (1 if kind == "swe_smith" else 0)
    assert all("unresolved" in refusal.why for refusal in refusals)


def test_no_file_names_the_machine_it_was_recorded_on():
    assert RECORDED
    for path in RECORDED:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"/(?:root|home|Users|tmp|work|var)/|recorder-", text), path


def test_the_fixtures_are_small():
    files = [path for path in FIXTURES.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert sum(path.stat().st_size for path in files) < 3_000_000


def test_instances_and_what_was_tried_on_them_come_out_the_same_again(tmp_path):
    some = instances.INSTANCES[::5]
    assert len(list(instances.record(tmp_path, some))) == len(some)
    again = [path for path in tmp_path.rglob("*") if path.is_file()]
    for path in again:
        kept = FIXTURES / path.relative_to(tmp_path)
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines
        assert set(lines) <= set(kept.read_text(encoding="utf-8").splitlines())
    assert {path.name for path in again} >= {"quayside.jsonl", "preds.jsonl", "report.json"}
