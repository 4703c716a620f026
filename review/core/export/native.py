"""Writes the native export: the frozen files and lines, into a folder that appears whole."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any


class ExportError(Exception):
    """The export can't be written, or what was frozen is not what the manifest says."""


@contextmanager
def appearing_whole(out: Path) -> Iterator[Path]:
    """Give a temporary folder beside ``out`` that becomes ``out`` at the end, or goes away.

    Raises:
        ExportError: ``out`` exists, or its folder can't be written.
    """
    if out.exists() or out.is_symlink():
        msg = f"{out} exists: an export never overwrites"
        raise ExportError(msg)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as error:
        msg = f"{out.parent} can't be written: {error.strerror}"
        raise ExportError(msg) from error
    try:
        yield building
        building.chmod(0o755)
        # A folder renamed over another fails where that one is not empty: nothing is overwritten.
        building.rename(out)
    except OSError as error:
        msg = f"{error.filename or out}: {error.strerror}; nothing was left behind"
        raise ExportError(msg) from error
    finally:
        shutil.rmtree(building, ignore_errors=True)


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
