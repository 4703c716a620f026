"""The manifest of a native export: every file with its digest, and the digest of them all."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

NATIVE_FORMAT = "apt-annotate-native-1"


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file of the export: path with slashes, sha256, size in bytes, lines where it has rows."""

    path: str
    sha256: str
    bytes: int
    rows: int | None = None


def text_entry(path: str, text: str) -> FileEntry:
    """Return the entry of a small file."""
    data = text.encode()
    rows = text.count("\n") if path.endswith(".jsonl") else None
    return FileEntry(path, hashlib.sha256(data).hexdigest(), len(data), rows)


def digest_of_files(entries: Iterable[FileEntry]) -> str:
    """Return the sha256 of the lines ``<sha256>  <path>``, sorted by path."""
    lines = (f"{e.sha256}  {e.path}\n" for e in sorted(entries, key=lambda e: e.path))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def manifest(head: Mapping[str, Any], entries: Iterable[FileEntry]) -> dict[str, Any]:
    """Return the manifest: ``head`` between the format's name and the files."""
    files = sorted(entries, key=lambda entry: entry.path)
    return {
        "format": NATIVE_FORMAT,
        **head,
        "sha256": digest_of_files(files),
        "files": [asdict(entry) for entry in files],
    }
