"""Names of files that strangers chose: taken where they are plain, refused where they are not."""

import re
from pathlib import PurePosixPath

LONGEST_NAME = 200
"""Bytes of one name; file systems take 255, and endings are added to some."""
LONGEST_PATH = 1_000
DEEPEST = 30
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
    "|[\ud800-\udfff]"
)
_DRIVE = re.compile(r"[A-Za-z]:")


class UnsafeName(ValueError):
    """A name that no file is given: ``name`` as it came, ``why`` in a few words."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name!r}: {why}")
        self.name = name
        self.why = why


def safe_name(name: str) -> str:
    """Return the last part of a name, as browsers of all systems send it, fit to be a file's.

    Raises:
        UnsafeName: nothing is left, it is too long, or holds characters that can't be seen.
    """
    plain = name.replace("\\", "/").rpartition("/")[2].strip()
    _refuse_part(plain, name)
    return plain


def safe_path(name: str) -> PurePosixPath:
    """Return the path of an archive's entry: relative, below where it begins.

    Raises:
        UnsafeName: it is absolute, climbs, is too long or deep, or a part of it is unsafe.
    """
    path = name.replace("\\", "/")
    if path.startswith("/") or _DRIVE.match(path):
        raise UnsafeName(name, "an absolute path")
    parts = [part for part in path.split("/") if part not in {"", "."}]
    if ".." in parts:
        raise UnsafeName(name, "it leads out of its folder")
    if len(parts) > DEEPEST or len(path) > LONGEST_PATH:
        raise UnsafeName(name[:LONGEST_NAME], "too long or too deep")
    for part in parts or [""]:
        _refuse_part(part, name)
    return PurePosixPath(*parts)


def _refuse_part(part: str, name: str) -> None:
    if part in {"", ".", ".."}:
        raise UnsafeName(name, "no name")
    if _HIDDEN.search(part):
        raise UnsafeName(name, "characters that can't be seen")
    if len(part.encode()) > LONGEST_NAME:
        raise UnsafeName(name[:LONGEST_NAME], f"longer than {LONGEST_NAME} bytes")
