"""Every importer behaves alike where an input is no input."""

from dataclasses import replace
from typing import Any

import pytest

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.digest import content_digest
from generation.core.importers.errors import ImportInputError
from generation.core.records import Language, Note, Provenance, Refusal, Step, Success, Trajectory

# Their files are no JSON: a README of other content is refused, by its own tests.
OTHER_FILES = frozenset({"readme"})
# A folder's files are found by their names.
NAMES = {"deepresearch_bench": "query.jsonl", "predictions": "preds.jsonl"}
every_importer = pytest.mark.parametrize("importer", IMPORTERS.values(), ids=IMPORTERS)


@every_importer
def test_a_missing_path_is_an_error(importer, tmp_path):
    with pytest.raises(ImportInputError, match="no such file or folder"):
        list(importer.read(tmp_path / "none"))


@every_importer
def test_a_folder_without_a_file_of_the_kind_is_an_error(importer, tmp_path):
    (tmp_path / "notes.rst").write_text("nothing")
    with pytest.raises(ImportInputError, match=f"holds no file of kind {importer.kind}"):
        list(importer.read(tmp_path))


@pytest.mark.parametrize(
    "importer",
    [importer for kind, importer in IMPORTERS.items() if kind not in OTHER_FILES],
    ids=lambda importer: importer.kind,
)
@pytest.mark.parametrize("text", ["# A README\n", "5\n", '{"other": 1}\n', "\n"])
def test_a_file_of_another_kind_is_an_error_when_named_and_a_refusal_in_a_folder(
    importer, tmp_path, text
):
    folder = tmp_path / "data" / "env_setup" / "action"
    folder.mkdir(parents=True)
    path = folder / NAMES.get(importer.kind, "input_data.jsonl")
    path.write_text(text)
    with pytest.raises(ImportInputError, match=path.name):
        list(importer.read(path))
    (refusal,) = importer.read(tmp_path)
    assert isinstance(refusal, Refusal)
    assert str(path) in refusal.where


def run(**fields: Any) -> Trajectory:
    step = Step("Look.", "bash", {"command": "ls  -a"}, "ls  -a", "one\r\ntwo\r\n")
    made: dict[str, Any] = {
        "provenance": Provenance("swe_smith", "id", "task", "a.jsonl:1"),
        "language": Language.EN,
        "task": "Fix it.",
        "steps": (step,),
    }
    return Trajectory(**made | fields)


def test_a_digest_looks_past_provenance_line_ends_and_runs_of_blanks():
    step = Step("Look. ", "bash", {"command": "ls -a"}, "ls -a", "one\ntwo")
    other = run(
        provenance=Provenance("swe_smith", "x", "y", "b.traj:1"),
        steps=(step,),
        success=Success.CONFIRMED,
        notes=(Note("k", "w", "d"),),
        system="You fix code.",
    )
    assert content_digest(other) == content_digest(run())
    assert len(content_digest(other)) == 64


@pytest.mark.parametrize("field", ["thought", "tool", "action", "observation"])
def test_a_digest_sees_every_part_of_a_step(field):
    other: dict[str, Any] = {field: "else"}
    changed = replace(run().steps[0], **other)
    assert content_digest(run(steps=(changed,))) != content_digest(run())


def test_a_digest_sees_the_task_and_the_number_of_steps():
    assert content_digest(run(task="Break it.")) != content_digest(run())
    assert content_digest(run(steps=run().steps * 2)) != content_digest(run())
