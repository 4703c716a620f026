"""CB11: what goes out as JSON lines comes back the same, whichever way a reader splits lines."""

import json

import pytest

from generation.core.importers.streams import Parsed, json_lines
from review.core.canonical import json_line
from tests.cases.read import case
from tests.commands import run_json
from tests.shared_data import needs_shared

pytestmark = [needs_shared, pytest.mark.shared]


def rows_as_python_writes_them():
    """The case's rows, with the value that its row's name stands for: NaN, a lone surrogate."""
    for row in case("CB11")["input"]["rows"]:
        if row.pop("python_float_nan", False):
            row["score"] = float("nan")
        if escaped := row.pop("text_escaped_lone_surrogate", ""):
            row["text"] = json.loads(f'"{escaped}"')
        yield row


@pytest.fixture
def rows(tmp_path):
    """The rows as imported from a file that Python's own writer made."""
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows_as_python_writes_them()))
    return read(path)


def read(path):
    values = []
    for parsed in json_lines(path):
        assert isinstance(parsed, Parsed)
        values.append(parsed.value)
    return values


def refuse_constant(name):
    msg = f"{name} is no JSON"
    raise ValueError(msg)


def test_rows_written_as_lines_are_read_back_equal(rows, tmp_path):
    expected = case("CB11")["expected"]
    data = "".join(map(json_line, rows)).encode()
    assert data.count(b"\n") == expected["physical_lines"]
    pieces = data.removesuffix(b"\n").split(b"\n")
    assert len(pieces) == len(data.decode().splitlines()) == expected["physical_lines"]
    assert [json.loads(each, parse_constant=refuse_constant) for each in pieces] == rows
    assert rows[3] == {"id": "r4", "score": expected["r4.score"]}
    assert rows[4]["text"] == "\ufffdx"
    (tmp_path / "again.jsonl").write_bytes(data)
    assert read(tmp_path / "again.jsonl") == rows


@pytest.mark.django_db
def test_texts_survive_import_release_and_export(rows, tmp_path):
    folder = tmp_path / "data/issue_fix/locate"
    folder.mkdir(parents=True)
    texts = {row["id"]: row["text"] for row in rows if "text" in row}
    options = "".join(f"({label}) \nblock {label}\n" for label in "ABCD")
    questions = [
        {"uuid": name, "issue_statement": text, "choices": options, "answer": "B"}
        for name, text in texts.items()
    ]
    (folder / "input_data.jsonl").write_text("".join(map(json_line, questions)), encoding="utf-8")
    run_json("import_sources", "aptbench", tmp_path)
    run_json("freeze_release", "1.0", "--as-imported", "--shots", "0")
    run_json("export_benchmark", "1.0", "--out", tmp_path / "out")
    data = (tmp_path / "out/items/issue_fix_locate.jsonl").read_bytes()
    lines = data.decode().splitlines()
    assert len(lines) == data.count(b"\n") == len(texts)
    items = [json.loads(line, parse_constant=refuse_constant) for line in lines]
    shown = {item["source"]["id"]: item["prompt"] for item in items}
    assert set(shown) == set(texts)
    for name, text in texts.items():
        assert text.strip() in shown[name]
