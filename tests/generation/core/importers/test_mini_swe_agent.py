"""mini-swe-agent runs: both shapes, and that neither patch nor keys reach a record's steps."""

import json
from pathlib import Path
from typing import Any

import pytest

from generation.core.importers.digest import content_digest
from generation.core.importers.errors import ImportInputError
from generation.core.importers.issue_runs import NO_DIFF, UNRESOLVED
from generation.core.importers.mini_swe_agent import IMPORTER
from generation.core.records import Refusal, Success

PATCH = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n"
SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff"
START = [
    {"role": "system", "content": "You use a shell."},
    {"role": "user", "content": "Solve: x."},
]


def fenced(thought: str, command: str, label: str = "mswea_bash_command") -> str:
    return f"THOUGHT: {thought}\n\n```{label}\n{command}\n```"


def old(label: str = "mswea_bash_command", printed: str = PATCH) -> list[dict[str, Any]]:
    return [
        *START,
        {"role": "assistant", "content": fenced("Look.", "ls", label)},
        {"role": "user", "content": "<returncode>0</returncode>\nx"},
        {"role": "assistant", "content": fenced("Done.", SUBMIT, label)},
        {"role": "user", "content": printed},
    ]


def new(*, calls: bool = False, **info: Any) -> dict[str, Any]:
    said = []
    for number, (thought, command) in enumerate((("Look.", "ls"), ("Done.", SUBMIT))):
        action = {"command": command} | ({"tool_call_id": f"c{number}"} if calls else {})
        content = f"THOUGHT: {thought}" if calls else fenced(thought, command)
        said.append({"role": "assistant", "content": content, "extra": {"actions": [action]}})
    answer: dict[str, Any] = {"role": "user", "content": "<returncode>0</returncode>\nx"}
    if calls:
        answer |= {"role": "tool", "tool_call_id": "c0"}
    ended = {"exit_status": "Submitted", "submission": PATCH} | info
    ending = {"role": "exit", "content": PATCH, "extra": ended}
    config = {"model": {"model_name": "m", "model_kwargs": {"api_key": "sk-secret"}}}
    return {
        "info": {"config": config, "mini_version": "2.4.6", **ended},
        "messages": [*START, said[0], answer, said[1], ending],
        "trajectory_format": "mini-swe-agent-1.1",
    }


def records(path: Path) -> list[Any]:
    return list(IMPORTER.read(path))


def read(tmp_path: Path, made: Any, name: str = "acme__tool-7.traj.json") -> list[Any]:
    path = tmp_path / name
    path.write_text(json.dumps(made))
    return records(path)


@pytest.mark.parametrize(
    "made", [old(), old("bash"), new(), new(calls=True)], ids=["old", "bash", "text", "calls"]
)
def test_every_shape_gives_the_same_steps(tmp_path, made):
    (found,) = read(tmp_path, made)
    assert (found.task, found.system) == ("Solve: x.", "You use a shell.")
    assert [(step.thought, step.tool, step.action, step.observation) for step in found.steps] == [
        ("Look.", "bash", "ls", "<returncode>0</returncode>\nx"),
        ("Done.", "bash", SUBMIT, ""),
    ]
    assert found.outcome.submission == PATCH
    assert found.success is Success.UNCONFIRMED
    assert found.provenance.cluster == "acme__tool-7"
    assert content_digest(found) == content_digest(read(tmp_path, old())[0])


def test_only_the_model_s_name_is_kept_of_the_configuration(tmp_path):
    (found,) = read(tmp_path, new())
    assert found.provenance.model == "m"
    assert found.provenance.external_id == "acme__tool-7.m"
    assert "sk-secret" not in repr(found)


def test_several_commands_of_a_turn_are_steps_with_their_own_answers(tmp_path):
    made = new(calls=True)
    made["messages"][2]["extra"]["actions"].append({"command": "pwd", "tool_call_id": "c9"})
    made["messages"].insert(3, {"role": "tool", "tool_call_id": "c9", "content": "/repo"})
    (found,) = read(tmp_path, made)
    shown = [(step.thought, step.action, step.observation) for step in found.steps[:2]]
    assert shown == [("Look.", "ls", "<returncode>0</returncode>\nx"), ("", "pwd", "/repo")]


def test_a_file_that_a_command_writes_may_hold_fences_and_a_message_with_two_commands_has_none(
    tmp_path,
):
    made = old()
    command = "cat > r.md <<'E'\ntext ```python\nE"
    made[2]["content"] = fenced("Write.", command)
    made[4]["content"] = fenced("One.", "ls") + "\n" + fenced("Two.", "pwd")
    (found,) = read(tmp_path, [*made, *old()[2:]])
    assert found.steps[0].action == command
    assert (found.steps[1].tool, found.steps[1].action) == ("", "")
    assert found.steps[1].thought.startswith("One.")


def test_a_run_that_a_limit_ended_is_refused(tmp_path):
    (refusal,) = read(tmp_path, new(exit_status="LimitsExceeded", submission=""))
    assert isinstance(refusal, Refusal)
    assert refusal.why == "the run ended with 'LimitsExceeded' and handed nothing in"


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (old(printed="flag{found}"), NO_DIFF),
        (START, "no step"),
        ([*START[:1], *old()[2:]], "no task"),
        ({"messages": "x"}, "messages is not valid JSON"),
        ({"messages": [*START, 5]}, "message 3 is no object"),
        ([*START, 5], "message 3 is no object"),
        ([*START, {"role": "assistant", "content": 5}], "message 3: field 'content'"),
    ],
)
def test_a_refusal_says_why(tmp_path, made, why):
    (refusal,) = read(tmp_path, made)
    assert isinstance(refusal, Refusal)
    assert why in refusal.why


def test_a_run_that_printed_nothing_at_the_end_is_kept_without_a_submission(tmp_path):
    (found,) = read(tmp_path, old(printed=""))
    assert found.outcome.submission == ""


@pytest.mark.parametrize(("resolved", "outcome"), [(True, Success.CONFIRMED), (False, UNRESOLVED)])
def test_a_report_decides(tmp_path, resolved, outcome):
    folder = tmp_path / "run_evaluation"
    folder.mkdir()
    key = "resolved_ids" if resolved else "unresolved_ids"
    (folder / "m.json").write_text(json.dumps({key: ["acme__tool-7"]}))
    (found,) = read(tmp_path, new())
    assert (found.success if resolved else found.why) == outcome


def test_runs_without_an_instance_share_their_task_s_text(tmp_path):
    (one,) = read(tmp_path, old(), name="local.traj.json")
    (other,) = read(tmp_path, new(), name="again.traj.json")
    assert one.provenance.cluster == other.provenance.cluster == "solve: x."


def test_lines_of_runs_are_read_one_by_one(tmp_path):
    path = tmp_path / "runs.jsonl"
    rows = [new() | {"instance_id": "a__b-1"}, old(), {"model_patch": ""}]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    first, second, refusal = records(path)
    assert first.provenance.cluster == "a__b-1"
    assert second.provenance.where == "runs.jsonl:2"
    assert refusal.why.startswith("a prediction, and no run of mini-swe-agent")


def test_a_list_of_messages_that_breaks_off_is_an_error_and_no_run(tmp_path):
    path = tmp_path / "a.traj.json"
    path.write_text(json.dumps(old())[:-20])
    with pytest.raises(ImportInputError, match="not valid JSON"):
        records(path)
