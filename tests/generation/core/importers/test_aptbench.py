"""Official rows are kept one by one, as they are, with what is unclear about them said."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from generation.core.importers.aptbench import IMPORTER
from generation.core.importers.aptbench_tasks import OFFICIAL_ROWS, Answer
from generation.core.importers.digest import content_digest
from generation.core.importers.errors import ImportInputError
from generation.core.prompts import slot_names
from generation.core.records import Question, Refusal
from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat
from tests.shared_data import DATA, needs_shared

OFFICIAL = DATA / "aptbench_official"
STEP = {
    "planning": "Search.",
    "execution": {"name": "web_search", "args": {"text": "山"}},
    "observation": "found",
}
MESSAGES = [
    {"role": "system", "content": "You fix code."},
    {"role": "user", "content": [{"type": "text", "text": "Fix it."}]},
    {"role": "assistant", "thought": "List.", "action": "ls", "tool_calls": [
        {"id": "t", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}]},
    {"role": "tool", "tool_call_ids": ["t"], "content": "OBSERVATION:\na.py"},
    {"role": "assistant", "thought": "Run it."},
]  # fmt: skip


def records(path: Path, **options: Any) -> list[Any]:
    return list(IMPORTER.read(path, **options))


def write(tmp_path: Path, dataset: str, task: str, *rows: Any) -> Path:
    folder = tmp_path / "data" / dataset / task
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "input_data.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    return path


def choice(**fields: Any) -> dict[str, Any]:
    return {
        "uuid": "u1",
        "issue_statement": "Bug",
        "choices": "(A) x\n(B) y",
        "answer": "B",
    } | fields


def command(**fields: Any) -> dict[str, Any]:
    made = {"uuid": "u2", "execution_plan": "step1: Clone", "executed_cmds": "git clone u;cd u"}
    return made | {"cmd_prefix": "pip", "target_cmd": "pip install ."} | fields


def test_a_choice_row_becomes_a_question_with_its_place(tmp_path):
    path = write(tmp_path, "issue_fix", "locate", choice(), choice())
    first, second = records(path)
    assert (first.subtask, first.options, first.gold) == ("issue_fix_locate", ("x", "y"), ("B",))
    assert first.provenance.external_id == second.provenance.external_id == "u1"
    assert second.provenance.where == "data/issue_fix/locate/input_data.jsonl:2"
    assert first.raw == choice()
    assert content_digest(first) != content_digest(second)


def test_an_answer_without_an_option_is_kept(tmp_path):
    (question,) = records(write(tmp_path, "issue_fix", "locate", choice(answer="D")))
    assert (len(question.options), question.gold) == (2, ("D",))


def test_several_answers_are_several_labels(tmp_path):
    row = {"article": "a", "url_content": "p", "choices": "(A) x\n(B) y\n(C) z", "answer": "A, C"}
    (question,) = records(write(tmp_path, "deepresearch", "openend_citation_en", row))
    assert question.gold == ("A", "C")
    assert question.slots == {"article": "a", "page": "p"}


def test_executed_commands_are_listed_and_the_prefix_is_a_slot(tmp_path):
    (question,) = records(write(tmp_path, "env_setup", "action", command()))
    assert question.shown_actions == ("git clone u", "cd u")
    assert question.slots["command_prefix"] == "pip"
    assert question.slots["executed_commands"] == "git clone u;cd u"
    assert (question.gold, question.options) == (("pip install .",), ())


def test_an_unclear_join_of_commands_is_noted_and_both_readings_listed(tmp_path):
    row = command(executed_cmds="echo 'a;b';cd u")
    (question,) = records(write(tmp_path, "env_setup", "action", row))
    assert question.shown_actions == ("echo 'a;b'", "cd u", "echo 'a", "b'")
    assert [note.kind for note in question.notes] == ["ambiguous_command_join"]


def test_calls_of_a_research_row_are_shown_as_its_options_are_written(tmp_path):
    option = json.dumps({k: STEP[k] for k in ("planning", "execution")}, ensure_ascii=False)
    row = {"uuid": "u", "query": "多高？", "trajectory": json.dumps([STEP]), "query_answer": "9 米"}
    row |= {"choices": f"(A) {option}\n(B) x", "answer": "A", "tool_set": '(1) {"name": "w"}'}
    (question,) = records(write(tmp_path, "deepresearch", "plan_zh", row))
    assert question.shown_actions == (question.options[0],)
    assert question.slots["history"].endswith("Observation: found")
    assert question.slots["tools"] == "w()"
    assert question.reference_answer == "9 米"


def test_messages_give_task_history_and_the_thought_of_the_asked_step(tmp_path):
    row = {"uuid": "u", "trajs": json.dumps(MESSAGES), "answer": "python a.py"}
    (question,) = records(write(tmp_path, "issue_fix", "action", row))
    assert (question.slots["task"], question.slots["thought"]) == ("Fix it.", "Run it.")
    assert "Observation: a.py" in question.slots["history"]
    assert "Run it." not in question.slots["history"]
    assert question.shown_actions == ("ls",)


def test_a_history_of_plans_lists_the_plans(tmp_path):
    said = [MESSAGES[1], {"role": "assistant", "plan": "List."}, MESSAGES[3]]
    row = {"trajs": json.dumps(said), "choices": "(A) x\n(B) y", "answer": "A"}
    (question,) = records(write(tmp_path, "issue_fix", "plan", row))
    assert question.shown_actions == ("List.",)


def test_a_history_that_does_not_parse_is_shown_as_it_stands(tmp_path):
    row = {"query": "q", "trajectory": "[{", "answer": "a"}
    (question,) = records(write(tmp_path, "deepresearch", "summ_ans_en", row))
    assert question.slots["history"] == "[{"
    assert [note.kind for note in question.notes] == ["unparsed_history"]


def test_a_row_without_a_needed_field_is_refused_and_the_rest_is_kept(tmp_path):
    bad = choice()
    del bad["choices"]
    refusal, question = records(write(tmp_path, "issue_fix", "locate", bad, choice()))
    assert isinstance(refusal, Refusal)
    assert refusal.why == "field 'choices' is missing"
    assert refusal.where.endswith("locate/input_data.jsonl:1")
    assert isinstance(question, Question)


def test_a_folder_is_read_task_by_task_and_an_unknown_task_is_refused(tmp_path):
    write(tmp_path, "issue_fix", "locate", choice())
    write(tmp_path, "env_setup", "action", command())
    write(tmp_path, "env_setup", "dance", command())
    found = records(tmp_path)
    assert [type(each) for each in found] == [Question, Refusal, Question]
    assert "env_setup/dance is no official task" in found[1].why


def test_a_file_outside_the_layout_is_an_error(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(choice()))
    with pytest.raises(ImportInputError, match="is no official task"):
        records(path)


@pytest.mark.parametrize("subtask", [s for s in SUBTASKS.values() if s.official])
def test_the_layout_agrees_with_the_registry(subtask):
    rows = OFFICIAL_ROWS[(subtask.official.dataset, subtask.official.task)]
    formats = {
        Answer.LETTER: AnswerFormat.CHOICE,
        Answer.LETTERS: AnswerFormat.CHOICES,
        Answer.TEXT: AnswerFormat.COMPLETION,
    }
    assert (rows.subtask, rows.language) == (subtask.name, subtask.language)
    assert formats[rows.answer] is subtask.answer_format


@pytest.fixture(scope="module")
def official():
    return records(OFFICIAL)


@needs_shared
@pytest.mark.shared
def test_every_official_row_is_read_and_fills_its_prompt(official):
    assert Counter(question.subtask for question in official) == {
        "env_setup_action": 1084,
        "closed_answer_en": 212,
        "closed_plan_zh": 200,
        "issue_fix_locate": 140,
        "env_setup_error": 50,
    }
    for question in official:
        slots = set(slot_names(SUBTASKS[question.subtask].prompt.block)) - {"options"}
        assert slots <= set(question.slots)
    assert len({content_digest(question) for question in official}) == 1686


@needs_shared
@pytest.mark.shared
def test_the_official_faults_are_visible(official):
    actions = [question for question in official if question.subtask == "env_setup_action"]
    assert sum(question.gold[0] in question.shown_actions for question in actions) == 68
    locate = [question for question in official if question.subtask == "issue_fix_locate"]
    assert sum(ord(each.gold[0]) - 65 >= len(each.options) for each in locate) == 5
    noted = [note.kind for question in locate for note in question.notes]
    assert noted == ["ambiguous_choice_labels"] * 2
    plans = [question for question in official if question.subtask == "closed_plan_zh"]
    assert {len(question.options) for question in plans} == {6}
    for question in plans:
        right = question.options[ord(question.gold[0]) - 65]
        assert json.loads(right) == json.loads(question.raw["next_step"])


@needs_shared
@pytest.mark.shared
def test_the_raw_rows_are_the_rows_of_the_files(official):
    raw = [question.raw for question in official]
    files = sorted((OFFICIAL / "data").glob("*/*/input_data.jsonl"))
    lines = [line for file in files for line in file.read_text().split("\n") if line]
    assert raw == [json.loads(line) for line in lines]


@needs_shared
@pytest.mark.shared
def test_official_choices_can_be_made_again_from_the_options(official):
    separators = {"env_setup_error": " ", "issue_fix_locate": "\n", "closed_plan_zh": "\n"}
    for question in official:
        if question.options:
            parts = [f"({'ABCDEFG'[n]}) {text}" for n, text in enumerate(question.options)]
            assert separators[question.subtask].join(parts) == question.raw["choices"]


@pytest.mark.parametrize(
    ("field", "value"),
    [("answer", {"a": 1}), ("answer", True), ("issue_statement", 17), ("choices", ["(A) x"])],
)
def test_a_field_that_is_no_text_is_refused_by_name(tmp_path, field, value):
    path = write(tmp_path, "issue_fix", "locate", choice(), choice() | {field: value})
    (refused,) = [record for record in records(path) if isinstance(record, Refusal)]
    assert refused.where.endswith("input_data.jsonl:2")
    assert repr(field) in refused.why
