"""Label Studio exports as ready-made questions: gold only where somebody vouched for it."""

import json
from typing import Any

import pytest

from generation.core.importers.digest import content_digest
from generation.core.importers.label_studio import IMPORTER, OURS
from generation.core.records import Note, PassedOver, Question, Refusal
from tests.commands import run_json

DATA = {
    "subtask": "issue_fix_plan",
    "task": "The kiln cools too fast.",
    "history": "[Step 1]\nAction: ls",
    "options": ["Fix it.", {"value": "Sell it."}, "Paint it.", "Wait."],
    "licence": "MIT",
}


def task(number: int = 1, **data: Any) -> dict[str, Any]:
    return {"id": number, "data": DATA | data, "annotations": [], "predictions": []}


def said(*labels: str, ground_truth: bool = True, name: str = "answer") -> dict[str, Any]:
    result = {"from_name": name, "type": "choices", "value": {"choices": list(labels)}}
    return {"ground_truth": ground_truth, "was_cancelled": False, "result": [result]}


def read(tmp_path, *tasks):
    path = tmp_path / "project-1.json"
    path.write_text(json.dumps(tasks), "utf-8")
    return list(IMPORTER.read(path))


def question(tmp_path, value) -> Question:
    (found,) = read(tmp_path, value)
    assert isinstance(found, Question), found
    return found


def test_a_task_becomes_the_question_that_its_data_names(tmp_path):
    found = question(tmp_path, task(gold="B"))
    assert found.subtask == "issue_fix_plan"
    assert found.slots == {"task": DATA["task"], "history": DATA["history"]}
    assert found.options == ("Fix it.", "Sell it.", "Paint it.", "Wait.")
    assert found.gold == ("B",)
    assert found.provenance.where == "task 1"
    assert found.provenance.licence == "MIT"
    assert found.provenance.cluster == "the kiln cools too fast."


@pytest.mark.parametrize("gold", ["B", ["B"], "Sell it.", " Sell it. "])
def test_gold_is_a_label_or_an_option_s_text(tmp_path, gold):
    assert question(tmp_path, task(gold=gold)).gold == ("B",)


def test_gold_is_the_ground_truth_and_never_what_one_annotator_or_a_model_said(tmp_path):
    value = task()
    value["annotations"] = [said("A", ground_truth=False), said("Paint it.")]
    value["predictions"] = [said("A")]
    found = question(tmp_path, value)
    assert found.gold == ("C",)
    detail = "1 not read: what a model says is no gold"
    assert found.notes == (Note("predictions_left_out", "predictions", detail),)


def test_a_completion_has_texts_as_gold(tmp_path):
    value = task(subtask="closed_answer_en", gold=["Telm", "the Telm"], options=None)
    found = question(tmp_path, value)
    assert (found.gold, found.options) == (("Telm", "the Telm"), ())


def test_json_min_is_read_too(tmp_path):
    record = DATA | {"id": 4, "gold": "A", "annotator": 1, "annotation_id": 9, "lead_time": 2.0}
    found = question(tmp_path, record)
    assert (found.gold, found.provenance.external_id) == (("A",), "4")


def test_exported_again_under_another_name_a_task_is_the_same(tmp_path):
    first = question(tmp_path, task(gold="B"))
    path = tmp_path / "project-1-later.json"
    later = task(gold="B") | {"annotations": [said("A", ground_truth=False)]}
    path.write_text(json.dumps([task(7, gold="A"), later]), "utf-8")
    _other, again = IMPORTER.read(path)
    assert isinstance(again, Question)
    assert content_digest(again) == content_digest(first)


def test_a_task_that_was_exported_from_here_is_passed_over(tmp_path):
    (found,) = read(tmp_path, task(key="issue_fix_plan/0f/3/1", option_texts=["a", "b"]))
    assert isinstance(found, PassedOver)
    assert found.why == OURS


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (task(gold="A", subtask="none"), "data.subtask"),
        (task(gold="A", subtask=None), "data.subtask"),
        (task(gold="A", language="zh"), "data.language"),
        (task(gold="A", task=None), "data.task"),
        (task(gold="A", history=5), "data.history"),
        (task(gold="A", options="A or B"), "data.options"),
        (task(gold="A", options=["one"]), "data.options"),
        (task(gold="A", options=["one", ""]), "data.options[1]"),
        (task(gold="A", options=["one", {"html": "x"}]), "data.options[1]"),
        (task(gold="E"), "data.gold"),
        (task(gold=5), "data.gold"),
        (task(gold=[]), "data.gold"),
        (task(gold="same", options=["same", "same"]), "data.gold"),
        (task(), "data.gold"),
        (task() | {"annotations": [said("A"), said("B")]}, "annotations"),
        (task() | {"annotations": [{"ground_truth": True, "result": []}]}, "annotations"),
    ],
)
def test_what_makes_no_question_is_refused_with_task_and_field(tmp_path, value, field):
    good = task(2, gold="A")
    refusal, found = read(tmp_path, value, good)
    assert isinstance(refusal, Refusal)
    assert isinstance(found, Question)
    assert refusal.where == f"{tmp_path / 'project-1.json'}:1: task 1"
    assert f"'{field}'" in refusal.why


@pytest.mark.django_db
def test_a_task_is_imported_once(tmp_path):
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task(1, gold="B"), task(2)]), "utf-8")
    result = run_json("import_sources", "label_studio", path)
    assert (result["read"], result["imported"], len(result["refused"])) == (2, 1, 1)
    again = run_json("import_sources", "label_studio", path)
    assert (again["imported"], again["skipped"]) == (0, 1)
