"""Unpacks archives that strangers made: nothing leaves the folder, nothing grows without bound.

What an archive says of itself (sizes, kinds, checksums) is not trusted: bytes are counted as they
are written. A name that would leave the folder refuses the whole archive; links and devices are
left out and named.
"""

import errno
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Self

from generation.core.file_names import UnsafeName, safe_path

ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".gz")
"""Of the names of files that are unpacked; the content must agree."""
_CHUNK = 256 * 1024
_MOST_LEFT_OUT = 5_000
_LARGEST_DIRECTORY = 8_000_000
_LARGEST_HEADER = 1_000_000
_HEADERS = frozenset(
    {
        tarfile.XHDTYPE,
        tarfile.XGLTYPE,
        tarfile.SOLARIS_XHDTYPE,
        tarfile.GNUTYPE_LONGNAME,
        tarfile.GNUTYPE_LONGLINK,
    }
)
_IGNORED = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db"})
_ENCRYPTED = 0x1
_LINK = 0o120000
_LONGEST_END = 22 + 65_535 + 20 + 56
_ELSEWHERE = 0xFFFFFFFF
_KIND_MASK = 0o170000
_BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)


class ArchiveRefused(ValueError):
    """An archive that is not unpacked; nothing of it is used. ``kind`` names why.

    ``name`` is the entry that is to blame, empty where it is the whole.
    """

    def __init__(self, kind: str, *, name: str = "", detail: str = "") -> None:
        super().__init__(": ".join(filter(None, (kind, name, detail))))
        self.kind = kind
        self.name = name
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Limits:
    """The most bytes and files that archives may hold once they are unpacked."""

    total_bytes: int
    files: int = 20_000


@dataclass(slots=True)
class Unpacked:
    """How much was unpacked so far, and which entries were left out, with why."""

    total_bytes: int = 0
    files: int = 0
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def leave_out(self, name: str, why: str) -> None:
        """Note an entry that is no file, of the first thousands."""
        if len(self.left_out) < _MOST_LEFT_OUT:
            self.left_out.append((name, why))


class _BoundedHeader(tarfile.TarInfo):
    """A header whose own text is bounded: the library reads it into memory whole."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Return the header that the block holds.

        Raises:
            ArchiveRefused: the names or attributes that follow it are too long.
        """
        header = super().frombuf(buf, encoding, errors)
        if header.type in _HEADERS and header.size > _LARGEST_HEADER:
            raise ArchiveRefused("broken", detail=f"a header of {header.size} bytes")
        return header


@dataclass(frozen=True, slots=True)
class _Entry:
    """A file of an archive: its name as given, and its bytes."""

    name: str
    file: IO[bytes] | gzip.GzipFile


def is_archive(name: str) -> bool:
    """Return whether a file of this name is unpacked."""
    return name.lower().endswith(ENDINGS)


def stem_of(name: str) -> str:
    """Return an archive's name without its ending; all of it where only dots would be left.

    A folder bears that name, and dots alone lead out of the one that it lies in.
    """
    ending = max((e for e in ENDINGS if name.lower().endswith(e)), key=len)
    stem = name[: -len(ending)]
    return stem if stem.strip(".") else name


def unpack(
    archive: Path,
    into: Path,
    *,
    limits: Limits,
    so_far: Unpacked,
    alive: Callable[[], None] = lambda: None,
) -> None:
    """Unpack an archive into the folder ``into``, which is made where it is not there.

    ``so_far`` counts over all archives of one upload, and takes the names of what was left out.
    ``alive`` is called with every piece that is written; what it raises ends the unpacking.

    Raises:
        ArchiveRefused: it is none, is cut or encrypted, a name leads out of the folder or comes
            twice, it grows beyond the limits, or the disk is full.
    """
    into.mkdir(parents=True, exist_ok=True)
    try:
        for entry in _entries(archive, limits, so_far):
            _write(entry, into, limits, so_far, alive)
    except ArchiveRefused:
        raise
    except UnsafeName as error:
        raise ArchiveRefused("unsafe_name", name=error.name, detail=error.why) from error
    except _BROKEN as error:
        raise _refusal(archive.name, error) from error


def _refusal(name: str, error: Exception) -> ArchiveRefused:
    """Return what is said of an error, without the folders of the server that its text names."""
    if isinstance(error, OSError):
        kind = "disk_full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "broken"
        return ArchiveRefused(kind, name=name, detail=error.strerror or str(error))
    return ArchiveRefused("broken", name=name, detail=str(error))


def _entries(archive: Path, limits: Limits, so_far: Unpacked) -> Iterator[_Entry]:
    name = archive.name.lower()
    if name.endswith(".zip"):
        yield from _of_zip(archive, so_far)
    elif name.endswith(".gz") and not name.endswith(".tar.gz"):
        with gzip.open(archive) as file:
            yield _Entry(stem_of(archive.name), file)
    else:
        yield from _of_tar(archive, limits, so_far)


def _of_zip(archive: Path, so_far: Unpacked) -> Iterator[_Entry]:
    if directory_bytes(archive) > _LARGEST_DIRECTORY:
        raise ArchiveRefused("too_many_files")
    with zipfile.ZipFile(archive) as packed:
        for info in packed.infolist():
            if info.is_dir() or _is_ignored(info.filename):
                continue
            if info.flag_bits & _ENCRYPTED:
                raise ArchiveRefused("encrypted", name=info.filename)
            if (info.external_attr >> 16) & _KIND_MASK == _LINK:
                so_far.leave_out(info.filename, "a link")
                continue
            with packed.open(info) as file:
                yield _Entry(info.filename, file)


def directory_bytes(archive: Path) -> int:
    """Return how long the list of a ZIP file's entries is, by its last record; 0 where it has none.

    Python reads that list into memory before anything can be counted.
    Source: PKWARE, APPNOTE.TXT 6.3.10, 4.3.14 to 4.3.16.
    """
    with archive.open("rb") as file:
        length = file.seek(0, io.SEEK_END)
        file.seek(max(0, length - _LONGEST_END))
        end = file.read()
        place = end.rfind(b"PK\x05\x06")
        if place < 0 or len(end) < place + 22:
            return 0
        (size,) = struct.unpack_from("<L", end, place + 12)
        locator = end.rfind(b"PK\x06\x07", 0, place)
        if size != _ELSEWHERE or locator < 0:
            return int(size)
        (offset,) = struct.unpack_from("<Q", end, locator + 8)
        file.seek(min(offset, length))
        record = file.read(56)
        return int(struct.unpack_from("<Q", record, 40)[0]) if len(record) == 56 else length


def _of_tar(archive: Path, limits: Limits, so_far: Unpacked) -> Iterator[_Entry]:
    with tarfile.open(archive, "r:*", tarinfo=_BoundedHeader) as packed:
        for info in packed:
            is_left_out = not info.isfile() or _is_ignored(info.name)
            # What is passed over is read all the same, to find the next entry.
            so_far.total_bytes += max(0, info.size) if is_left_out else 0
            if so_far.total_bytes > limits.total_bytes:
                raise ArchiveRefused("too_large", name=info.name, detail=str(limits.total_bytes))
            if info.isdir() or _is_ignored(info.name):
                continue
            if not info.isfile():
                so_far.leave_out(info.name, "a link" if info.islnk() or info.issym() else "no file")
                continue
            file = packed.extractfile(info)
            if file is not None:
                with closing(file):
                    yield _Entry(info.name, file)


def _is_ignored(name: str) -> bool:
    return not _IGNORED.isdisjoint(name.replace("\\", "/").split("/"))


def _write(
    entry: _Entry, into: Path, limits: Limits, so_far: Unpacked, alive: Callable[[], None]
) -> None:
    so_far.files += 1
    if so_far.files > limits.files:
        raise ArchiveRefused("too_many_files", detail=str(limits.files))
    path = into / safe_path(entry.name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        written = path.open("xb")
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        raise ArchiveRefused("twice", name=entry.name) from error
    with written:
        while data := entry.file.read(_CHUNK):
            so_far.total_bytes += len(data)
            if so_far.total_bytes > limits.total_bytes:
                raise ArchiveRefused("too_large", name=entry.name, detail=str(limits.total_bytes))
            written.write(data)
            alive()
