"""SWE-smith runs: what is taken, what is refused, and what never reaches a prompt."""

import base64
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from generation.core.importers.digest import content_digest
from generation.core.importers.errors import ImportInputError
from generation.core.importers.issue_runs import UNRESOLVED
from generation.core.importers.swe_smith import IMPORTER
from generation.core.importers.tool_calls import render_call, same_but_for_blanks
from generation.core.records import Refusal, Success, Trajectory
from tests.shared_data import CASES, DATA, needs_shared

ROWS = DATA / "swe_smith_traj"


def records(path: Path, **options: Any) -> list[Any]:
    return list(IMPORTER.read(path, **options))


def call(name: str, arguments: Any, identifier: str = "t1") -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": identifier, "type": "function", "function": function}


def messages(*extra: Any) -> list[Any]:
    return [
        {"role": "system", "content": "You fix code."},
        {"role": "user", "content": [{"type": "text", "text": "Make parse_len work."}]},
        {"role": "assistant", "content": "Look.", "tool_calls": [call("bash", {"command": "ls"})]},
        {"role": "tool", "tool_call_ids": ["t1"], "content": "OBSERVATION:\nlib\r\n"},
        *extra,
        {"role": "assistant", "content": "", "tool_calls": [call("submit", {}, "t9")]},
        {"role": "tool", "tool_call_id": "t9", "content": "--- a/x\n+++ b/x\n"},
    ]


def row(**fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "instance_id": "acme__len.1",
        "traj_id": "acme__len.1.x",
        "resolved": True,
    }
    return made | {"messages": json.dumps(messages())} | fields


def read(tmp_path: Path, *rows: Any, name: str = "rows.jsonl", **options: Any) -> list[Any]:
    path = tmp_path / name
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    return records(path, **options)


def test_a_row_becomes_its_task_and_steps(tmp_path):
    (run,) = read(tmp_path, row(model="m"))
    assert (run.task, run.system) == ("Make parse_len work.", "You fix code.")
    assert [(step.thought, step.tool, step.action) for step in run.steps] == [
        ("Look.", "bash", "ls"),
        ("", "submit", "submit"),
    ]
    assert run.steps[0].observation == "lib\r\n"
    assert run.success is Success.CONFIRMED
    assert run.provenance.cluster == "acme__len.1"
    assert run.provenance.external_id == "acme__len.1.x"
    assert run.provenance.where == "rows.jsonl:1"


def test_the_answer_of_the_last_submit_is_the_submission_and_no_observation(tmp_path):
    (run,) = read(tmp_path, row())
    assert run.steps[-1].observation == ""
    assert run.outcome.submission == "--- a/x\n+++ b/x\n"


def test_the_answer_of_an_earlier_submit_is_history(tmp_path):
    review = [
        {"role": "assistant", "content": "Done.", "tool_calls": [call("submit", {}, "t2")]},
        {"role": "tool", "tool_call_ids": ["t2"], "content": "Please check again."},
    ]
    (run,) = read(tmp_path, row(messages=messages(*review)))
    assert [step.observation for step in run.steps] == ["lib\r\n", "Please check again.", ""]


def test_calls_written_as_python_text_are_read(tmp_path):
    said = messages()
    said[2]["tool_calls"] = str(said[2]["tool_calls"])
    (run,) = read(tmp_path, row(messages=said))
    assert run.steps[0].arguments == {"command": "ls"}


def test_each_call_of_a_turn_is_a_step_with_its_own_answer(tmp_path):
    both = [call("bash", {"command": "a"}, "x"), call("bash", {"command": "b"}, "y")]
    extra = [
        {"role": "assistant", "content": "Both.", "tool_calls": both},
        {"role": "tool", "tool_call_ids": ["x"], "content": "one"},
        {"role": "tool", "tool_call_ids": ["y"], "content": "two"},
    ]
    (run,) = read(tmp_path, row(messages=messages(*extra)))
    shown = [(step.thought, step.action, step.observation) for step in run.steps[1:3]]
    assert shown == [("Both.", "a", "one"), ("", "b", "two")]


def test_a_worked_example_is_left_out_with_a_note(tmp_path):
    demo = {"role": "user", "content": "Another issue, solved.", "is_demo": True}
    said = messages()
    (run,) = read(tmp_path, row(messages=[said[0], demo, *said[1:]]))
    assert run.task == "Make parse_len work."
    assert [note.kind for note in run.notes] == ["demonstration_left_out"]


@pytest.mark.parametrize("resolved", [False, "false", "False"])
def test_an_unresolved_run_is_refused_for_that_reason(tmp_path, resolved):
    (refusal,) = read(tmp_path, row(resolved=resolved))
    assert refusal == Refusal(where=f"{tmp_path}/rows.jsonl:1", why=UNRESOLVED)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"messages": '[{"role": "user"'}, "messages is not valid JSON"),
        ({"messages": {"a": 1}}, "field 'messages' is no list"),
        ({"messages": ["x"]}, "message 1 is no object"),
        ({"messages": [{"role": "user", "content": 5}]}, "field 'content' is neither"),
        ({"messages": []}, "no step"),
        ({"messages": [{"role": "assistant", "content": "hi"}]}, "no task"),
        ({"patch": "flag{found}"}, "the submission is no diff"),
        ({"resolved": "perhaps"}, "field 'resolved'"),
        ({"instance_id": None}, "field 'instance_id' is missing"),
    ],
)
def test_a_bad_row_is_refused_with_its_field_and_the_rest_is_read(tmp_path, fields, why):
    bad, good = read(tmp_path, row(**fields), row())
    assert isinstance(bad, Refusal)
    assert bad.where.endswith("rows.jsonl:1")
    assert why in bad.why
    assert isinstance(good, Trajectory)


def traj(tmp_path: Path, **fields: Any) -> Path:
    folder = tmp_path / "trajectories" / "acme__len.1"
    folder.mkdir(parents=True)
    steps = [{"action": "ls", "messages": [{"role": "tool", "content": "FUTURE"}]}]
    document = {"environment": "acme__len.1", "history": messages(), "trajectory": steps}
    (folder / "acme__len.1.traj").write_text(json.dumps(document | fields, indent=1))
    return folder / "acme__len.1.traj"


def report(tmp_path: Path, place: str, content: Any) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def test_a_run_without_a_report_is_unconfirmed(tmp_path):
    (run,) = records(traj(tmp_path))
    assert run.success is Success.UNCONFIRMED


@pytest.mark.parametrize(
    ("place", "content"),
    [
        ("run_evaluation/acme__len.1/report.json", {"resolved": True}),
        ("trajectories/run_evaluation/acme__len.1/report.json", {"resolved": True}),
        ("run_evaluation/run/model/acme__len.1/report.json", {"acme__len.1": {"resolved": True}}),
        ("run_evaluation/report.json", {"ids_resolved": ["acme__len.1"]}),
        ("trajectories/acme__len.1/run_evaluation/all.json", {"acme__len.1": {"resolved": True}}),
    ],
)
def test_reports_are_found_beside_the_run_and_above_it(tmp_path, place, content):
    path = traj(tmp_path)
    report(tmp_path, place, content)
    (run,) = records(path)
    assert run.success is Success.CONFIRMED
    report(tmp_path, place, json.loads(json.dumps(content).replace("true", "false")))
    if "ids_resolved" in content:
        report(tmp_path, place, {"ids_unresolved": ["acme__len.1"]})
    (refusal,) = records(path)
    assert refusal.why == UNRESOLVED


def test_a_named_folder_of_reports_is_the_only_one(tmp_path):
    path = traj(tmp_path)
    report(tmp_path, "run_evaluation/acme__len.1/report.json", {"resolved": False})
    report(tmp_path, "mine/acme__len.1/report.json", {"resolved": True})
    (run,) = records(path, reports=tmp_path / "mine")
    assert run.success is Success.CONFIRMED
    with pytest.raises(ImportInputError, match="no such folder of reports"):
        records(path, reports=tmp_path / "none")


def test_reports_that_contradict_each_other_leave_a_run_unconfirmed(tmp_path):
    path = traj(tmp_path)
    report(tmp_path, "run_evaluation/one/acme__len.1/report.json", {"resolved": True})
    report(tmp_path, "run_evaluation/two/acme__len.1/report.json", {"resolved": False})
    (run,) = records(path)
    assert run.success is Success.UNCONFIRMED


def test_a_steps_own_messages_and_the_final_files_are_never_read(tmp_path):
    info = {"submission": "--- a/x\n+++ b/x\n", "edited_files30": "FUTURE", "exit_status": "done"}
    (run,) = records(traj(tmp_path, info=info))
    assert "FUTURE" not in repr(run)
    assert run.outcome.exit_status == "done"


def test_one_run_is_one_content_in_a_trajectory_file_and_in_a_row(tmp_path):
    (from_file,) = records(traj(tmp_path))
    (from_row,) = read(tmp_path, row())
    assert content_digest(from_file) == content_digest(from_row)


def test_a_file_of_another_kind_is_an_error_with_line_and_field(tmp_path):
    with pytest.raises(ImportInputError, match="neither 'history' nor 'messages'") as raised:
        read(tmp_path, {"question": "?"}, {"question": "?"})
    assert (raised.value.line, raised.value.field) == (1, "messages")


@needs_shared
@pytest.mark.shared
def test_of_the_real_runs_the_resolved_one_is_taken_and_the_other_refused():
    run, refusal = records(ROWS / "trajectories")
    assert (run.provenance.cluster, len(run.steps)) == ("pandas-dev__pandas.95280573.pr_53652", 37)
    assert run.success is Success.CONFIRMED
    assert run.provenance.model == "claude-3-7-sonnet-20250219"
    assert "pr_53856" in refusal.where
    assert refusal.why == UNRESOLVED


@needs_shared
@pytest.mark.shared
def test_rendering_a_real_call_gives_the_recorded_action_on_every_step():
    rendered = 0
    for path in sorted((ROWS / "trajectories").rglob("*.traj")):
        for message in json.loads(path.read_text())["history"]:
            for each in message.get("tool_calls") or []:
                arguments = json.loads(each["function"]["arguments"])
                text = render_call(each["function"]["name"], arguments)
                assert same_but_for_blanks(text, message["action"])
                rendered += 1
    assert rendered == 54


@needs_shared
@pytest.mark.shared
def test_one_real_run_is_one_content_in_all_five_forms():
    files = ["derived_hf_like", "ft_xml_example.jsonl", "trajectories"]
    runs = [run for file in files for run in records(ROWS / file)]
    digests: dict[str, set[str]] = {}
    forms: dict[str, int] = {}
    for run in runs:
        if isinstance(run, Trajectory):
            digests.setdefault(run.provenance.cluster, set()).add(content_digest(run))
            forms[run.provenance.cluster] = forms.get(run.provenance.cluster, 0) + 1
    assert forms["pandas-dev__pandas.95280573.pr_53652"] == 5
    assert forms["pydantic__pydantic.acb0f10f.pr_8316"] == 4
    assert all(len(each) == 1 for each in digests.values())
    assert len(set().union(*digests.values())) == len(digests) == 3


@needs_shared
@pytest.mark.shared
def test_case_cb01_takes_the_resolved_row_and_refuses_the_others_by_reason(tmp_path):
    cases = map(json.loads, CASES.read_text().splitlines())
    case = next(case for case in cases if case["id"] == "CB01")
    run, unresolved, broken = read(tmp_path, *case["input"]["rows"])
    expected = case["expected"]["steps_of_row_1"]
    for step, wanted in zip(run.steps, expected, strict=True):
        assert (step.tool, step.action) == (wanted["tool"], wanted["action"])
        assert step.thought == wanted["thought"]
        assert wanted["observation_contains"] in step.observation
    assert (unresolved.where[-2:], unresolved.why) == (":2", UNRESOLVED)
    assert broken.where.endswith(":3")
    assert broken.why.startswith("messages is not valid JSON")


@needs_shared
@pytest.mark.shared
def test_case_cb23_survives_as_it_was_printed(tmp_path):
    cases = map(json.loads, CASES.read_text().splitlines())
    case = next(case for case in cases if case["id"] == "CB23")["input"]
    said = messages()
    said[3]["content"] = case["observation"]
    (run,) = read(tmp_path, row(messages=said))
    assert run.steps[0].observation == case["observation"]
    raw = base64.b64decode(case["observation_bytes_base64"])
    line = json.dumps(row(messages=messages())).encode().replace(b"OBSERVATION:\\nlib\\r\\n", raw)
    (tmp_path / "b.jsonl").write_bytes(line)
    (run,) = records(tmp_path / "b.jsonl")
    assert run.steps[0].observation == raw.decode(errors="replace")
    assert run.notes[0].detail.startswith("invalid UTF-8 at byte 3")
    said[3]["content"] = "a\ud800b"
    (run,) = read(tmp_path, row(messages=json.dumps(said)))
    assert run.steps[0].observation == "a\ufffdb"
    assert run.notes[0].kind == "lone_surrogate"


def test_rows_of_a_parquet_file_are_those_of_its_json_lines(tmp_path):
    rows = [row(), row(instance_id="acme__tool.0a1b2c3d.x2", messages=json.dumps(messages()))]
    rows = [each | {"messages": json.dumps(messages())} for each in rows]
    lines = tmp_path / "a.jsonl"
    lines.write_text("".join(json.dumps(each) + "\n" for each in rows))
    table = {name: [each.get(name) for each in rows] for name in rows[0]}
    pq.write_table(pa.table(table), tmp_path / "a.parquet")
    from_table = records(tmp_path / "a.parquet")
    assert all(isinstance(each, Trajectory) for each in from_table)
    assert [content_digest(each) for each in from_table] == (
        [content_digest(each) for each in records(lines)]
    )
