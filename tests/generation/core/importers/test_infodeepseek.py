"""InfoDeepSeek runs, as rows and as its own agent writes them."""

import json
from pathlib import Path
from typing import Any

import pytest

from generation.core.importers.errors import ImportInputError
from generation.core.importers.infodeepseek import IMPORTER
from generation.core.importers.research_steps import read_tools
from generation.core.records import Language, Refusal, Success, Trajectory
from tests.shared_data import DATA, needs_shared

SEARCH = {
    "planning": "Find the height.",
    "execution": {"name": "web_search", "args": {"text": "height 高さ"}},
    "observation": "title: Peak",
}
FINISH = {"planning": "Known.", "execution": {"name": "task_complete", "args": {}}}
TOOL_SET = (
    '\n  (1) {"name": "web_search", "description": "Search. ", "parameters": {"type": "object", '
    '"properties": {"text": {"type": "str", "description": "Query."}}}, "required": ["text"]}'
    '\n  (2) {"name": "task_complete", "parameters": {"properties": {}}, "required": []}\n'
)


def records(path: Path, **options: Any) -> list[Any]:
    return list(IMPORTER.read(path, **options))


def row(**fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "traj_id": 3,
        "source": "ids_gemini-2.5_lang_ddg",
        "lang": "en",
        "query": "How high?",
    }
    answers = {"reference_answer": "1,555 metres", "agent_short_answer": "1555"}
    return made | answers | {"tool_set": TOOL_SET, "trajectory": [SEARCH, FINISH]} | fields


def read(tmp_path: Path, *rows: Any, name: str = "runs.jsonl") -> list[Any]:
    path = tmp_path / name
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    return records(path)


def test_a_row_becomes_a_run_with_its_answers(tmp_path):
    (run,) = read(tmp_path, row())
    first = run.steps[0]
    assert (first.thought, first.tool, first.observation) == (
        "Find the height.",
        "web_search",
        "title: Peak",
    )
    assert first.action == '{"name":"web_search","args":{"text":"height 高さ"}}'
    assert [step.tool for step in run.steps] == ["web_search", "task_complete"]
    assert (run.outcome.final_answer, run.outcome.reference_answer) == ("1555", "1,555 metres")
    assert run.success is Success.UNCONFIRMED
    assert run.provenance.licence == "CC-BY-NC-4.0"
    assert run.provenance.external_id == "en:ids_gemini-2.5_lang_ddg:3"
    assert run.provenance.model == "gemini-2.5"


def test_the_numbered_tool_set_becomes_tools():
    search, finish = read_tools(TOOL_SET)
    assert (search.name, search.description) == ("web_search", "Search.")
    assert (search.arguments, search.required) == ({"text": "Query."}, ("text",))
    assert (finish.name, finish.arguments, finish.required) == ("task_complete", {}, ())


@pytest.mark.parametrize("tool_set", [None, "", "nothing", "(1) {broken", "(1) 5", 7])
def test_what_declares_no_tool_gives_none(tool_set):
    assert read_tools(tool_set) == ()


def test_a_trajectory_written_as_text_is_the_same(tmp_path):
    (one,) = read(tmp_path, row())
    (other,) = read(tmp_path, row(trajectory=json.dumps([SEARCH, FINISH])))
    assert one == other


def test_a_terminate_step_ends_a_run_that_has_none(tmp_path):
    (added,) = read(tmp_path, row(trajectory=[SEARCH], terminate_step=FINISH))
    assert [step.tool for step in added.steps] == ["web_search", "task_complete"]
    (there,) = read(tmp_path, row(terminate_step=FINISH))
    assert len(there.steps) == 2


def test_queries_that_differ_in_case_and_blanks_are_one_task(tmp_path):
    one, other = read(tmp_path, row(), row(query=" how  HIGH? ", traj_id=4))
    assert one.provenance.cluster == other.provenance.cluster


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"query": ""}, "field 'query'"),
        ({"trajectory": []}, "no step"),
        ({"trajectory": "[{"}, "trajectory is not valid JSON"),
        ({"trajectory": [{"planning": "x"}]}, "trajectory[0]: field 'execution'"),
        ({"trajectory": [{"execution": {"name": "x", "args": 5}}]}, "field 'args'"),
    ],
)
def test_a_bad_run_is_refused_with_its_field_and_the_rest_is_read(tmp_path, fields, why):
    bad, good = read(tmp_path, row(**fields), row())
    assert isinstance(bad, Refusal)
    assert why in bad.why
    assert isinstance(good, Trajectory)


def native(**result: Any) -> dict[str, Any]:
    record = {"id": 7, "query_en": "How high?", "query_zh": "多高？", "answer_zh": "1555 米"}
    return record | {"result": {"id": "test", "response": "1555"} | result}


def test_the_agents_own_output_gives_its_steps_from_the_last_prompt_that_shows_them(tmp_path):
    tasks = [
        {
            "task_name": "搜索",
            "command": {"name": "web_search", "args": {"text": "高"}},
            "result": "r1",
        },
        {
            "task_name": "再搜",
            "command": {"name": "web_search", "args": {"text": "山"}},
            "result": "r2",
        },
    ]
    prompts = [
        {"prompt": f"* Complete tasks: {json.dumps(tasks[:1])}\nGo on.", "response": "[]"},
        {"prompt": f"* Complete tasks: {json.dumps(tasks)}\nGo on.", "response": "[]"},
        {"prompt": "* Complete tasks: [{cut", "response": "[]"},
    ]
    name = "queries_result_zh_gpt-4o_5_5_wotool_False_ddg.jsonl"
    (run,) = read(tmp_path, native(full_llm_prompt_responses=prompts), name=name)
    assert [(step.thought, step.observation) for step in run.steps] == [
        ("搜索", "r1"),
        ("再搜", "r2"),
    ]
    assert (run.task, run.language, run.provenance.model) == ("多高？", Language.ZH, "gpt-4o")
    assert (run.outcome.final_answer, run.outcome.reference_answer) == ("1555", "1555 米")


def test_the_agents_own_output_without_steps_or_language_is_refused(tmp_path):
    name = "queries_result_en_gpt-4o_5_5_wotool_False_ddg.jsonl"
    (without_steps,) = read(tmp_path, native(), name=name)
    assert without_steps.why.startswith("no list of complete tasks")
    (without_language,) = read(tmp_path, native())
    assert "field 'lang' is missing" in without_language.why


def test_questions_are_not_runs(tmp_path):
    with pytest.raises(ImportInputError, match="kind aptbench"):
        read(tmp_path, row(choices="(A) x"))


@needs_shared
@pytest.mark.shared
def test_the_real_runs_are_23_in_english_and_11_in_chinese():
    folder = DATA / "infodeepseek"
    for language, count in ((Language.EN, 23), (Language.ZH, 11)):
        runs = records(folder / f"trajectories_{language}.jsonl")
        assert [type(run) for run in runs] == [Trajectory] * count
        assert all(run.language is language for run in runs)
        assert all(len(run.tools) == 3 and run.outcome.reference_answer for run in runs)
        assert len({run.provenance.external_id for run in runs}) == count
    found = records(folder)
    assert sum(isinstance(each, Trajectory) for each in found) == 34
    assert [each.why[:10] for each in found if isinstance(each, Refusal)] == ["a question"]
