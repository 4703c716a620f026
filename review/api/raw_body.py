"""Bodies that are no JSON but a file: handed on piece by piece, never held whole."""

from collections.abc import Iterator, Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser

_CHUNK = 256 * 1024


class Pieces:
    """The bytes of a body, to be read once."""

    def __init__(self, stream: IO[Any]) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        """Yield the bytes in order."""
        while data := self._stream.read(_CHUNK):
            yield data


class RawParser(BaseParser):
    """Takes any bytes."""

    media_type = "application/octet-stream"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the body's bytes as ``Pieces``, not read yet."""
        return Pieces(stream)
