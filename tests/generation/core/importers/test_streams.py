"""Bytes of a file become JSON values with their place, whatever the bytes are."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.importers.errors import ImportInputError
from generation.core.importers.streams import (
    NotJsonError,
    Parsed,
    Unparsed,
    json_lines,
    json_values,
    parse_json,
    values_under,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def values_of(path: Path, **options: Any) -> list[Any]:
    return list(json_values(path, **options))


def lines_of(path: Path, **options: Any) -> list[Any]:
    return list(json_lines(path, **options))


def write(tmp_path: Path, name: str, data: bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


def test_lines_keep_their_numbers_over_blank_lines_crlf_and_a_byte_order_mark(tmp_path):
    path = write(tmp_path, "a.jsonl", b'\xef\xbb\xbf{"a":1}\r\n\r\n  \n{"b":2}')
    assert list(json_lines(path)) == [Parsed(1, {"a": 1}), Parsed(4, {"b": 2})]


def test_a_bad_line_is_reported_and_the_lines_after_it_are_read(tmp_path):
    path = write(tmp_path, "a.jsonl", b'{"a":1}\n{"a":\n{"a":3}\n')
    first, bad, last = lines_of(path)
    assert (first.value, last.value) == ({"a": 1}, {"a": 3})
    assert isinstance(bad, Unparsed)
    assert bad.number == 2
    assert bad.why.startswith("not valid JSON")


def test_a_line_over_the_limit_is_named_and_skipped(tmp_path):
    path = write(tmp_path, "a.jsonl", b'"' + b"x" * 200_000 + b'"\n{"a":1}\n')
    long, after = json_lines(path, max_line_bytes=1000)
    assert long == Unparsed(1, "line longer than 1000 bytes")
    assert after == Parsed(2, {"a": 1})


def test_a_line_of_exactly_the_limit_is_read(tmp_path):
    path = write(tmp_path, "a.jsonl", b'"12345"\n"12345"')
    assert [each.value for each in lines_of(path, max_line_bytes=7)] == ["12345", "12345"]


def test_invalid_bytes_become_replacement_characters_with_a_note_of_the_first():
    value, notes = parse_json(b'{"o": "ok \xff\xfe\xe2( end"}')
    assert value == {"o": "ok \ufffd\ufffd\ufffd( end"}
    assert [(note.where, note.detail) for note in notes] == [
        ("o", "invalid UTF-8 at byte 3 (3 replaced)")
    ]


def test_the_byte_of_a_note_counts_characters_before_it_in_utf8():
    _, notes = parse_json('{"o": "é中'.encode() + b'\xff"}')
    assert notes[0].detail == "invalid UTF-8 at byte 5"


@pytest.mark.parametrize("escape", ["\\ud800", "\\uDfFf", "\\ude00\\ud83d"])
def test_lone_surrogates_become_replacement_characters_with_a_note(escape):
    value, notes = parse_json(f'{{"o": ["a{escape}b"]}}')
    assert value["o"][0].strip("ab") == "\ufffd" * (len(escape) // 6)
    assert (notes[0].kind, notes[0].where) == ("lone_surrogate", "o[0]")


@pytest.mark.parametrize("text", ['"\\ud83d\\ude00"', '"\\\\ud800"', '"\\\\\\\\ud800x"'])
def test_pairs_and_escaped_backslashes_are_no_lone_surrogates(text):
    value, notes = parse_json(text[:-1] + '\\udc00"')
    whole = json.loads(text)
    assert value == whole + "\ufffd"
    assert len(notes) == 1


def test_nan_is_read_as_nothing_with_a_note():
    value, notes = parse_json(b'{"score": NaN, "other": -Infinity}')
    assert value == {"score": None, "other": None}
    assert [note.kind for note in notes] == ["not_a_number"]


@pytest.mark.parametrize("depth", [65, 900, 100_000])
def test_deep_nesting_is_refused_by_name(depth):
    with pytest.raises(NotJsonError, match="nested deeper than 64 levels"):
        parse_json(b"[" * depth + b"]" * depth)


def test_the_deepest_allowed_nesting_is_read():
    assert parse_json(b"[" * 64 + b"]" * 64)[0]


@given(st.lists(JSON, max_size=5))
def test_an_array_read_as_a_stream_is_the_array(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("array") / "a.json"
    path.write_text("[" + ",".join(json.dumps(value) for value in values) + "]")
    assert [parsed.value for parsed in values_of(path)] == values


def test_an_array_is_repaired_across_the_chunks_it_is_read_in(tmp_path):
    filler = "x" * 65_530
    text = json.dumps([f"{filler}😀\ud800", "😀" * 20_000, "plain"])
    values = values_of(write(tmp_path, "a.json", text.encode()))
    assert [each.value for each in values] == [f"{filler}😀\ufffd", "😀" * 20_000, "plain"]
    assert [len(each.notes) for each in values] == [1, 0, 0]


def test_skipped_paths_of_an_object_are_not_built(tmp_path):
    document = {"history": [1], "trajectory": [{"messages": [{"a": 1}], "action": "ls"}], "m": 2}
    path = write(tmp_path, "a.traj", json.dumps(document, indent=1).encode())
    (parsed,) = values_of(path, skip=("trajectory.item.messages",))
    assert parsed.value == {"history": [1], "trajectory": [{"action": "ls"}], "m": 2}


def test_objects_on_lines_are_told_from_one_object_over_lines(tmp_path):
    lines = write(tmp_path, "lines.json", b'{"a":1}\nbroken\n{"a":2}\n')
    assert [type(each) for each in json_values(lines)] == [Parsed, Unparsed, Parsed]
    whole = write(tmp_path, "whole.json", b'{\n"a":1\n}\n')
    assert list(json_values(whole)) == [Parsed(1, {"a": 1})]


def test_an_array_that_breaks_off_names_the_record(tmp_path):
    values = json_values(write(tmp_path, "a.json", b'[{"a":1},{"a":'))
    assert next(values) == Parsed(1, {"a": 1})
    with pytest.raises(ImportInputError, match=r"a\.json:2: not valid JSON"):
        next(values)


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"", "empty"), (b" \n\n", "empty"), (b"\xff\xfe[\x00", "UTF-16"), (b"[" * 99, "nested")],
)
def test_files_that_hold_nothing_readable_are_refused_by_name(tmp_path, data, why):
    with pytest.raises(ImportInputError, match=why):
        list(json_values(write(tmp_path, "a.json", data)))


def test_values_under_a_path_come_one_by_one_and_nothing_is_read_past_them(tmp_path):
    path = write(tmp_path, "a.json", b'{"b": 5, "a": [{"c": 1}, {"c": [2]}], "d": broken')
    values = values_under(path, "a.item")
    assert [next(values), next(values)] == [Parsed(1, {"c": 1}), Parsed(2, {"c": [2]})]
    with pytest.raises(ImportInputError, match="not valid JSON"):
        next(values)


def test_a_missing_file_is_an_error_with_its_path(tmp_path):
    with pytest.raises(ImportInputError, match=r"none\.jsonl: No such file") as raised:
        list(json_lines(tmp_path / "none.jsonl"))
    assert raised.value.path.endswith("none.jsonl")


@given(st.binary(max_size=60))
def test_no_bytes_leave_a_surrogate_in_a_text(data):
    try:
        value, _ = parse_json(b'"' + data + b'"')
    except NotJsonError:
        return
    json.dumps(value, ensure_ascii=False).encode()


@pytest.mark.parametrize("opening", ["[", "[ ", '{"a":', '[{"item":'])
def test_document_of_opening_brackets_is_refused_in_little_memory(tmp_path, opening):
    (path := tmp_path / "deep.json").write_text(opening * (20_000 // len(opening)))
    tracemalloc.start()
    try:
        with pytest.raises(ImportInputError, match="nested deeper than 64 levels"):
            values_of(path)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
