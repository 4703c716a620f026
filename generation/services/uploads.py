"""Keeps uploaded files apart from everything that is served, until their import is over.

An upload is a folder below ``settings.UPLOADS_DIR`` with a name of its own: ``given`` holds the
files as they came, ``files`` what an import reads. Web processes and workers share that folder.
"""

import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

from generation.core.archives import ArchiveRefused, Limits, Unpacked, is_archive, stem_of, unpack
from generation.core.file_names import UnsafeName, safe_name

KEPT = timedelta(days=7)
"""How long the files of an import that was stopped wait for it to go on."""
MOST_FILES = 500
"""Files of one upload; more of them come in an archive."""
_EXPANSION = 8
_ROOM_LEFT = 512 * 1024 * 1024
_FOLDER = re.compile(r"[0-9a-f]{32}")
_UNLISTED = timedelta(days=1)


class UploadRefused(ValueError):
    """An upload that is not kept: ``kind`` names why, ``name`` the file, where one is to blame."""

    def __init__(self, kind: str, *, name: str = "", detail: str = "") -> None:
        super().__init__(": ".join(filter(None, (kind, name, detail))))
        self.kind = kind
        self.name = name
        self.detail = detail


Part = tuple[str, Iterable[bytes]]
"""A file of an upload: its name as sent, and its bytes piece by piece."""


def most_bytes() -> int:
    """Return how many bytes an upload may have."""
    most: int = settings.UPLOAD_MB * 1024 * 1024
    return most


def limits() -> Limits:
    """Return what the archives of an upload may hold once they are unpacked."""
    return Limits(total_bytes=_EXPANSION * most_bytes())


def keep(parts: Iterable[Part]) -> tuple[str, list[dict[str, object]]]:
    """Keep the files of an upload; return its folder's name, and each file's name and bytes.

    Raises:
        UploadRefused: there is none, one is empty or has an unusable name, two have one name, they
            are too many or too large, or the disk is full. Nothing is kept then.
    """
    name = secrets.token_hex(16)
    folder = folder_of(name)
    given = folder / "given"
    given.mkdir(parents=True)
    try:
        kept = list(_kept(given, parts))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return name, kept


def _kept(given: Path, parts: Iterable[Part]) -> Iterator[dict[str, object]]:
    total = count = 0
    if shutil.disk_usage(given).free < _ROOM_LEFT:
        raise UploadRefused("disk_full")
    for sent, pieces in parts:
        count += 1
        if count > MOST_FILES:
            raise UploadRefused("too_many_files", detail=str(MOST_FILES))
        try:
            name = safe_name(sent)
        except UnsafeName as error:
            raise UploadRefused("unsafe_name", name=sent, detail=error.why) from error
        size = 0
        try:
            with (given / name).open("xb") as file:
                for piece in pieces:
                    size += len(piece)
                    total += len(piece)
                    if total > most_bytes():
                        raise UploadRefused("too_large", name=name, detail=str(settings.UPLOAD_MB))
                    file.write(piece)
        except FileExistsError as error:
            raise UploadRefused("twice", name=name) from error
        except OSError as error:
            raise UploadRefused("disk_full", name=name) from error
        if not size:
            raise UploadRefused("empty", name=name)
        yield {"name": name, "bytes": size}
    if not count:
        raise UploadRefused("no_file")


def folder_of(name: str) -> Path:
    """Return the folder of an upload by its name.

    Raises:
        ValueError: it is no name of an upload.
    """
    if not _FOLDER.fullmatch(name):
        msg = f"{name!r} is no upload"
        raise ValueError(msg)
    return Path(settings.UPLOADS_DIR) / name


def unpacked(
    name: str, *, alive: Callable[[], None] = lambda: None
) -> tuple[Path, list[tuple[str, str]]]:
    """Unpack an upload anew and return what an import reads, and the entries that were left out.

    What is read is the only file, or a folder: that of the files, where all of them lie in one
    folder that one. Several archives have a folder each. ``alive`` is called again and again.

    Raises:
        UploadRefused: an archive is none, unsafe or too large, or the upload is gone; what was
            unpacked is removed.
    """
    folder = folder_of(name)
    if not (folder / "given").is_dir():
        raise UploadRefused("unreadable", detail="they are gone from the server; upload them again")
    into = folder / "files"
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir()
    so_far = Unpacked()
    given = sorted((folder / "given").iterdir())
    if shutil.disk_usage(folder).free < _ROOM_LEFT:
        raise UploadRefused("disk_full")
    try:
        for path in given:
            if is_archive(path.name):
                own = into if len(given) == 1 else into / stem_of(path.name)
                unpack(path, own, limits=limits(), so_far=so_far, alive=alive)
            else:
                (into / path.name).hardlink_to(path)
    except ArchiveRefused as error:
        shutil.rmtree(into, ignore_errors=True)
        raise UploadRefused(error.kind, name=error.name, detail=error.detail) from error
    except FileExistsError as error:
        shutil.rmtree(into, ignore_errors=True)
        raise UploadRefused("twice", name=path.name) from error
    return _innermost(into), so_far.left_out


def _innermost(folder: Path) -> Path:
    """Return the only file, or the folder in which more than one thing lies."""
    while True:
        inside = list(folder.iterdir())
        if len(inside) != 1:
            return folder
        if inside[0].is_file():
            return inside[0] if folder.name == "files" else folder
        folder = inside[0]


def remove(name: str) -> None:
    """Remove the files of an upload; one that is gone already is no matter."""
    shutil.rmtree(folder_of(name), ignore_errors=True)


def remove_unlisted(*, listed: Iterable[str], now: datetime) -> int:
    """Remove what no job names: uploads that broke off; return how many there were."""
    known, count = set(listed), 0
    root = Path(settings.UPLOADS_DIR)
    for path in root.iterdir() if root.is_dir() else ():
        if not _FOLDER.fullmatch(path.name) or path.name in known:
            continue
        if now.timestamp() - path.stat().st_mtime > _UNLISTED.total_seconds():
            remove(path.name)
            count += 1
    return count
