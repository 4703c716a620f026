"""Finds issues and comments in what GitHub's REST API, its webhooks and recordings of it hand out.

An issue comes with those comments that stand in the same value; comments in files of their own are
spooled to a temporary file and joined by ``issue_url``, so that memory holds one thread at a time.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generation.core.importers.errors import ImportInputError
from generation.core.importers.streams import Parsed, json_values
from generation.core.records import Note

NO_ISSUE = "no issue of the GitHub API"
COMMENT = "a comment: it is read with its issue, from the issue's file or folder"


@dataclass(frozen=True, slots=True)
class Thread:
    """An issue as it came and the comments that came with it; None where they lie elsewhere."""

    issue: Mapping[str, Any]
    comments: tuple[Any, ...] | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Other:
    """A value that holds no issue: a comment by itself, or what ``why`` says."""

    why: str
    is_known: bool = False


def threads_of(value: Any) -> Iterator[Thread | Other]:
    """Yield the threads that one JSON value holds.

    A value is an issue; an issue with its ``comments``; a page of a search (``items``); an event
    (``issue`` and perhaps ``comment``) or a list of ``examples`` of events; or a recorded
    exchange, whose ``response`` is any of these or a list of them.
    """
    if not isinstance(value, dict):
        yield Other(f"{NO_ISSUE}: no object")
    elif isinstance(value.get("issue"), dict):
        yield _bundle(value)
    elif "method" in value and "response" in value:
        yield from _exchange(value["response"])
    elif isinstance(value.get("examples"), list):
        for example in value["examples"]:
            yield from threads_of(example)
    elif isinstance(value.get("items"), list) and "total_count" in value:
        yield from _page(value)
    elif is_comment(value):
        yield Other(COMMENT, is_known=True)
    elif "title" in value and "number" in value:
        yield Thread(value)
    else:
        yield Other(f"{NO_ISSUE}: no 'title' and 'number'")


def is_comment(value: Any) -> bool:
    """Say whether a value is a comment of an issue."""
    return isinstance(value, dict) and "issue_url" in value and "title" not in value


def _bundle(value: Mapping[str, Any]) -> Thread:
    comments = value.get("comments")
    if isinstance(comments, list):
        return Thread(value["issue"], tuple(comments))
    comment = value.get("comment")
    return Thread(value["issue"], (comment,) if isinstance(comment, dict) else None)


def _exchange(response: Any) -> Iterator[Thread | Other]:
    for value in response if isinstance(response, list) else [response]:
        for found in threads_of(value):
            # An exchange may be about anything: what is no issue there is meant to be none.
            is_issue = isinstance(found, Thread)
            yield found if is_issue else Other("an exchange about something else", is_known=True)
    if response == []:
        yield Other("an exchange about something else", is_known=True)


def _page(page: Mapping[str, Any]) -> Iterator[Thread | Other]:
    total, items = page["total_count"], page["items"]
    notes: tuple[Note, ...] = ()
    if isinstance(total, int) and total > len(items):
        notes = (Note("incomplete_page", "items", f"{len(items)} of {total} issues found"),)
    for item in items:
        for found in threads_of(item):
            yield Thread(found.issue, found.comments, notes) if isinstance(found, Thread) else found


class Comments:
    """The comments in the files of one folder, by the address of their issue."""

    def __init__(self, folder: Path) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._places: dict[str, list[tuple[int, int]]] = {}
        for path in sorted(folder.iterdir()):
            if path.is_file() and path.suffix in {".json", ".jsonl", ".ndjson"}:
                with suppress(ImportInputError):  # it is named when its turn comes
                    self._take(path)

    def of(self, url: str) -> tuple[Any, ...]:
        """Return the comments on the issue with an API address, in the order of their files."""
        found = []
        for start, length in self._places.get(url, ()):
            self._file.seek(start)
            found.append(json.loads(self._file.read(length)))
        return tuple(found)

    def close(self) -> None:
        """Remove the temporary file."""
        self._file.close()

    def _take(self, path: Path) -> None:
        for parsed in json_values(path):
            value = parsed.value if isinstance(parsed, Parsed) else None
            if not isinstance(value, dict) or not is_comment(value):
                return  # a file holds comments from its first value on, or none
            url = value["issue_url"]
            if isinstance(url, str):
                data = json.dumps(value).encode()
                self._places.setdefault(url, []).append((self._file.tell(), len(data)))
                self._file.write(data)
