"""An instance of SWE-bench becomes a document: the issue is shown, the patches are future."""

import copy
import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.digest import content_digest
from generation.core.importers.errors import ImportInputError
from generation.core.records import Document, Refusal, Success
from tests.shared_data import DATA, needs_shared

SWE_BENCH = IMPORTERS["swe_bench"]
LITE = DATA / "swe_bench_lite"
PATCH = "diff --git a/kiln.py b/kiln.py\n--- a/kiln.py\n+++ b/kiln.py\n@@ -1 +1 @@\n-cold\n+hot\n"
TESTS = PATCH.replace("kiln.py", "test_kiln.py")


def instance(**fields: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "repo": "acme/kiln",
        "instance_id": "acme__kiln-7",
        "base_commit": "0a1b2c3d",
        "patch": PATCH,
        "test_patch": TESTS,
        "problem_statement": "It stays cold\r\n\r\nWhy?",
        "hints_text": "Say hot.",
        "created_at": "2024-01-02T03:04:05Z",
        "version": "1.0",
        "FAIL_TO_PASS": ["test_kiln.py::test_hot"],
        "PASS_TO_PASS": [],
    }
    return given | fields


def write(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def only(path: Path, **options: Any) -> Document:
    (document,) = SWE_BENCH.read(path, **options)
    assert isinstance(document, Document), document
    return document


def test_the_issue_is_shown_and_what_came_after_it_is_future(tmp_path):
    document = only(write(tmp_path / "a.jsonl", instance()))
    assert [(s.kind, s.is_future) for s in document.sections] == [
        ("problem", False),
        ("patch", True),
        ("test_patch", True),
        ("hints", True),
    ]
    assert document.title == "It stays cold"
    assert document.facts == {
        "repository": "acme/kiln",
        "base_commit": "0a1b2c3d",
        "version": "1.0",
        "created_at": "2024-01-02T03:04:05Z",
        "fail_to_pass": ["test_kiln.py::test_hot"],
    }
    assert (document.provenance.cluster, document.success) == ("acme__kiln-7", Success.CONFIRMED)


def test_one_instance_in_four_formats_is_one_content(tmp_path):
    row = instance(FAIL_TO_PASS='["test_kiln.py::test_hot"]', PASS_TO_PASS="[]")
    write(tmp_path / "a.jsonl", instance())
    (tmp_path / "b.json").write_text(json.dumps([row]))
    with (tmp_path / "c.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerow({key: value.replace("\r\n", "\n") for key, value in row.items()})
    table = {key: [value] for key, value in instance(PASS_TO_PASS=["x"]).items()}
    pq.write_table(pa.table(table), tmp_path / "d.parquet")
    found = [only(tmp_path / name) for name in ("a.jsonl", "b.json", "c.csv", "d.parquet")]
    assert len({content_digest(document) for document in found}) == 1
    assert [d.facts["fail_to_pass"] for d in found] == [["test_kiln.py::test_hot"]] * 4


def test_columns_of_short_text_are_kept_as_labels(tmp_path):
    document = only(write(tmp_path / "a.jsonl", instance(quality="good", long="x" * 300, score=3)))
    assert document.facts["labels"] == {"quality": "good"}


def test_files_at_the_base_commit_follow_where_there_are_clones(tmp_path):
    asked: list[tuple[str, str, str]] = []

    def file_at(repository: str, commit: str, path: str) -> bytes | None:
        asked.append((repository, commit, path))
        return b"cold\n" if path == "kiln.py" else None

    path = write(tmp_path / "a.jsonl", instance())
    document = only(path, file_at=file_at)
    assert asked == [("acme/kiln", "0a1b2c3d", name) for name in ("kiln.py", "test_kiln.py")]
    (section,) = document.of_kind("file")
    assert (section.title, section.text, section.is_future) == ("kiln.py", "cold\n", False)
    assert [(note.kind, note.where) for note in document.notes] == [("no_file", "test_kiln.py")]
    assert content_digest(document) == content_digest(only(path))


@pytest.mark.parametrize("commit", ["", "main", "--output=x", "0a1b2c3d; ls", "0a1b:../x"])
def test_only_a_commit_is_looked_up(tmp_path, commit):
    path = write(tmp_path / "a.jsonl", instance(base_commit=commit))
    document = only(path, file_at=lambda *_words: pytest.fail("looked up"))
    assert [note.where for note in document.notes] == ["base_commit"]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"instance_id": None}, "field 'instance_id' is missing"),
        ({"instance_id": 7}, "field 'instance_id' holds a number, not text"),
        ({"repo": "", "instance_id": "kiln"}, "field 'instance_id' is no owner__name-number"),
        ({"problem_statement": " "}, "field 'problem_statement' is empty"),
        ({"patch": "hot"}, "field 'patch' is no diff"),
        ({"patch": PATCH[:-5]}, "field 'patch': line 6: the hunk of line 4 breaks off"),
        ({"test_patch": ["x"]}, "field 'test_patch' holds a list, not text"),
        ({"FAIL_TO_PASS": "test_hot"}, "field 'FAIL_TO_PASS' is no list and no JSON text of one"),
        ({"PASS_TO_PASS": [1]}, r"field PASS_TO_PASS[0] holds a number, not text"),
        ({"PASS_TO_PASS": {"a": 1}}, "field 'PASS_TO_PASS' holds an object, not a list"),
    ],
)
def test_an_instance_that_lacks_something_is_refused_by_its_field(tmp_path, fields, why):
    path = write(tmp_path / "a.jsonl", instance(), instance(**fields))
    _first, refusal = SWE_BENCH.read(path)
    assert isinstance(refusal, Refusal)
    assert refusal.where == f"{path}:2"
    assert why in refusal.why


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"diff_url": "x", "number": 1}, "a pull request of the GitHub API, no instance"),
        ({"instance_id": "a__b-1", "model_patch": "x"}, "a prediction, no instance"),
        (instance(repo="swesmith/acme__kiln.0a1b2c3d"), "its patch plants the bug"),
        ({"instance_id": "a__b-1"}, "lacks 'problem_statement' or 'patch'"),
        ([1], "no object"),
    ],
)
def test_what_is_no_instance_says_what_it_is(tmp_path, row, why):
    with pytest.raises(ImportInputError, match=why):
        list(SWE_BENCH.read(write(tmp_path / "a.jsonl", row)))


SPOILT: tuple[Any, ...] = (None, 5, True, "[", "\ud800\x00", [5], [[]], {"a": [1]}, 1.5)


def test_no_spoilt_field_stops_the_import(tmp_path):
    path = tmp_path / "a.jsonl"
    for name in instance():
        for value in SPOILT:
            row = copy.deepcopy(instance())
            row[name] = value
            write(path, instance(instance_id="acme__kiln-1"), row)
            _good, found = SWE_BENCH.read(path)
            assert isinstance(found, Document | Refusal), (name, value)
            if isinstance(found, Document):
                content_digest(found)


@needs_shared
@pytest.mark.shared
def test_every_file_of_the_shared_data_gives_its_instances_or_the_reason():
    wanted = {
        "debug_20240322.json": 5,
        "swe-bench-dev-easy.json": 5,
        "swe-bench-dev-easy_first_only.json": 1,
        "swe-bench-lite-test.json": 5,
        "swebench_lite_classifications.csv": 150,
    }
    for name, count in wanted.items():
        found = list(SWE_BENCH.read(LITE / name))
        assert len(found) == count
        for document in found:
            assert isinstance(document, Document)
            assert document.provenance.licence != "unknown"
    with pytest.raises(ImportInputError, match="a pull request of the GitHub API"):
        list(SWE_BENCH.read(LITE / "pvlib.jsonl"))
    files = {p.name for p in LITE.iterdir() if p.suffix in {".json", ".jsonl", ".csv"}}
    assert files == {*wanted, "pvlib.jsonl"}
