"""What an importer raises when an input as a whole cannot be read."""

from pathlib import Path


class ImportInputError(Exception):
    """An input that cannot be read: a missing path, no JSON at all, another kind of file.

    ``path`` is the path as given; ``line`` the 1-based line or record, 0 where the whole file is
    meant; ``field`` the field that is missing or wrong, empty where none is to blame.
    """

    def __init__(self, path: Path | str, why: str, *, line: int = 0, field: str = "") -> None:
        self.path = str(path)
        self.line = line
        self.field = field
        self.why = why
        place = f"{self.path}:{line}" if line else self.path
        super().__init__(f"{place}: field {field!r}: {why}" if field else f"{place}: {why}")
