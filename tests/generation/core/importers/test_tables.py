"""Rows of CSV and Parquet files come one by one, with the line or place they stand at."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from generation.core.importers.errors import ImportInputError
from generation.core.importers.streams import Parsed, Unparsed
from generation.core.importers.tables import table_rows


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_rows_of_a_csv_are_numbered_by_the_line_they_begin_on(tmp_path):
    path = write(tmp_path / "a.csv", b'\xef\xbb\xbfa,b\r\n1,"x\r\n;, y"\r\n2,\r\n')
    assert list(table_rows(path)) == [
        Parsed(2, {"a": "1", "b": "x\r\n;, y"}),
        Parsed(4, {"a": "2", "b": ""}),
    ]


def test_a_row_of_other_length_is_told_and_the_rows_after_it_are_read(tmp_path):
    path = write(tmp_path / "a.csv", b"a,b\n1\n\n2,3\n1,2,3\n")
    assert list(table_rows(path)) == [
        Unparsed(2, "1 cells in a row of 2 columns"),
        Parsed(4, {"a": "2", "b": "3"}),
        Unparsed(5, "3 cells in a row of 2 columns"),
    ]


def test_a_field_of_a_megabyte_is_read_and_bad_bytes_are_noted(tmp_path):
    path = write(tmp_path / "a.csv", b"a\n" + b"x" * 1_000_000 + b"\n\xff\n")
    long, bad = table_rows(path)
    assert isinstance(long, Parsed)
    assert len(long.value["a"]) == 1_000_000
    assert isinstance(bad, Parsed)
    assert (bad.value["a"], bad.notes[0].kind, bad.notes[0].where) == (
        "\ufffd",
        "invalid_utf8",
        "a",
    )


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", r"a\.csv:1: the first line names no columns"),
        (b"a,b,a\n", r"a\.csv:1: the column 'a' is named twice"),
        (b'a\n1\n"never closed\n\n', r"a\.csv:3: not valid CSV"),
        (b'a\n"x"y\n', r"a\.csv:2: not valid CSV"),
        (b"\xff\xfea\0", "UTF-16"),
    ],
)
def test_what_is_no_csv_is_an_error_with_its_line(tmp_path, data, why):
    with pytest.raises(ImportInputError, match=why):
        list(table_rows(write(tmp_path / "a.csv", data)))


def test_rows_of_a_parquet_file_are_json_values(tmp_path):
    path = tmp_path / "a.parquet"
    times = pa.array([0, 1], pa.timestamp("s"))
    rows = {"id": ["a", None], "tests": [["x"], []], "score": [float("nan"), 0.5], "at": times}
    pq.write_table(pa.table(rows), path)
    assert list(table_rows(path)) == [
        Parsed(1, {"id": "a", "tests": ["x"], "score": None, "at": "1970-01-01 00:00:00"}),
        Parsed(2, {"id": None, "tests": [], "score": 0.5, "at": "1970-01-01 00:00:01"}),
    ]


@pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1 is how it begins and not how it ends"])
def test_what_is_no_parquet_is_an_error(tmp_path, data):
    with pytest.raises(ImportInputError, match=r"a\.parquet: not valid Parquet"):
        list(table_rows(write(tmp_path / "a.parquet", data)))


def test_without_the_extra_the_error_says_what_to_install(tmp_path):
    write(tmp_path / "a.parquet", b"PAR1")
    code = (
        "import importlib, sys\n"
        "from pathlib import Path\n"
        "from generation.core.importers import tables\n"
        "from generation.core.importers.errors import ImportInputError\n"
        "sys.path[:] = [p for p in sys.path if 'site-packages' not in p]\n"
        "sys.path_importer_cache.clear(); importlib.invalidate_caches()\n"
        "try:\n"
        "    list(tables.table_rows(Path(sys.argv[1])))\n"
        "except ImportInputError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a.parquet")],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[4],
    )
    assert "pip install 'apt-annotate[parquet]'" in done.stdout
