"""SWE-agent's .traj files: every way of writing a call, and what never reaches a prompt."""

import json
from pathlib import Path
from typing import Any

import pytest

from generation.core.importers.errors import ImportInputError
from generation.core.importers.issue_runs import NO_DIFF, UNRESOLVED
from generation.core.importers.swe_agent import IMPORTER
from generation.core.importers.tool_calls import TOOLS
from generation.core.records import Refusal, Success

PATCH = "\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n"
STATE = "\n(Open file: /repo/x)\n(Current directory: /repo)\nbash-$"


def said(content: str, **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **fields}


def seen(content: str, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **fields}


TICKS = [
    {"role": "system", "content": "You fix code.", "agent": "primary"},
    seen("Another issue, solved.", is_demo=True),
    seen("Make x work."),
    said("Open it.\n\n```\nopen x 3\n```", thought="Open it.\n", action="open x 3\n"),
    seen("[File: x]\r\n1:1" + STATE),
    said("Change it.", thought="Change it.", action="edit 1:1\n2\nend_of_edit\n"),
    seen("Edited." + STATE),
    said("Hand in.", thought="Hand in.", action="submit\n"),
]
STATES = ['{"open_file": "x", "working_dir": "/repo"}\n', {"open_file": "x", "working_dir": "/"}]


def steps(state: Any = STATES[0], **first: Any) -> list[dict[str, Any]]:
    made = [
        {"thought": "Open it.", "action": "open x 3\n", "observation": "[File: x]\r\n1:1"},
        {"thought": "Change it.", "action": "edit 1:1\n2\nend_of_edit\n", "observation": "Edited."},
        {"thought": "Hand in.", "action": "submit\n", "observation": PATCH},
    ]
    made = [{**step, "response": "", "state": state} for step in made]
    return [made[0] | first, *made[1:]]


def run(**fields: Any) -> dict[str, Any]:
    made = {
        "environment": "swe_main",
        "trajectory": steps(),
        "history": TICKS,
        "info": {"exit_status": "submitted", "submission": PATCH, "edited_files30": "future"},
    }
    made |= fields
    return {name: value for name, value in made.items() if value is not None}


def records(path: Path) -> list[Any]:
    return list(IMPORTER.read(path))


def read(tmp_path: Path, made: Any, name: str = "acme__tool-7.traj") -> list[Any]:
    path = tmp_path / name
    path.write_text(json.dumps(made, indent=1))
    return records(path)


def test_a_run_in_ticks_becomes_its_task_and_steps(tmp_path):
    (found,) = read(tmp_path, run())
    assert (found.task, found.system) == ("Make x work.", "You fix code.")
    assert [(step.thought, step.tool, step.action) for step in found.steps] == [
        ("Open it.", "open", "open x 3"),
        ("Change it.", "edit", "edit 1:1\n2\nend_of_edit"),
        ("Hand in.", "submit", "submit"),
    ]
    assert found.steps[0].observation == "[File: x]\r\n1:1" + STATE
    assert found.outcome.submission == PATCH
    assert found.success is Success.UNCONFIRMED
    assert found.tools == ()
    assert [note.kind for note in found.notes] == ["demonstration_left_out"]
    provenance = found.provenance
    assert (provenance.cluster, provenance.licence) == ("acme__tool-7", "MIT")
    assert provenance.where == "acme__tool-7.traj:1"


def test_nothing_of_the_outcome_is_in_the_steps(tmp_path):
    (found,) = read(tmp_path, run())
    assert all("diff --git" not in step.observation for step in found.steps)
    assert "future" not in repr(found)


@pytest.mark.parametrize("state", STATES)
def test_a_state_may_be_text_or_an_object(tmp_path, state):
    (found,) = read(tmp_path, run(trajectory=steps(state)))
    assert len(found.steps) == 3


def test_a_call_in_tags_is_read(tmp_path):
    history = [
        *TICKS[:3],
        said("DISCUSSION\nLook.\n<command>\nls <command> -a\n</command>"),
        seen("x"),
        said("Hand in.\n<command>\nsubmit\n</command>"),
    ]
    (found,) = read(tmp_path, run(history=history, trajectory=None))
    assert [(step.thought, step.tool, step.action) for step in found.steps] == [
        ("Look.", "bash", "ls <command> -a"),
        ("Hand in.", "submit", "submit"),
    ]


def test_a_call_in_ticks_is_read_where_no_action_is_recorded(tmp_path):
    history = [*TICKS[:3], said("Open it.\n\n```\nopen x 3\n```"), seen("1"), TICKS[-1]]
    (found,) = read(tmp_path, run(history=history, trajectory=None))
    assert (found.steps[0].tool, found.steps[0].action) == ("open", "open x 3")


def call(name: str, identifier: str, **arguments: Any) -> list[Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return [{"id": identifier, "type": "function", "function": function}]


def test_a_structured_call_of_another_tool_set_keeps_its_recorded_action(tmp_path):
    history = [
        *TICKS[:3],
        said("Open.", action='open "x" 3', tool_calls=call("open", "a", path="x", line_number=3)),
        {"role": "tool", "content": "1", "tool_call_ids": ["a"]},
        said("Done.", action="submit", tool_calls=call("submit", "b")),
        {"role": "tool", "content": PATCH + STATE, "tool_call_ids": ["b"]},
    ]
    (found,) = read(tmp_path, {"history": history})
    first = found.steps[0]
    assert (first.tool, first.action) == ("open", 'open "x" 3')
    assert first.arguments == {"path": "x", "line_number": 3}
    assert found.steps[-1].observation == ""
    assert found.outcome.submission == PATCH


def test_a_run_with_the_three_known_tools_declares_them(tmp_path):
    history = [*TICKS[:3], said("Look.", action="ls"), seen("x"), TICKS[-1]]
    (found,) = read(tmp_path, run(history=history, trajectory=None))
    assert found.tools == TOOLS


@pytest.mark.parametrize("kept", [3, 5, 7])
def test_steps_that_the_history_breaks_off_before_come_from_the_trajectory(tmp_path, kept):
    (found,) = read(tmp_path, run(history=TICKS[:kept]))
    (whole,) = read(tmp_path, run())
    assert [step.action for step in found.steps] == [step.action for step in whole.steps]
    assert found.steps[-1].observation == ""
    assert "steps_from_trajectory" in {note.kind for note in found.notes}


def test_a_history_that_differs_from_the_trajectory_is_not_added_to(tmp_path):
    other = [*TICKS[:3], said("Look.", thought="Look.", action="ls"), seen("x")]
    (found,) = read(tmp_path, run(history=other))
    assert [step.action for step in found.steps] == ["ls"]


ANSWERED = [*TICKS[:3], said("Open it.", action="open x 3"), seen("[File: x]")]


@pytest.mark.parametrize("first", [{"query": TICKS[:3]}, {"messages": ANSWERED}])
@pytest.mark.parametrize("indent", [None, 1])
def test_without_history_the_task_is_what_the_first_step_was_asked(tmp_path, first, indent):
    path = tmp_path / "acme__tool-7.traj"
    path.write_text(json.dumps(run(history=None, trajectory=steps(**first)), indent=indent))
    (found,) = records(path)
    assert (found.task, found.system) == ("Make x work.", "You fix code.")
    assert [step.tool for step in found.steps] == ["open", "edit", "submit"]
    assert found.steps[0].observation == "[File: x]\r\n1:1"


def test_a_later_line_never_takes_the_task_of_the_first(tmp_path):
    path = tmp_path / "runs.jsonl"
    rows = [run(history=None, trajectory=steps(query=TICKS[:3])), run(history=None)]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    first, second = records(path)
    assert first.task == "Make x work."
    assert "no task" in second.why


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"info": {"exit_status": "submitted", "submission": "flag{found}"}}, NO_DIFF),
        (
            {"info": {"exit_status": "exit_cost"}, "history": TICKS[:7], "trajectory": None},
            "the run ended with 'exit_cost' and handed nothing in",
        ),
        ({"history": TICKS[:3], "trajectory": None}, "no step"),
        ({"history": TICKS[3:], "trajectory": None}, "no task"),
        ({"history": None}, "no task"),
        ({"history": {"a": 1}}, "field 'history' is no list"),
        ({"history": [5]}, "message 1 is no object"),
        ({"history": None, "trajectory": ["x"]}, "field 'trajectory': step 1 is no object"),
    ],
)
def test_a_refusal_says_why(tmp_path, fields, why):
    (refusal,) = read(tmp_path, run(**fields))
    assert isinstance(refusal, Refusal)
    assert why in refusal.why
    assert refusal.where == f"{tmp_path}/acme__tool-7.traj:1"


def test_a_limit_after_which_a_patch_was_handed_in_is_no_failure(tmp_path):
    info = {"exit_status": "submitted (exit_cost)", "submission": PATCH}
    (found,) = read(tmp_path, run(info=info))
    assert found.outcome.exit_status == "submitted (exit_cost)"
    assert found.success is Success.UNCONFIRMED


def report(tmp_path: Path, *, resolved: bool) -> None:
    folder = tmp_path / "run_evaluation" / "acme__tool-7"
    folder.mkdir(parents=True)
    (folder / "report.json").write_text(json.dumps({"acme__tool-7": {"resolved": resolved}}))


def test_a_report_confirms_a_run(tmp_path):
    report(tmp_path, resolved=True)
    (found,) = read(tmp_path, run())
    assert found.success is Success.CONFIRMED


def test_a_report_refuses_a_run(tmp_path):
    report(tmp_path, resolved=False)
    (refusal,) = read(tmp_path, run())
    assert refusal.why == UNRESOLVED


@pytest.mark.parametrize("config", [dict, json.dumps])
def test_the_configuration_names_instance_and_model(tmp_path, config):
    told = {"agent": {"model": {"name": "m"}}, "problem_statement": {"id": "acme__tool-i9"}}
    (found,) = read(tmp_path, run(environment="main", replay_config=config(told)))
    assert found.provenance.cluster == "acme__tool-i9"
    assert found.provenance.external_id == "acme__tool-i9.m"


def test_a_name_that_tells_no_task_leaves_the_task_to_the_text(tmp_path):
    (found,) = read(tmp_path, run(), name="trace.traj")
    assert found.provenance.cluster == "make x work."
    assert found.provenance.external_id == "trace"


def test_predictions_are_no_run(tmp_path):
    path = tmp_path / "all_preds.jsonl"
    path.write_text('{"instance_id": "a", "model_patch": "", "model_name_or_path": "m"}\n')
    with pytest.raises(ImportInputError, match="a prediction, and no run of SWE-agent"):
        records(path)
