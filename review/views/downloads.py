"""Tables as files: CSV for spreadsheets, JSON lines for programs; sent row by row."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.http import Http404, StreamingHttpResponse

from review.core.spreadsheets import harmless

SUFFIXES = ("csv", "jsonl")

Rows = Iterable[Mapping[str, Any]]


def table_file(
    rows: Rows, columns: Sequence[str], *, name: str, suffix: str
) -> StreamingHttpResponse:
    """Return the download of a table; lists are words apart by blanks in CSV.

    Raises:
        Http404: there is no file with that suffix.
    """
    if suffix not in SUFFIXES:
        raise Http404
    lines = _csv(rows, columns) if suffix == "csv" else _json_lines(rows)
    kind = "text/csv" if suffix == "csv" else "application/jsonl"
    response = StreamingHttpResponse(lines, content_type=f"{kind}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.{suffix}"'
    return response


def _json_lines(rows: Rows) -> Iterator[str]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False) + "\n"


def _csv(rows: Rows, columns: Sequence[str]) -> Iterator[str]:
    """Yield the heading, then a line a row; no cell starts a formula."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        yield _drained(buffer)
        writer.writerow({name: _cell(value) for name, value in row.items()})
    yield _drained(buffer)


def _drained(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text


def _cell(value: Any) -> Any:
    return harmless(" ".join(value) if isinstance(value, list) else value)
