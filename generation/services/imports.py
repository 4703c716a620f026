"""Imports an upload in the worker: read whole first, then stored part by part.

The first reading counts, and refuses a file that breaks off before anything of it is stored. The
second stores batches, each with the counts and refusals that belong to it in one transaction, so
that a worker that dies leaves whole records and exact counts, and the next goes on behind them.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any

from generation.core.importers.catalogue import IMPORTERS
from generation.core.importers.errors import ImportInputError
from generation.core.importers.importer import Found
from generation.core.records import Document, PassedOver, Question, Record, Refusal
from generation.models import Job, JobLeftOut, Left
from generation.services import uploads
from generation.services.job_steps import Given, JobEnded
from generation.services.prompts import store_prompts
from generation.services.sources import Stored, store_records
from generation.services.texts import storable

MOST_LISTED = 20_000
"""Refusals and the like that are listed one by one; further ones are counted."""
MOST_UNREAD_LISTED = 1_000
NO_FILE_OF_KIND = "its name is not one of this kind's; it was read beside the others at most"
_BATCH_RECORDS = 200
_BATCH_CHARACTERS = 4_000_000
_SECONDS_BETWEEN_WORDS = 2.0
_LINE = re.compile(r"(.+):(\d+)\Z", re.DOTALL)
_FIELD = re.compile(r"\bfield '([^']{1,200})'")


def run_import(given: Given) -> None:
    """Import the upload of a job.

    Raises:
        JobEnded: it was stopped or taken away, or its files can't be read (with the reason).
    """
    try:
        alive = _sign_of_life(given)
        upload = _Upload(given.order["kind"], given.folder, alive)
        total = _count(given, upload, alive)
        given.tell(total=total)
        for batch in batches(islice(upload.records(), given.done, None)):
            given.store(len(batch), partial(_store, given, upload, batch))
        given.store(0, partial(_store_rest, given, upload))
    except uploads.UploadRefused as refused:
        detail = ": ".join(filter(None, (refused.name, refused.detail)))
        raise JobEnded(refused.kind, detail) from refused
    except ImportInputError as error:
        place = upload.row(error.path, error.why, line=error.line, field=error.field)
        raise JobEnded("unreadable", _words(place)) from error


class _Upload:
    """The files of an upload as an importer reads them, and the places in them as people know them."""

    def __init__(self, kind: str, folder: str, alive: Callable[[], None]) -> None:
        self.importer = IMPORTERS[kind]
        self.base = uploads.folder_of(folder) / "files"
        self.root, self.not_unpacked = uploads.unpacked(folder, alive=alive)
        inside = self.root.is_dir()
        self.files = sorted(p for p in self.root.rglob("*") if p.is_file()) if inside else []
        self.named = set(self.importer.files_in(self.root)) if inside else set()

    def records(self) -> Iterator[Found]:
        """Yield what the importer finds: in the one file, the folder, or each file by itself.

        Files whose names are not the kind's are read by themselves where none is named so.

        Raises:
            ImportInputError: the one file can't be read, or no file is there.
        """
        if self.named or not self.files:
            yield from self.importer.read(self.root)
            return
        for path in self.files:
            try:
                yield from self.importer.read(path)
            except ImportInputError as error:
                place = f"{path}:{error.line}" if error.line else str(path)
                yield Refusal(place, error.why, error.field)

    def unread(self) -> list[Path]:
        """Return the files that the importer leaves alone, being named otherwise."""
        return [path for path in self.files if self.named and path not in self.named]

    def row(self, where: str, why: str, *, line: int = 0, field: str = "") -> JobLeftOut:
        """Return an unsaved row for what was left out: file, line and field taken apart."""
        place = _LINE.fullmatch(where) if not line else None
        file, number = (place[1], int(place[2])) if place else (where, line)
        named = _FIELD.search(why)
        return JobLeftOut(
            file=storable(self._shown(file)),
            line=number,
            field=storable(field or (named[1] if named else "")),
            why=storable(self._shown(why)),
        )

    def _shown(self, text: str) -> str:
        return text.replace(f"{self.base}/", "").replace(str(self.base), "")


def _words(row: JobLeftOut) -> str:
    place = f"{row.file}:{row.line}" if row.line else row.file
    return f"{place}: {row.why}"


def _sign_of_life(given: Given) -> Callable[[], None]:
    """Return what renews the lease while nothing is stored, however often it is called."""
    last = monotonic()

    def alive() -> None:
        nonlocal last
        if monotonic() - last > _SECONDS_BETWEEN_WORDS:
            given.tell()
            last = monotonic()

    return alive


def _count(given: Given, upload: _Upload, alive: Callable[[], None]) -> int:
    """Read everything once and return how many parts there are, with a sign of life meanwhile."""
    if given.done:
        return Job.objects.values_list("total", flat=True).get(pk=given.pk)
    count = 0
    for _each in upload.records():
        count += 1
        alive()
    return count


def _store(given: Given, upload: _Upload, batch: Sequence[Found]) -> Mapping[str, Any]:
    """Store a batch in the caller's transaction and return the result so far."""
    stored = store_records([e for e in batch if not isinstance(e, Refusal | PassedOver)])
    rows = []
    for each in batch:
        if isinstance(each, Refusal | PassedOver):
            field = each.field if isinstance(each, Refusal) else ""
            row = upload.row(each.where, each.why, field=field)
            row.outcome = Left.REFUSED if isinstance(each, Refusal) else Left.PASSED_OVER
            rows.append(row)
    result = dict(given.result)
    _list(given.pk, rows, result)
    outcomes = Counter(row.outcome for row in rows)
    for name, count in _counts(stored, outcomes, batch).items():
        result[name] = result.get(name, 0) + count
    for name, counted in (("forms", stored.forms), ("licences", stored.licences)):
        result[name] = dict(Counter(result.get(name, {})) + counted)
    return result


def _counts(stored: Stored, outcomes: Counter[str], batch: Sequence[Found]) -> dict[str, int]:
    return {
        "read": len(batch) - outcomes[Left.PASSED_OVER],
        "imported": stored.imported,
        "skipped": stored.skipped,
        "refused": outcomes[Left.REFUSED],
        "passed_over": outcomes[Left.PASSED_OVER],
    }


def _store_rest(given: Given, upload: _Upload) -> Mapping[str, Any]:
    """Store the prompts beside the records, and list the files that were not read."""
    result = dict(given.result)
    if "unread" in result:
        return result
    rows = []
    if upload.importer.read_prompts and upload.root.is_dir():
        found = list(upload.importer.read_prompts(upload.root))
        refused = [each for each in found if isinstance(each, Refusal)]
        result["prompts"] = store_prompts(each for each in found if not isinstance(each, Refusal))
        result["refused"] = result.get("refused", 0) + len(refused)
        rows = [upload.row(each.where, each.why) for each in refused]
    for row in rows:
        row.outcome = Left.REFUSED
    unread = upload.unread()
    left = [upload.row(str(path), NO_FILE_OF_KIND) for path in unread[:MOST_UNREAD_LISTED]]
    left += [upload.row(name, why) for name, why in upload.not_unpacked]
    for row in left:
        row.outcome = Left.UNREAD
    result["unread"] = len(unread) + len(upload.not_unpacked)
    _list(given.pk, [*rows, *left], result)
    return result


def _list(job_pk: int, rows: Sequence[JobLeftOut], result: dict[str, Any]) -> None:
    """Store rows under the next numbers, as many as are listed."""
    listed = result.get("listed", 0)
    shown = rows[: max(0, MOST_LISTED - listed)]
    for number, row in enumerate(shown, start=listed + 1):
        row.job_id, row.number = job_pk, number
    JobLeftOut.objects.bulk_create(shown, batch_size=500)
    result["listed"] = listed + len(shown)


def batches(found: Iterator[Found], *, refusal_ends: bool = False) -> Iterator[list[Found]]:
    """Yield what was found in batches of bounded number and size.

    With ``refusal_ends`` a refusal ends its batch, so that all before it is stored first.
    """
    batch: list[Found] = []
    size = 0
    for each in found:
        batch.append(each)
        size += 0 if isinstance(each, Refusal | PassedOver) else _size(each)
        is_full = len(batch) >= _BATCH_RECORDS or size >= _BATCH_CHARACTERS
        if is_full or (refusal_ends and isinstance(each, Refusal)):
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _size(record: Record) -> int:
    if isinstance(record, Document):
        return sum(len(section.text) for section in record.sections)
    if isinstance(record, Question):
        return sum(map(len, record.slots.values()))
    return sum(len(step.observation) for step in record.steps)
