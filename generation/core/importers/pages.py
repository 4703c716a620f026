"""The text of cited pages, by address: from JSON lines, or from a folder of text files.

Rows: ``url`` and ``text`` (or ``content``, ``markdown``, ``url_content``), or, as scrapers of
DeepResearch-Bench write them, ``citations_deduped`` that maps addresses to ``{"url_content": …}``.
Text files are named by the address, percent-encoded, or by its SHA-256, and end in .txt or .md.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from generation.core.importers.line_index import LineIndex

LARGEST_PAGE = 2_000_000
"""Characters of a page that are kept."""
_TEXTS = ("text", "content", "markdown", "url_content")
_ENDINGS = (".txt", ".md")
_LONGEST_NAME = 240


class Pages:
    """Looks pages up in a file of JSON lines or in a folder.

    Raises:
        ImportInputError: a file of pages cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._folder = path if path.is_dir() else None
        files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        self._rows = LineIndex(files, _addresses)

    def text(self, url: str) -> str:
        """Return the text of a page, empty where there is none."""
        return (self._in_rows(url) or self._in_folder(url))[:LARGEST_PAGE]

    def close(self) -> None:
        """Close the files."""
        self._rows.close()

    def _in_rows(self, url: str) -> str:
        row = self._rows.row(_plain(url))
        if not isinstance(row, dict):
            return ""
        several = row.get("citations_deduped")
        if isinstance(several, dict):
            wanted = _plain(url)
            row = next((held for name, held in several.items() if _plain(name) == wanted), {})
        return _text_of(row)

    def _in_folder(self, url: str) -> str:
        if self._folder is None:
            return ""
        for name in (quote(url, safe=""), hashlib.sha256(url.encode()).hexdigest()):
            for ending in _ENDINGS if len(name) <= _LONGEST_NAME else ():
                path = self._folder / f"{name}{ending}"
                if path.is_file():
                    with path.open("rb") as file:
                        return file.read(4 * LARGEST_PAGE).decode(errors="replace")
        return ""


def _addresses(row: Any) -> Iterator[str]:
    if not isinstance(row, dict):
        return
    if isinstance(row.get("url"), str):
        yield _plain(row["url"])
    several = row.get("citations_deduped")
    yield from (_plain(url) for url in several) if isinstance(several, dict) else ()


def _text_of(row: Any) -> str:
    if not isinstance(row, Mapping):
        return ""
    return next((row[name] for name in _TEXTS if isinstance(row.get(name), str)), "")


def _plain(url: str) -> str:
    """Return an address without its fragment and a slash at the end: both give the same page."""
    return url.strip().partition("#")[0].rstrip("/")
