"""Writes the native export: the frozen files and lines, each held against the manifest."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any


class ExportError(Exception):
    """What is stored is not what was frozen."""


def write_native(
    folder: Path,
    *,
    manifest: Mapping[str, Any],
    files: Mapping[str, str],
    lines: Callable[[str], Iterable[bytes]],
) -> None:
    """Write manifest, small files and item lines, and hold every file against the manifest.

    ``lines`` gives the bytes of an items file's lines, in order, by its path.

    Raises:
        ExportError: a file's digest is not the manifest's.
    """
    for entry in manifest["files"]:
        path = folder / entry["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        text = files.get(entry["path"])
        parts = lines(entry["path"]) if text is None else (text.encode(),)
        digest = sha256()
        with path.open("wb") as file:
            for part in parts:
                digest.update(part)
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        if digest.hexdigest() != entry["sha256"]:
            msg = f"{entry['path']}: what is stored is not what was frozen"
            raise ExportError(msg)
    text = json.dumps(manifest, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8", newline="\n")
