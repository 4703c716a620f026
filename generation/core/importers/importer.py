"""What every importer is: files of one kind in, records and refusals out, one at a time."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from generation.core.importers.errors import ImportInputError
from generation.core.importers.reports import Reports
from generation.core.official_prompts import PromptFile
from generation.core.records import PassedOver, Record, Refusal

UNRECOGNISED_LIMIT = 100


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to read, the path that the caller named, and the reports of this import."""

    path: Path
    given: Path
    reports: Reports

    @property
    def shown(self) -> str:
        """How records name the file: its path below the given folder, or its plain name."""
        if self.path == self.given:
            return self.path.name
        return self.path.relative_to(self.given).as_posix()

    def place(self, number: int = 0) -> str:
        """Return the path as given and the 1-based line or record, for a refusal."""
        return f"{self.path}:{number}" if number else str(self.path)


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

    def read(self, path: Path, *, reports: Path | None = None) -> Iterator[Found]:
        """Yield the records of a file or of a folder's files (sorted by path), one at a time.

        ``reports`` is the folder of evaluation reports, where the kind has them. A file of a
        folder that cannot be read is a ``Refusal``; one that was named itself is an error.

        Raises:
            ImportInputError: ``path`` is missing, holds no file of this kind, or cannot be read.
        """
        if reports is not None and not reports.exists():
            raise ImportInputError(reports, "no such folder of reports")
        if not path.exists():
            raise ImportInputError(path, "no such file or folder")
        if reports is not None and not reports.is_dir():
            raise ImportInputError(reports, "a folder of reports is expected")
        found_reports = Reports(given=path, named=reports)
        if path.is_file():
            yield from self._read(InputFile(path, path, found_reports))
            return
        files = sorted(self.files_in(path))
        if not files:
            raise ImportInputError(path, f"holds no file of kind {self.kind}")
        for file in files:
            try:
                yield from self._read(InputFile(file, path, found_reports))
            except ImportInputError as error:
                place = f"{error.path}:{error.line}" if error.line else error.path
                yield Refusal(where=place, why=error.why)

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
    return Refusal(where=file.place(found.number), why=found.why)
