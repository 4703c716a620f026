"""Finds the rows of a JSON lines file by a key, without holding more than their places in memory."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from generation.core.importers.streams import NotJsonError, open_input, parse_json

_LONGEST_LINE = 64 * 1024 * 1024


class LineIndex:
    """The rows of some files by key; of several with one key the last counts.

    ``keys_of`` names the keys of a row; a line that is no JSON, and a row without a key, is passed
    over: it is named where its own file is imported.

    Raises:
        ImportInputError: a file cannot be opened, or is UTF-16.
    """

    def __init__(self, paths: list[Path], keys_of: Callable[[Any], Iterator[str]]) -> None:
        self._files: list[BinaryIO] = []
        self._places: dict[str, tuple[int, int]] = {}
        for path in paths:
            file = open_input(path)
            self._files.append(file)
            self._take(len(self._files) - 1, file, keys_of)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def row(self, key: str) -> Any:
        """Return the row with a key; None where there is none."""
        if key not in self._places:
            return None
        number, start = self._places[key]
        self._files[number].seek(start)
        return parse_json(self._files[number].readline(_LONGEST_LINE).strip())[0]

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()

    def _take(self, number: int, file: BinaryIO, keys_of: Callable[[Any], Iterator[str]]) -> None:
        start = file.tell()
        while line := file.readline(_LONGEST_LINE):
            try:
                for key in keys_of(parse_json(line.strip())[0]) if line.strip() else ():
                    self._places[key] = (number, start)
            except NotJsonError:
                pass
            start = file.tell()
