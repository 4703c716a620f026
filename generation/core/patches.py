"""Reads patches in unified format: which files they touch, and the lines they expect there."""

import re
from dataclasses import dataclass

LONGEST_PATCH = 4_000_000
"""Characters; a longer text is not read as a patch."""

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_LINE_START = re.compile(r"(?<=\n)")
_NO_FILE = "/dev/null"


class PatchError(ValueError):
    """A text that is no whole patch; the message names the line."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """One hunk: ``old`` are the lines it expects from line ``old_start`` on, ``new`` what it leaves.

    Lines have no line end. Where nothing is expected, ``old_start`` is the line it comes after.
    ``old_is_bare`` and ``new_is_bare`` tell that the last of the lines ends its file without a line
    end, ``trails`` that lines which stay follow the last change.
    """

    old_start: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    old_is_bare: bool = False
    new_is_bare: bool = False
    trails: bool = True


@dataclass(frozen=True, slots=True)
class PatchedFile:
    """A file of a patch by its path before and after; an empty path means there was or is none."""

    old_path: str
    new_path: str
    hunks: tuple[Hunk, ...]


def read_patch(patch: str) -> tuple[PatchedFile, ...]:
    """Return the files of a patch in order; what stands between them is passed over.

    Raises:
        PatchError: it is over ``LONGEST_PATCH`` characters long, or a hunk belongs to no file, or
            breaks off before its announced length.
    """
    if len(patch) > LONGEST_PATCH:
        msg = f"{len(patch)} characters, {LONGEST_PATCH} at most"
        raise PatchError(msg)
    lines = patch.replace("\r\n", "\n").removesuffix("\n").split("\n")
    files: list[PatchedFile] = []
    hunks: list[Hunk] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        after = lines[number + 1] if number + 1 < len(lines) else ""
        if line.startswith("--- ") and after.startswith("+++ "):
            hunks = []
            files.append(PatchedFile(_path(line), _path(after), ()))
            number += 2
        elif (found := _HUNK.match(line)) is not None:
            if not files:
                msg = f"line {number + 1}: a hunk before any file"
                raise PatchError(msg)
            hunk, number = _hunk(lines, number, found)
            hunks.append(hunk)
            files[-1] = PatchedFile(files[-1].old_path, files[-1].new_path, tuple(hunks))
        else:
            number += 1
    return tuple(files)


def lines_with_ends(text: str) -> list[str]:
    """Return the lines of a file as patches see them: parted at line feeds; the last may have none."""
    return [line for line in _LINE_START.split(text) if line]


def _path(line: str) -> str:
    """Return the path of a ``---`` or ``+++`` line without ``a/`` and ``b/``, git's quotes undone."""
    name = line[4:].split("\t", 1)[0].strip()
    if name.startswith('"') and name.endswith('"'):
        octal = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), name[1:-1])
        name = octal.encode("latin-1", errors="replace").decode(errors="replace")
    if name == _NO_FILE:
        return ""
    return name[2:] if name.startswith(("a/", "b/")) else name


def _hunk(lines: list[str], at: int, found: re.Match[str]) -> tuple[Hunk, int]:
    wanted_old, wanted_new = int(found[2] or 1), int(found[4] or 1)
    old: list[str] = []
    new: list[str] = []
    bare: set[str] = set()
    line: str | None = None
    number = at + 1
    while len(old) < wanted_old or len(new) < wanted_new:
        line = lines[number] if number < len(lines) else None
        if line is None or line[:1] not in {"", " ", "-", "+", "\\"}:
            msg = f"line {number + 1}: the hunk of line {at + 1} breaks off"
            raise PatchError(msg)
        if line[:1] in {"", " ", "-"}:
            old.append(line[1:])
        if line[:1] in {"", " ", "+"}:
            new.append(line[1:])
        number += 1
        if lines[number : number + 1] and lines[number].startswith("\\"):
            bare |= {"-", "+"} if line[:1] in {"", " "} else {line[:1]}
    hunk = Hunk(
        old_start=int(found[1]),
        old=tuple(old),
        new=tuple(new),
        old_is_bare="-" in bare,
        new_is_bare="+" in bare,
        trails=line is not None and line[:1] in {"", " "},
    )
    return hunk, number
