"""``import_sources``: every file of its kinds is read, bad records are named, nothing comes twice."""

import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from generation.models import AuditEvent, Candidate, Option, Revision, Source, Step, Text
from tests.commands import run_json
from tests.shared_data import CASES, DATA, needs_shared

pytestmark = pytest.mark.django_db

SWE_SMITH = DATA / "swe_smith_traj"


@needs_shared
def test_raw_runs_give_the_resolved_one_and_refuse_the_other():
    result = run_json("import_sources", "swe_smith", SWE_SMITH / "trajectories")
    assert (result["read"], result["imported"], len(result["refused"])) == (2, 1, 1)
    assert "pr_53856" in result["refused"][0]["where"]
    assert "unresolved" in result["refused"][0]["why"]
    assert Step.objects.count() == 37


@needs_shared
def test_same_run_as_file_and_as_row_is_one():
    run_json("import_sources", "swe_smith", SWE_SMITH / "trajectories")
    result = run_json("import_sources", "swe_smith", SWE_SMITH / "derived_hf_like/tool.jsonl")
    assert (result["read"], result["imported"], result["skipped"]) == (3, 1, 1)
    assert len(result["refused"]) == 1


@needs_shared
def test_all_research_runs_are_imported_unconfirmed():
    result = run_json("import_sources", "infodeepseek", DATA / "infodeepseek")
    runs = Source.objects.filter(kind="infodeepseek")
    assert result["imported"] == 34
    assert sorted(runs.values_list("language", flat=True)) == ["en"] * 23 + ["zh"] * 11
    assert set(runs.values_list("success", flat=True)) == {"unconfirmed"}


@needs_shared
def test_all_official_rows_are_kept_repeated_ones_too():
    result = run_json("import_sources", "aptbench", DATA / "aptbench_official")
    assert (result["read"], result["imported"], result["refused"]) == (1686, 1686, [])
    assert Candidate.objects.count() == Revision.objects.count() == 1686
    assert Option.objects.exists()


@needs_shared
def test_second_import_takes_nothing():
    for kind, path in (
        ("swe_smith", SWE_SMITH / "trajectories"),
        ("infodeepseek", DATA / "infodeepseek"),
        ("aptbench", DATA / "aptbench_official"),
    ):
        first = run_json("import_sources", kind, path)
        again = run_json("import_sources", kind, path)
        assert (again["imported"], again["skipped"]) == (0, first["imported"])


@needs_shared
def test_imports_leave_an_event_for_each_source():
    run_json("import_sources", "infodeepseek", DATA / "infodeepseek")
    assert AuditEvent.objects.filter(action="source.imported").count() == 34


def rows_of_case(tmp_path, case_id: str):
    case = next(c for c in map(json.loads, CASES.read_text().splitlines()) if c["id"] == case_id)
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in case["input"]["rows"]))
    return path, case["expected"]


@needs_shared
def test_bad_rows_are_refused_by_line_and_the_rest_is_taken(tmp_path):
    path, expected = rows_of_case(tmp_path, "CB01")
    result = run_json("import_sources", "swe_smith", path)
    assert result["imported"] == expected["accepted"]
    assert [bad["where"].rpartition(":")[2] for bad in result["refused"]] == ["2", "3"]
    steps = Step.objects.select_related("observation").order_by("number")
    for step, wanted in zip(steps, expected["steps_of_row_1"], strict=True):
        assert (step.tool, step.action, step.thought) == (
            wanted["tool"],
            wanted["action"],
            wanted["thought"],
        )
        assert wanted["observation_contains"] in step.observation.body


@needs_shared
def test_strict_stops_at_the_first_bad_record(tmp_path):
    path, _expected = rows_of_case(tmp_path, "CB01")
    with pytest.raises(CommandError, match=r"rows\.jsonl:2") as stopped:
        run_json("import_sources", "swe_smith", path, "--strict")
    assert stopped.value.returncode == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "no such file"), ("", "no record"), ("hello\n", "JSON"), ('{"a": 1}\n', "x.jsonl")],
)
def test_unreadable_input_is_named(tmp_path, content, said):
    path = tmp_path / "x.jsonl"
    if content is not None:
        path.write_text(content)
    with pytest.raises(CommandError, match=said) as stopped:
        run_json("import_sources", "swe_smith", path)
    assert stopped.value.returncode == 2
    assert str(path) in str(stopped.value)
    assert not Source.objects.exists()


def hostile_row(observation: str) -> str:
    messages = [
        {"role": "system", "content": "You fix code."},
        {"role": "user", "content": "Task: <b>bold</b>"},
        {
            "role": "assistant",
            "content": "Look.",
            "tool_calls": [
                {
                    "id": "t1",
                    "type": "function",
                    "function": {"name": "bash", "arguments": '{"command": "ls"}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "t1", "content": observation},
    ]
    row = {"instance_id": "a.b.c", "traj_id": "a.b.c.1", "resolved": True, "messages": messages}
    return json.dumps(row) + "\n"


def test_hostile_text_is_stored_on_this_database(tmp_path):
    path = tmp_path / "rows.jsonl"
    observation = "<img src=x> \x1b[31mred\x1b[0m \x00nul \u202eevil\u202c {{ gold }} 文"
    path.write_text(hostile_row(observation))
    assert run_json("import_sources", "swe_smith", path)["imported"] == 1
    body = Step.objects.get().observation.body
    assert body == observation.replace("\x00", "␀")


def test_lone_surrogates_and_invalid_bytes_become_marks_with_a_note(tmp_path):
    path = tmp_path / "rows.jsonl"
    line = hostile_row("a\ud800b BYTES").encode("utf-8")
    path.write_bytes(line.replace(b"BYTES", b"ok \xff\xfe end"))
    assert run_json("import_sources", "swe_smith", path)["imported"] == 1
    assert Step.objects.get().observation.body == "a�b ok �� end"
    assert Source.objects.get().notes


def test_report_that_comes_later_confirms_an_imported_run(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(hostile_row("listing").replace('"resolved": true, ', ""))
    run_json("import_sources", "swe_smith", path)
    assert Source.objects.get().success == "unconfirmed"
    path.write_text(hostile_row("listing"))
    assert run_json("import_sources", "swe_smith", path)["skipped"] == 1
    assert Source.objects.get().success == "confirmed"
    assert AuditEvent.objects.filter(action="source.confirmed").count() == 1


def test_one_text_in_two_runs_is_stored_once(tmp_path):
    path = tmp_path / "rows.jsonl"
    second = hostile_row("the same listing").replace("a.b.c", "a.b.d").replace("Look", "See")
    path.write_text(hostile_row("the same listing") + second)
    assert run_json("import_sources", "swe_smith", path)["imported"] == 2
    assert Text.objects.filter(body="the same listing").count() == 1


def test_long_names_are_stored_on_this_database(tmp_path):
    path = tmp_path / "rows.jsonl"
    row = hostile_row("listing").replace("a.b.c.1", "t" * 190).replace('"bash"', f'"{"b" * 100}"')
    path.write_text(row.replace('"resolved"', f'"model": "{"m" * 190}", "resolved"'))
    assert run_json("import_sources", "swe_smith", path)["imported"] == 1
    assert len(Source.objects.get().external_id) >= 190
    assert len(Source.objects.get().model) == 190


@pytest.mark.parametrize("confirmed_first", [True, False])
def test_of_two_copies_in_one_file_the_one_with_a_report_wins(tmp_path, confirmed_first):
    path = tmp_path / "rows.jsonl"
    copies = [hostile_row("listing"), hostile_row("listing").replace('"resolved": true, ', "")]
    path.write_text("".join(copies if confirmed_first else reversed(copies)))
    result = run_json("import_sources", "swe_smith", path)
    assert (result["imported"], result["skipped"]) == (1, 1)
    assert Source.objects.get().success == "confirmed"


def test_bar_is_drawn_on_terminals_alone(tmp_path, capsys):
    path = tmp_path / "rows.jsonl"
    path.write_text(hostile_row("listing"))
    call_command("import_sources", "swe_smith", str(path))
    said = capsys.readouterr()
    assert (said.err, "1 imported" in said.out) == ("", True)
