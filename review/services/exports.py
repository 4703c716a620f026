"""Exports frozen releases to folders."""

from collections.abc import Callable, Iterator
from pathlib import Path

from generation.core.appearing import appearing_folder
from generation.core.chunks import chunks
from review.core.export.native import write_native
from review.core.spool import unpack
from review.models import ItemRole, Release, ReleaseItem

_CHUNK = 50


def export_native(release: Release, out: Path, *, progress: Callable[[str], None]) -> None:
    """Write the native export of a release to the new folder ``out``.

    ``progress`` is told each file that is begun. Memory does not grow with the release.

    Raises:
        TargetExists: ``out`` is there already.
        ExportError: a digest differs.
        OSError: something can't be written; nothing is left behind.
    """

    def lines(path: str) -> Iterator[bytes]:
        progress(path)
        return _lines(release, path)

    with appearing_folder(out) as folder:
        write_native(folder, manifest=release.manifest, files=release.files, lines=lines)


def file_parts(release: Release, path: str) -> Iterator[bytes]:
    """Yield a file of the native export in pieces; ``path`` is one of the manifest's.

    Memory does not grow with the release. Nothing is held against the digests: who asks has them.
    """
    text = release.files.get(path)
    return iter((text.encode(),)) if text is not None else _lines(release, path)


def _lines(release: Release, path: str) -> Iterator[bytes]:
    """Yield the lines of a file that has one a test item."""
    if path == "reviews.jsonl":
        return (item.review.encode() for item in _test_items(release))
    subtask = path.removeprefix("items/").removesuffix(".jsonl")
    return (unpack(item.line) for item in _test_items(release, subtask=subtask))


def _test_items(release: Release, **only: str) -> Iterator[ReleaseItem]:
    """Yield test items sorted by id: sorted here, since databases sort text each their way."""
    rows = release.items.filter(role=ItemRole.TEST, **only)
    keys = [pk for _item_id, pk in sorted(rows.values_list("item_id", "pk"))]
    for some in chunks(keys, _CHUNK):
        found = release.items.in_bulk(some)
        yield from (found[pk] for pk in some)
