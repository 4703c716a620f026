"""Reads an exported benchmark: the manifest's digests first, then the items."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path, PurePosixPath
from typing import Any

from .errors import BenchmarkError, DigestMismatch
from .items import LOG_PROBABILITY_METRICS, METRICS_OF_READER, READERS_OF_FORMAT, Item

FORMAT = "apt-annotate-native-1"
_KNOWN_METRICS = {*LOG_PROBABILITY_METRICS, *(m for ms in METRICS_OF_READER.values() for m in ms)}


@dataclass(frozen=True, slots=True)
class Benchmark:
    """What an export says about itself, and its items by id in the files' order."""

    name: str
    version: str
    sha256: str
    shots: int
    validation: Any
    items: Mapping[str, Item]


def read_benchmark(folder: Path) -> Benchmark:
    """Return the benchmark in ``folder``.

    The digest of every file that the manifest names covers each line of it, so the digests in
    the lines are not computed again. Files the manifest does not name are not looked at.

    Raises:
        DigestMismatch: a named file is missing or has other bytes.
        BenchmarkError: no manifest, another format, or a line that is no item; says where.
    """
    manifest = _manifest(folder)
    paths = _check_digests(folder, manifest["files"], manifest["sha256"])
    items: dict[str, Item] = {}
    for path in paths:
        if path.startswith("items/") and path.endswith(".jsonl"):
            for place, item in _items(folder, path):
                if item.id in items:
                    msg = f"{place}: the id {item.id!r} stands twice in the benchmark"
                    raise BenchmarkError(msg)
                items[item.id] = item
    if not items:
        msg = f"{folder}: the benchmark holds no items"
        raise BenchmarkError(msg)
    _check_counts(folder, manifest["counts"], items)
    return Benchmark(
        name=manifest["name"],
        version=manifest["version"],
        sha256=manifest["sha256"],
        shots=manifest["shots"],
        validation=manifest.get("validation"),
        items=items,
    )


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        msg = f"{path}: cannot be read ({error.strerror}); the folder of an export is expected"
        raise BenchmarkError(msg) from error
    except (ValueError, RecursionError) as error:
        msg = f"{path}: is not JSON in UTF-8"
        raise BenchmarkError(msg) from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        msg = f"{path}: field format: {FORMAT!r} is expected"
        raise BenchmarkError(msg)
    wanted = {
        "name": str,
        "version": str,
        "sha256": str,
        "shots": int,
        "counts": dict,
        "files": list,
    }
    for key, kind in wanted.items():
        if not isinstance(manifest.get(key), kind) or isinstance(manifest.get(key), bool):
            msg = f"{path}: field {key}: {kind.__name__} is expected"
            raise BenchmarkError(msg)
    return manifest


def _check_digests(folder: Path, files: list[Any], whole: str) -> list[str]:
    lines: list[tuple[str, str]] = []
    for entry in files:
        path = entry.get("path") if isinstance(entry, dict) else None
        if not isinstance(path, str) or not _stays_inside(path):
            msg = f"{folder / 'manifest.json'}: field files: {path!r} is no path inside the folder"
            raise BenchmarkError(msg)
        try:
            with (folder / path).open("rb") as stream:
                digest = file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            msg = f"{folder / path}: named by the manifest, cannot be read ({error.strerror})"
            raise DigestMismatch(msg) from error
        if digest != entry.get("sha256"):
            msg = f"{folder / path}: has changed since it was exported (sha256 {digest[:12]}…)"
            raise DigestMismatch(msg)
        lines.append((path, digest))
    lines.sort()
    text = "".join(f"{digest}  {path}\n" for path, digest in lines)
    if sha256(text.encode()).hexdigest() != whole:
        msg = f"{folder / 'manifest.json'}: its sha256 is not that of the files it names"
        raise DigestMismatch(msg)
    return [path for path, _ in lines]


def _stays_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    is_relative = bool(parts) and not path.startswith("/") and ".." not in parts
    return is_relative and "\\" not in path and path.isprintable()


def _check_counts(folder: Path, counts: Mapping[str, Any], items: Mapping[str, Item]) -> None:
    found: dict[str, int] = {}
    for item in items.values():
        found[item.subtask] = found.get(item.subtask, 0) + 1
    if {name: number for name, number in counts.items() if number} != found:
        msg = f"{folder / 'manifest.json'}: field counts: {counts} stated, {found} found"
        raise BenchmarkError(msg)


def _items(folder: Path, path: str) -> Iterator[tuple[str, Item]]:
    with (folder / path).open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            place = f"{folder / path}, line {number}"
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                msg = f"{place}: is not JSON in UTF-8"
                raise BenchmarkError(msg) from error
            if not isinstance(row, dict):
                msg = f"{place}: an object is expected"
                raise BenchmarkError(msg)
            yield place, item_from_row(row, place)


def item_from_row(row: Mapping[str, Any], place: str) -> Item:
    """Return the item of one line of an export.

    Raises:
        BenchmarkError: a field is missing, of another type, or contradicts another; ``place``
            and the field's name open the message.
    """

    def refuse(key: str, expected: str) -> BenchmarkError:
        return BenchmarkError(f"{place}: field {key}: {expected} is expected")

    def text(key: str) -> str:
        value = row.get(key)
        if not isinstance(value, str) or not value:
            raise refuse(key, "text")
        return value

    def texts(key: str) -> tuple[str, ...]:
        value = row.get(key)
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise refuse(key, "a list of texts")
        return tuple(value)

    kind, reader = text("format"), text("reader")
    if reader not in READERS_OF_FORMAT.get(kind, set()):
        raise refuse("reader", f"one of {READERS_OF_FORMAT} for the format {kind!r}")
    unknown = sorted(set(texts("metrics")) - _KNOWN_METRICS)
    if unknown:
        raise refuse("metrics", f"a known metric instead of {unknown[0]!r}")
    options = (
        () if kind == "completion" else _options(row, refuse("options", "label and text each"))
    )
    gold = texts("gold")
    if not gold and kind != "choices":
        raise refuse("gold", "at least one")
    if kind != "completion" and not set(gold) <= {label for label, _ in options}:
        raise refuse("gold", "a label that is offered")
    long_context = row.get("long_context")
    if not isinstance(long_context, bool):
        raise refuse("long_context", "true or false")
    return Item(
        id=text("id"),
        subtask=text("subtask"),
        scenario=text("scenario"),
        ability=text("ability"),
        language=text("language"),
        format=kind,
        reader=reader,
        options=options,
        gold=gold,
        stop=texts("stop"),
        cluster=text("cluster"),
        bucket=text("bucket"),
        long_context=long_context,
    )


def _options(row: Mapping[str, Any], refusal: BenchmarkError) -> tuple[tuple[str, str], ...]:
    options = row.get("options")
    if not isinstance(options, list) or not options:
        raise refusal
    pairs: list[tuple[str, str]] = []
    for option in options:
        label = option.get("label") if isinstance(option, dict) else None
        text = option.get("text") if isinstance(option, dict) else None
        if not isinstance(label, str) or not isinstance(text, str):
            raise refusal
        pairs.append((label, text))
    if len(dict(pairs)) < len(pairs):
        raise refusal
    return tuple(pairs)
