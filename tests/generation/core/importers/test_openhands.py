"""OpenHands runs: events joined by cause, names mapped, failures refused, reports beside."""

import json
from pathlib import Path
from typing import Any

import pytest

from generation.core.importers.errors import ImportInputError
from generation.core.importers.issue_runs import NO_DIFF, UNRESOLVED
from generation.core.importers.openhands import IMPORTER
from generation.core.records import Refusal, Success

PATCH = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n"


def act(number: int, action: str, name: str = "", **args: Any) -> dict[str, Any]:
    """Return an action of the agent; ``name`` is the function whose call is recorded with it."""
    made = {"id": number, "source": "agent", "action": action, "args": args}
    if name:
        given = {key: value for key, value in args.items() if key != "thought"}
        function = {"name": name, "arguments": json.dumps(given)}
        call = {"id": f"t{number}", "type": "function", "function": function}
        message = {"role": "assistant", "content": args.get("thought"), "tool_calls": [call]}
        made["tool_call_metadata"] = {
            "function_name": name,
            "tool_call_id": f"t{number}",
            "model_response": {"choices": [{"message": message}]},
        }
    return made


def seen(number: int, cause: int | None, content: str, kind: str = "run") -> dict[str, Any]:
    made = {"id": number, "source": "environment", "observation": kind, "content": content}
    return made if cause is None else made | {"cause": cause}


def asked(content: str, number: int = 1) -> dict[str, Any]:
    args = {"content": content}
    return {"id": number, "source": "user", "action": "message", "args": args}


START = [
    act(0, "system", content="You fix code."),
    asked("Make x work."),
    {"id": 2, "source": "user", "action": "recall", "args": {"query": "Make x work."}},
    seen(4, 2, "Added workspace context", "recall"),
]
BODY = [
    act(5, "run", "execute_bash", command="ls", is_input="false", thought="Look."),
    seen(8, 5, "x"),
    act(
        9, "read", "str_replace_editor", command="view", path="/x", view_range=None, thought="Read."
    ),
    seen(10, 9, "1", "read"),
]
END = [
    act(20, "finish", "finish", final_thought="All is done.", task_completed="true", thought="Go.")
]


def row(*events: Any, **fields: Any) -> dict[str, Any]:
    return {
        "instance_id": "acme__tool-7",
        "instruction": "Make x work.",
        "test_result": {"git_patch": PATCH},
        "metadata": {"llm_config": {"model": "m", "api_key": "sk-secret"}},
        "history": [*START, *(events or BODY), *END],
        "metrics": {"accumulated_cost": 1.0},
        "error": None,
    } | fields


def records(path: Path) -> list[Any]:
    return list(IMPORTER.read(path))


def read(tmp_path: Path, *rows: Any, name: str = "output.jsonl") -> list[Any]:
    path = tmp_path / name
    path.write_text("".join(f"{json.dumps(each)}\n" for each in rows))
    return records(path)


def shown(found: Any) -> list[tuple[str, str, str, str]]:
    return [(step.thought, step.tool, step.action, step.observation) for step in found.steps]


def test_a_row_becomes_its_task_and_steps(tmp_path):
    (found,) = read(tmp_path, row())
    assert (found.task, found.system) == ("Make x work.", "You fix code.")
    assert shown(found) == [
        ("Look.", "bash", "ls", "x"),
        ("Read.", "str_replace_editor", "str_replace_editor view /x", "1"),
        ("Go.", "submit", "submit", ""),
    ]
    assert [dict(step.arguments) for step in found.steps] == [
        {"command": "ls"},
        {"command": "view", "path": "/x"},
        {},
    ]
    assert found.outcome.submission == PATCH
    assert found.outcome.final_answer == "All is done."
    assert found.success is Success.UNCONFIRMED
    assert found.provenance.cluster == "acme__tool-7"
    assert found.provenance.external_id == "acme__tool-7.m"
    assert found.notes == ()
    assert "sk-secret" not in repr(found)


def test_observations_are_joined_by_cause_and_not_by_their_place(tmp_path):
    first, second = act(5, "run", command="a"), act(7, "run", command="b")
    (found,) = read(tmp_path, row(first, second, seen(11, 7, "of b"), seen(30, 5, "of a")))
    assert [step.observation for step in found.steps] == ["of a", "of b", ""]


def test_an_observation_without_its_action_is_left_out_with_a_note(tmp_path):
    (found,) = read(tmp_path, row(*BODY, seen(15, 3, "whose?")))
    assert "whose?" not in repr(found.steps)
    (note,) = found.notes
    assert (note.kind, note.where) == ("observation_without_action", "event 9")


def test_an_error_without_cause_is_a_turn_without_a_call(tmp_path):
    (found,) = read(tmp_path, row(*BODY, seen(15, None, "No such parameter.", "error")))
    assert shown(found)[2] == ("", "", "", "No such parameter.")


def test_the_old_shape_of_pairs_gives_the_same_run(tmp_path):
    nothing = {"observation": "null", "content": "", "extras": {}}
    pairs = [
        [asked("Make x work."), nothing],
        [BODY[0], BODY[1] | {"cause": 99}],
        [BODY[2], BODY[3] | {"cause": -1}],
        [END[0], nothing],
    ]
    (found,) = read(tmp_path, row(history=pairs))
    assert shown(found) == shown(read(tmp_path, row())[0])


def test_a_bare_list_of_events_is_one_run(tmp_path):
    path = tmp_path / "basic.traj.json"
    path.write_text(json.dumps([*START, *BODY, *END], indent=1))
    (found,) = records(path)
    assert shown(found) == shown(read(tmp_path, row())[0])
    assert found.provenance.cluster == "make x work."
    assert (found.provenance.where, found.provenance.external_id) == ("basic.traj.json:1", "basic")
    assert found.outcome.submission == ""


@pytest.mark.parametrize(
    ("event", "tool", "action"),
    [
        (act(5, "run", command="ls", thought="x", is_input="false", cwd=None), "bash", "ls"),
        (
            act(5, "read", path="/x", start=0, end=-1, view_range=[1, 2], impl_source="aci"),
            "str_replace_editor",
            "str_replace_editor view /x --view_range 1 2",
        ),
        (
            act(5, "edit", command="create", path="/x", file_text="1", old_str=None, content=""),
            "str_replace_editor",
            "str_replace_editor create /x --file_text 1",
        ),
        (
            act(5, "edit", path="/x", content="1", start=1, end=-1, thought="t"),
            "edit",
            "edit --path /x --content 1 --start 1 --end -1",
        ),
        (act(5, "think", "think", thought="Why?"), "think", "think"),
        (
            act(5, "run", "execute_bash", command="C-c", is_input="true"),
            "execute_bash",
            "execute_bash --command C-c --is_input true",
        ),
        (act(5, "run_ipython", code="1 + 1"), "run_ipython", "run_ipython --code '1 + 1'"),
        (act(5, "message", content="Shall I?"), "", ""),
    ],
)
def test_each_action_has_its_tool_and_text(tmp_path, event, tool, action):
    (found,) = read(tmp_path, row(event))
    assert (found.steps[0].tool, found.steps[0].action) == (tool, action)


def test_a_thought_that_is_a_call_is_not_what_was_said_before_it(tmp_path):
    event = act(5, "think", "think", thought="Said.\nWhy?")
    message = event["tool_call_metadata"]["model_response"]["choices"][0]["message"]
    message["content"] = "Said."
    message["tool_calls"][0]["function"]["arguments"] = '{"thought": "Why?"}'
    (found,) = read(tmp_path, row(event, seen(6, 5, "Logged.", "think")))
    assert shown(found)[0] == ("Said.", "think", "think --thought 'Why?'", "Logged.")


def test_what_a_person_says_on_the_way_is_an_observation(tmp_path):
    (found,) = read(tmp_path, row(act(5, "message", content="Shall I?"), asked("Go on.", 6)))
    assert shown(found)[0] == ("Shall I?", "", "", "Go on.")
    assert found.task == "Make x work."


def test_a_run_with_an_error_is_refused_with_it(tmp_path):
    (refusal,) = read(tmp_path, row(error="RuntimeError: maximum\niteration"))
    assert refusal.why == "the run ended in an error: RuntimeError: maximum iteration"
    assert refusal.where == f"{tmp_path}/output.jsonl:1"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"history": "x"}, "field 'history' is no list of events"),
        ({"history": [*START, 5]}, "event 5 is neither an action nor an observation"),
        ({"history": START}, "no step"),
        ({"history": BODY, "instruction": ""}, "no task"),
        ({"history": [{"action": "run", "source": "agent"}]}, "event 1: no id"),
        ({"test_result": {"git_patch": "flag{found}"}}, NO_DIFF),
        ({"instance_id": "a__" * 90}, "the name of the instance has 272 characters"),
        ({"history": [*START, act(5, "x" * 101)]}, "step 1: the tool's name is over 100"),
        ({"success": False}, UNRESOLVED),
        ({"report": {"resolved": False}}, UNRESOLVED),
        ({"test_result": {"git_patch": PATCH, "report": {"resolved": False}}}, UNRESOLVED),
    ],
)
def test_a_refusal_says_why(tmp_path, fields, why):
    (refusal,) = read(tmp_path, row(**fields))
    assert isinstance(refusal, Refusal)
    assert why in refusal.why


def test_the_instruction_is_the_task_where_no_message_states_it(tmp_path):
    (found,) = read(tmp_path, row(history=BODY))
    assert found.task == "Make x work."


def test_what_an_older_finish_says_is_an_outcome(tmp_path):
    finish = act(9, "finish", outputs={"content": "All is done."})
    (found,) = read(tmp_path, row(history=[*START, *BODY, finish], instance_id=None))
    assert found.outcome.final_answer == "All is done."
    assert "All is done." not in repr(found.steps)
    assert (found.provenance.external_id, found.provenance.cluster) == ("output.m", "make x work.")


def test_an_agent_that_says_it_is_not_done_leaves_a_note(tmp_path):
    (found,) = read(
        tmp_path, row(history=[*START, *BODY, act(9, "finish", task_completed="partial")])
    )
    assert [(note.kind, note.where) for note in found.notes] == [("task_not_completed", "step 3")]


def test_a_row_of_the_resolver_is_named_by_its_issue_and_never_confirmed(tmp_path):
    fields = {"issue": {"owner": "acme", "repo": "tool", "number": 9}, "git_patch": PATCH}
    (found,) = read(tmp_path, row(instance_id=None, test_result=None, success=True, **fields))
    assert found.provenance.cluster == "acme__tool-9"
    assert found.outcome.submission == PATCH
    assert found.success is Success.UNCONFIRMED


@pytest.mark.parametrize(
    ("place", "report"),
    [
        ("report.json", {"resolved_ids": ["acme__tool-7"], "unresolved_ids": ["acme__tool-8"]}),
        ("report.json", {"acme__tool-7": {"resolved": True}, "acme__tool-8": {"resolved": False}}),
        ("eval_outputs/acme__tool-7/report.json", {"resolved": True}),
    ],
)
def test_a_report_beside_the_file_decides(tmp_path, place, report):
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report))
    first, second = read(tmp_path, row(), row(instance_id="acme__tool-8"))
    assert first.success is Success.CONFIRMED
    if "eval_outputs" in place:
        assert second.success is Success.UNCONFIRMED
    else:
        assert second.why == UNRESOLVED


def test_a_report_that_names_no_instance_is_of_the_folder_s_name(tmp_path):
    folder = tmp_path / "acme__tool-7"
    folder.mkdir()
    (folder / "report.json").write_text('{"resolved": true}')
    first, second = read(folder, row(), row(instance_id="acme__tool-8"))
    assert (first.success, second.success) == (Success.CONFIRMED, Success.UNCONFIRMED)


def test_predictions_are_no_run(tmp_path):
    path = tmp_path / "predictions.json"
    path.write_text('[{"instance_id": "a", "model_patch": "", "model_name_or_path": "m"}]')
    with pytest.raises(ImportInputError, match="a prediction, and no run of OpenHands"):
        records(path)
