"""What every importer is: files of one kind in, records and refusals out, one at a time."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from generation.core.importers.errors import ImportInputError
from generation.core.importers.reports import Reports
from generation.core.official_prompts import PromptFile
from generation.core.records import PassedOver, Record, Refusal

UNRECOGNISED_LIMIT = 100

FileAt = Callable[[str, str, str], bytes | None]
"""Gives the bytes of a file by repository (``owner/name``), commit and path; None: there is none."""
_T = TypeVar("_T")


@runtime_checkable
class Closable(Protocol):
    """What holds a file or the like until it is closed."""

    def close(self) -> None:
        """Let it go."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to read, the path that the caller named, and what else this import may use.

    ``file_at`` reads files of repositories at a commit, ``pages`` is where the text of cited
    pages lies; None where the caller has none. ``memory`` is shared by the files of one import, and
    ``closing`` closes what was remembered at its end.
    """

    path: Path
    given: Path
    reports: Reports
    file_at: FileAt | None = None
    pages: Path | None = None
    memory: dict[Any, Any] = field(default_factory=dict)
    closing: ExitStack = field(default_factory=ExitStack)

    @property
    def shown(self) -> str:
        """How records name the file: its path below the given folder, or its plain name."""
        if self.path == self.given:
            return self.path.name
        return self.path.relative_to(self.given).as_posix()

    def place(self, number: int = 0) -> str:
        """Return the path as given and the 1-based line or record, for a refusal."""
        return f"{self.path}:{number}" if number else str(self.path)

    def remembered(self, path: Path, read: Callable[[Path], _T]) -> _T:
        """Return what ``read`` makes of ``path``, read once in an import."""
        key = (read, path)
        if key not in self.memory:
            self.memory[key] = made = read(path)
            if isinstance(made, Closable):
                self.closing.callback(made.close)
        found: _T = self.memory[key]
        return found


@dataclass(frozen=True, slots=True)
class Unrecognised:
    """A line or record that is not of the importer's kind: where it stands, and why not."""

    number: int
    why: str
    field: str = ""


Found = Record | Refusal | PassedOver
ReadFile = Callable[[InputFile], Iterator[Found | Unrecognised]]
FindFiles = Callable[[Path], Iterable[Path]]
ReadPrompts = Callable[[Path], Iterable[PromptFile | Refusal]]


@dataclass(frozen=True, slots=True)
class Importer:
    """One kind of source: ``files_in`` names a folder's files, ``read_file`` reads one.

    ``read_prompts`` reads the prompts that a folder holds beside its records, where the kind
    has them.
    """

    kind: str
    files_in: FindFiles
    read_file: ReadFile
    read_prompts: ReadPrompts | None = None

    def read(
        self,
        path: Path,
        *,
        reports: Path | None = None,
        file_at: FileAt | None = None,
        pages: Path | None = None,
    ) -> Iterator[Found]:
        """Yield the records of a file or of a folder's files (sorted by path), one at a time.

        ``reports`` is the folder of evaluation reports, ``pages`` the file or folder with the text
        of cited pages, ``file_at`` reads a repository's files, where the kind has a use for them.
        A file of a folder that cannot be read is a ``Refusal``; one that was named itself is an
        error.

        Raises:
            ImportInputError: ``path`` is missing, holds no file of this kind, or cannot be read.
        """
        if reports is not None and not reports.exists():
            raise ImportInputError(reports, "no such folder of reports")
        if pages is not None and not pages.exists():
            raise ImportInputError(pages, "no such file or folder of pages")
        if not path.exists():
            raise ImportInputError(path, "no such file or folder")
        if reports is not None and not reports.is_dir():
            raise ImportInputError(reports, "a folder of reports is expected")
        found_reports = Reports(given=path, named=reports)
        memory: dict[Any, Any] = {}
        files = [path] if path.is_file() else sorted(self.files_in(path))
        if not files:
            raise ImportInputError(path, f"holds no file of kind {self.kind}")
        with ExitStack() as closing:
            for each in files:
                file = InputFile(each, path, found_reports, file_at, pages, memory, closing)
                try:
                    yield from self._read(file)
                except ImportInputError as error:
                    if path.is_file():
                        raise
                    place = f"{error.path}:{error.line}" if error.line else error.path
                    yield Refusal(where=place, why=error.why, field=error.field)

    def _read(self, file: InputFile) -> Iterator[Found]:
        """Hold back what is not recognised until a record is: a file without one is no input."""
        held: list[Unrecognised] = []
        recognised = False
        for found in self.read_file(file):
            if not isinstance(found, Unrecognised):
                if not recognised:
                    recognised = True
                    yield from (_refusal(file, each) for each in held)
                yield found
            elif recognised:
                yield _refusal(file, found)
            else:
                held.append(found)
                if len(held) >= UNRECOGNISED_LIMIT:
                    break
        if not recognised:
            if not held:
                raise ImportInputError(file.path, f"holds no record of kind {self.kind}")
            first = held[0]
            raise ImportInputError(file.path, first.why, line=first.number, field=first.field)


def _refusal(file: InputFile, found: Unrecognised) -> Refusal:
    return Refusal(where=file.place(found.number), why=found.why, field=found.field)
