"""Keeps the lines of a release on disk between rendering and storing, so that memory stays flat."""

import hashlib
import zlib
from collections.abc import Iterable
from tempfile import TemporaryFile
from typing import Self

from review.core.manifest import FileEntry


class LineSpool:
    """Compressed lines by name in a temporary file that ends with the ``with`` block."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115  it lives as long as the spool
        self._places: dict[str, tuple[int, int]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._file.close()

    def add(self, name: str, line: str) -> None:
        """Keep a line under a name that is new."""
        packed = zlib.compress(line.encode(), 6)
        self._places[name] = (self._file.seek(0, 2), len(packed))
        self._file.write(packed)

    def packed(self, name: str) -> bytes:
        """Return the compressed line of that name.

        Raises:
            KeyError: there is none.
        """
        start, length = self._places[name]
        self._file.seek(start)
        return self._file.read(length)

    def entry(self, path: str, names: Iterable[str]) -> FileEntry:
        """Return the manifest entry of a file that holds these lines in this order."""
        digest, size, rows = hashlib.sha256(), 0, 0
        for name in names:
            data = unpack(self.packed(name))
            digest.update(data)
            size, rows = size + len(data), rows + 1
        return FileEntry(path, digest.hexdigest(), size, rows)


def unpack(packed: bytes | memoryview) -> bytes:
    """Return the bytes of a compressed line; databases hand it out as bytes or memoryview."""
    return zlib.decompress(packed)
