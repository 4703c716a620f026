"""JSON values out of files of any size, each with its place; memory holds one value at a time."""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import ijson  # type: ignore[import-untyped]
import orjson

from generation.core.importers.errors import ImportInputError
from generation.core.importers.repair import repair, settle
from generation.core.records import Note

MAX_LINE_BYTES = 256 * 1024 * 1024
MAX_DEPTH = 64
_BOM = b"\xef\xbb\xbf"
_CHUNK = 64 * 1024
_TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"


class NotJsonError(ValueError):
    """Text that is no JSON value, or one nested deeper than ``MAX_DEPTH`` levels."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A JSON value: ``number`` is its 1-based line (JSON lines) or record (a whole document)."""

    number: int
    value: Any
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Unparsed:
    """A line that holds no JSON value, and why."""

    number: int
    why: str


def parse_json(data: bytes | str, *, field: str = "") -> tuple[Any, tuple[Note, ...]]:
    """Return the value of one JSON text and a note for every text in it that was repaired.

    Invalid UTF-8 and lone surrogates become U+FFFD; NaN and the infinities, which Python writes
    and JSON does not know, become None. ``field`` is put before the paths in the notes.

    Raises:
        NotJsonError: no JSON, or nested too deep.
    """
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        return _parse_with_repairs(data, field)
    _refuse_depth(value)
    return value, ()


def _parse_with_repairs(data: bytes | str, field: str) -> tuple[Any, tuple[Note, ...]]:
    raw = data.encode(errors="surrogatepass") if isinstance(data, str) else data
    not_numbers: list[str] = []
    try:
        # Python's own parser reads NaN, and is the slower one: only for what orjson refuses.
        value = json.loads(repair(raw).decode(), parse_constant=not_numbers.append)
    except RecursionError as error:
        raise NotJsonError(_TOO_DEEP) from error
    except ValueError as error:
        raise NotJsonError(str(error)) from error
    _refuse_depth(value)
    value, notes = settle(value, field=field)
    if not_numbers:
        detail = f"{not_numbers[0]} read as nothing ({len(not_numbers)} in all)"
        notes = (*notes, Note(kind="not_a_number", where=field, detail=detail))
    return value, notes


def _refuse_depth(value: Any) -> None:
    level: list[Any] = [value] if isinstance(value, list | dict) else []
    for _ in range(MAX_DEPTH):
        level = [
            item
            for holder in level
            for item in (holder.values() if isinstance(holder, dict) else holder)
            if isinstance(item, list | dict)
        ]
        if not level:
            return
    raise NotJsonError(_TOO_DEEP)


def json_lines(path: Path, *, max_line_bytes: int = MAX_LINE_BYTES) -> Iterator[Parsed | Unparsed]:
    """Yield the value of every line that is not blank, in order.

    A line that is no JSON, or longer than ``max_line_bytes``, comes as ``Unparsed`` and the
    lines after it are still read. A byte order mark and CRLF line ends are read over.

    Raises:
        ImportInputError: the file cannot be opened, or is UTF-16.
    """
    with open_input(path) as file:
        for number, line in enumerate(_lines(file, max_line_bytes), start=1):
            if line is None:
                yield Unparsed(number, f"line longer than {max_line_bytes} bytes")
            elif line := line.strip():
                try:
                    value, notes = parse_json(line)
                except NotJsonError as error:
                    yield Unparsed(number, f"not valid JSON: {error}")
                else:
                    yield Parsed(number, value, notes)


def _lines(file: BinaryIO, max_line_bytes: int) -> Iterator[bytes | None]:
    while line := file.readline(max_line_bytes + 1):
        if len(line) <= max_line_bytes or line.endswith(b"\n"):
            yield line
            continue
        while (rest := file.readline(_CHUNK)) and not rest.endswith(b"\n"):
            pass
        yield None


def json_values(path: Path, *, skip: Collection[str] = ()) -> Iterator[Parsed | Unparsed]:
    """Yield what the file holds: JSON lines, the items of one array, or one object.

    A name that ends in ``.jsonl`` or ``.ndjson`` means JSON lines; else the content decides: an
    array, or an object that its first line does not close, is read as a whole document. ``skip``
    names dotted paths of a whole object (``trajectory.item.query``) that are not built.

    Raises:
        ImportInputError: the file cannot be opened, is empty or UTF-16, or a whole document
            breaks off or is no JSON.
    """
    if path.suffix in {".jsonl", ".ndjson"}:
        yield from json_lines(path)
        return
    with open_input(path) as file:
        start = file.readline(_CHUNK).lstrip()
        while not start and (more := file.readline(_CHUNK)):
            start = more.lstrip()
    if start.startswith(b"["):
        yield from _document(path, "item", skip)
    elif start.startswith(b"{") and not _is_whole(start, path):
        yield from _document(path, "", skip)
    elif start:
        yield from json_lines(path)
    else:
        raise ImportInputError(path, "the file is empty")


def values_under(path: Path, prefix: str) -> Iterator[Parsed]:
    """Yield the values at one dotted path of a file's objects (``trajectory.item``), in order.

    Nothing else of the file is built, and nothing is read past the last value that is taken.

    Raises:
        ImportInputError: the file cannot be opened, breaks off or is no JSON.
    """
    return _document(path, prefix, ())


def _is_whole(start: bytes, path: Path) -> bool:
    """Say whether the first line closes its value and another line follows it."""
    if not start.endswith(b"\n"):
        return False
    try:
        parse_json(start)
    except NotJsonError:
        return False
    return True


def _document(path: Path, prefix: str, skip: Collection[str]) -> Iterator[Parsed]:
    skipped = tuple(skip)
    number = 0
    with open_input(path) as file:
        source = _RepairedFile(file)
        try:
            for value in _built(source, prefix, skipped):
                number += 1
                settled, notes = settle(value) if source.repaired else (value, ())
                yield Parsed(number, settled, notes)
        except ijson.JSONError as error:
            why = f"not valid JSON: {_first_line(error)}"
            raise ImportInputError(path, why, line=number + 1) from error
        except NotJsonError as error:
            raise ImportInputError(path, str(error), line=number + 1) from error


def _first_line(error: Exception) -> str:
    text = error.args[0] if error.args else ""
    shown = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
    return shown.strip().partition("\n")[0] or "it breaks off"


def _built(file: "_RepairedFile", prefix: str, skip: tuple[str, ...]) -> Iterator[Any]:
    """Yield each value at ``prefix``, built from events so that skipped parts are never held."""
    builder = None
    depth = outside = 0
    events = ijson.basic_parse(file, use_float=True, multiple_values=True, buf_size=_CHUNK)
    for place, event, value in ijson.parse(_not_too_deep(events)):
        if event in _STARTS:
            depth += 1
        elif event in _ENDS:
            depth -= 1
        if builder is None:
            if place != prefix or event in _NO_START:
                continue
            builder = ijson.ObjectBuilder()
            outside = depth - (event in _STARTS)
        if _is_under(place, skip):
            continue
        builder.event(event, value)
        if depth == outside and event != "map_key":
            yield builder.value
            builder = None


def _not_too_deep(events: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield the events while they are not nested too deep.

    Before they get their places: those of 64 KB of opening brackets would take 10 GB.
    """
    depth = 0
    for event in events:
        if event[0] in _STARTS:
            depth += 1
            if depth > MAX_DEPTH + 1:
                raise NotJsonError(_TOO_DEEP)
        elif event[0] in _ENDS:
            depth -= 1
        yield event


_STARTS = frozenset({"start_map", "start_array"})
_ENDS = frozenset({"end_map", "end_array"})
_NO_START = _ENDS | {"map_key"}


def _is_under(place: str, skip: tuple[str, ...]) -> bool:
    return place.startswith(skip) and any(
        place == name or place.startswith(f"{name}.") for name in skip
    )


def open_input(path: Path) -> BinaryIO:
    """Return the file, open for bytes and past a UTF-8 byte order mark.

    Raises:
        ImportInputError: it cannot be opened, or begins with the mark of UTF-16.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise ImportInputError(path, error.strerror or "cannot be opened") from error
    start = file.read(3)
    if start[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        file.close()
        raise ImportInputError(path, "UTF-16; save it as UTF-8")
    file.seek(3 if start == _BOM else 0)
    return file


class _RepairedFile:
    """A file whose bytes are repaired as they are read, cut where no escape can be cut."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._rest = b""
        self.repaired = False

    def read(self, size: int) -> bytes:
        if size == 0:
            return b""
        data = self._rest
        while more := self._file.read(_CHUNK):
            data += more
            # After one of these no escape, pair of escapes or character is left open.
            cut = max(data.rfind(stop) for stop in (b'"', b" ", b"\n", b",")) + 1
            if cut:
                self._rest = data[cut:]
                return self._repair(data[:cut])
        self._rest = b""
        return self._repair(data)

    def _repair(self, data: bytes) -> bytes:
        fixed = repair(data)
        self.repaired = self.repaired or fixed is not data
        return fixed
