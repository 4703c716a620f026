"""Exports frozen releases to folders."""

from collections.abc import Callable, Iterator
from pathlib import Path

from review.core.export.native import appearing_whole, write_native
from review.core.spool import unpack
from review.models import ItemRole, Release


def export_native(release: Release, out: Path, *, progress: Callable[[str], None]) -> None:
    """Write the native export of a release to the new folder ``out``.

    ``progress`` is told each file that is begun. Memory does not grow with the release.

    Raises:
        ExportError: ``out`` exists or can't be written, or a digest differs.
    """

    def lines(path: str) -> Iterator[bytes]:
        progress(path)
        return _lines_of(release, path.removeprefix("items/").removesuffix(".jsonl"))

    with appearing_whole(out) as folder:
        write_native(folder, manifest=release.manifest, files=release.files, lines=lines)


def _lines_of(release: Release, subtask: str) -> Iterator[bytes]:
    """Yield the lines of a subtask sorted by id: here, since databases sort text each their way."""
    rows = release.items.filter(subtask=subtask, role=ItemRole.TEST)
    keys = [pk for _item_id, pk in sorted(rows.values_list("item_id", "pk"))]
    for start in range(0, len(keys), 50):
        chunk = keys[start : start + 50]
        found = release.items.in_bulk(chunk)
        for pk in chunk:
            yield unpack(found[pk].line)
