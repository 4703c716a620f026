"""Rows of tables as JSON values: CSV and Parquet beside the JSON kinds, one row in memory at a time."""

import csv
import importlib.util
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from generation.core.importers.errors import ImportInputError
from generation.core.importers.streams import Parsed, Unparsed, json_values, open_input
from generation.core.records import Note

MAX_FIELD_CHARACTERS = 64 * 1024 * 1024
_BATCH_ROWS = 32
_REPLACED = "�"


def table_rows(path: Path) -> Iterator[Parsed | Unparsed]:
    """Yield the rows of a file with their numbers: ``.csv``, ``.parquet``, else JSON of any form.

    A row of a CSV file is numbered by the line it begins on, and maps its columns to texts; a row
    of a Parquet file by its place from 1.

    Raises:
        ImportInputError: the file cannot be read as what its name says.
    """
    if path.suffix.lower() == ".csv":
        yield from csv_rows(path)
    elif path.suffix.lower() == ".parquet":
        yield from parquet_rows(path)
    else:
        yield from json_values(path)


def csv_rows(path: Path) -> Iterator[Parsed | Unparsed]:
    """Yield the rows of a CSV file whose first line names the columns.

    Raises:
        ImportInputError: it cannot be opened, is UTF-16, names no or equal columns, or a quote in
            it is never closed.
    """
    # The limit is one for the whole process: it is only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_FIELD_CHARACTERS))
    open_input(path).close()
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        yield from _csv_rows(path, file)


def _csv_rows(path: Path, file: TextIO) -> Iterator[Parsed | Unparsed]:
    reader = csv.reader(file, strict=True)
    line = 1
    try:
        columns = next(reader, [])
        if not any(columns):
            raise ImportInputError(path, "the first line names no columns", line=1)
        if len(set(columns)) < len(columns):
            twice = next(name for name in columns if columns.count(name) > 1)
            raise ImportInputError(path, f"the column {twice!r} is named twice", line=1)
        line = reader.line_num + 1
        for cells in reader:
            if len(cells) == len(columns):
                row = dict(zip(columns, cells, strict=True))
                yield Parsed(line, row, _replaced(row))
            elif cells:
                yield Unparsed(line, f"{len(cells)} cells in a row of {len(columns)} columns")
            line = reader.line_num + 1
    except csv.Error as error:
        raise ImportInputError(path, f"not valid CSV: {error}", line=line) from error


def _replaced(row: dict[str, str]) -> tuple[Note, ...]:
    return tuple(
        Note("invalid_utf8", name, "bytes that are no UTF-8 became U+FFFD")
        for name, text in row.items()
        if _REPLACED in text
    )


def parquet_rows(path: Path) -> Iterator[Parsed]:
    """Yield the rows of a Parquet file.

    Raises:
        ImportInputError: it is no Parquet file, or the extra that reads them is not installed.
    """
    if importlib.util.find_spec("pyarrow") is None:
        why = "Parquet files need the extra 'parquet': pip install 'apt-annotate[parquet]'"
        raise ImportInputError(path, why)
    import pyarrow
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path, pre_buffer=False) as file:
            number = 0
            for batch in file.iter_batches(batch_size=_BATCH_ROWS, use_threads=False):
                for row in batch.to_pylist():
                    number += 1
                    yield Parsed(number, _plain(row))
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        why = f"not valid Parquet: {str(error).partition(chr(10))[0]}"
        raise ImportInputError(path, why) from error


def _plain(value: Any) -> Any:
    """Return a cell as JSON has it: what JSON does not know (times, bytes) as text."""
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return str(value)
