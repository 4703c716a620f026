"""A prediction becomes a document of its patch; a report says whether it is a wrong one."""

import json
from pathlib import Path
from typing import Any

import pytest

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.errors import ImportInputError
from generation.core.importers.issue_runs import NO_DIFF
from generation.core.importers.predictions import NO_PATCH
from generation.core.records import Document, Refusal, Success
from tests.generation.core.importers.test_swe_bench import PATCH
from tests.shared_data import DATA, needs_shared

PREDICTIONS = IMPORTERS["predictions"]


def prediction(**fields: Any) -> dict[str, Any]:
    given = {"instance_id": "acme__kiln-7", "model_name_or_path": "m1", "model_patch": PATCH}
    return given | fields


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def only(path: Path) -> Document:
    (document,) = PREDICTIONS.read(path)
    assert isinstance(document, Document)
    return document


@pytest.mark.parametrize(
    "value",
    [
        prediction(),
        [prediction()],
        {"acme__kiln-7": {"model_name_or_path": "m1", "model_patch": PATCH}},
        {"acme__kiln-7": prediction()},
    ],
)
def test_a_prediction_in_each_form(tmp_path, value):
    document = only(write(tmp_path / "preds.json", value))
    assert document.provenance.external_id == "acme__kiln-7:m1"
    assert (document.provenance.cluster, document.provenance.model) == ("acme__kiln-7", "m1")
    assert [(s.kind, s.text, s.is_future) for s in document.sections] == [("patch", PATCH, True)]
    assert document.success is Success.UNCONFIRMED


@pytest.mark.parametrize(("resolved", "success"), [(True, "confirmed"), (False, "failed")])
def test_a_report_says_whether_it_resolved_its_instance(tmp_path, resolved, success):
    write(tmp_path / "run_evaluation" / "acme__kiln-7" / "report.json", {"resolved": resolved})
    assert only(write(tmp_path / "preds.json", [prediction()])).success == success


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"model_patch": ""}, NO_PATCH),
        ({"model_patch": None}, NO_PATCH),
        ({"model_patch": "flag{x}"}, NO_DIFF),
        ({"model_patch": PATCH + "\n" * 4_000_000}, "field 'model_patch' has 4000"),
        ({"model_patch": [PATCH]}, "field 'model_patch' holds a list"),
        ({"instance_id": ""}, "field 'instance_id' is empty"),
        ({"instance_id": "i" * 201}, "field 'instance_id' has 201 characters"),
        ({"model_name_or_path": 5}, "field 'model_name_or_path' holds a number"),
    ],
)
def test_a_prediction_that_is_none_is_refused_with_its_place(tmp_path, fields, why):
    path = write(tmp_path / "preds.json", [prediction(), prediction(**fields)])
    _first, refusal = PREDICTIONS.read(path)
    assert isinstance(refusal, Refusal)
    assert refusal.where == f"{path}:2"
    assert why in refusal.why


def test_a_cut_patch_is_kept_with_a_note(tmp_path):
    document = only(write(tmp_path / "preds.json", [prediction(model_patch=PATCH[:-5])]))
    assert [note.kind for note in document.notes] == ["broken_patch"]


@pytest.mark.parametrize("value", [{}, {"a": 1}, {"a": {"b": 1}}, [5], {"resolved": True}])
def test_other_json_is_an_error(tmp_path, value):
    with pytest.raises(ImportInputError, match="no 'model_patch'"):
        list(PREDICTIONS.read(write(tmp_path / "preds.json", value)))


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize(
    ("path", "documents", "refused"),
    [
        ("mini_swe_agent", 1, set()),
        ("openhands", 26, {NO_PATCH}),
        ("swe_agent_traj", 1, set()),
    ],
)
def test_the_predictions_of_the_shared_data(path, documents, refused):
    found = list(PREDICTIONS.read(DATA / path))
    assert sum(isinstance(each, Document) for each in found) == documents
    assert {each.why for each in found if isinstance(each, Refusal)} == refused
