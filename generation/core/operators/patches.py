"""Patches in unified format: read, and applied to the files they change, strictly."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_DEV_NULL = "/dev/null"


class PatchFault(ValueError):
    """A patch that can't be read or does not apply; says where and why."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Where a change stands (1-based line of the old file), the old lines and the new ones."""

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """What a patch does to one file; a path is empty where the file is made or removed."""

    old_path: str
    new_path: str
    hunks: tuple[Hunk, ...]


def read_patch(text: str) -> tuple[FilePatch, ...]:
    """Return what a patch does, file by file.

    Raises:
        PatchFault: there is no hunk, or one has other lines than its header says.
    """
    lines = text.splitlines()
    found: list[FilePatch] = []
    place = 0
    while place < len(lines):
        if lines[place].startswith("--- ") and lines[place + 1 : place + 2]:
            after = lines[place + 1]
            if not after.startswith("+++ "):
                msg = f"line {place + 2}: '+++' is missing after '---'"
                raise PatchFault(msg)
            paths = _path(lines[place]), _path(after)
            hunks, place = _hunks(lines, place + 2)
            found.append(FilePatch(*paths, hunks))
        else:
            place += 1
    if not any(file.hunks for file in found):
        msg = "there is no hunk"
        raise PatchFault(msg)
    return tuple(found)


def applied(text: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the changed files by their new path; a removed one is left out.

    A hunk goes where its header says, or else to the only place where its old lines stand.

    Raises:
        PatchFault: the patch can't be read, a file is missing, or a hunk does not fit.
    """
    changed = dict(files)
    for file in read_patch(text):
        if not file.old_path:
            lines: list[str] = []
        elif file.old_path not in changed:
            msg = f"{file.old_path} is not there"
            raise PatchFault(msg)
        else:
            lines = changed.pop(file.old_path).splitlines()
        moved = 0
        for hunk in file.hunks:
            at = _place_of(hunk, lines, moved, file.old_path)
            lines[at : at + len(hunk.old)] = hunk.new
            moved += len(hunk.new) - len(hunk.old)
        if file.new_path:
            changed[file.new_path] = "".join(f"{line}\n" for line in lines)
    return changed


def _path(line: str) -> str:
    name = line[4:].split("\t")[0].strip()
    if name == _DEV_NULL:
        return ""
    return name[2:] if name.startswith(("a/", "b/")) else name


def _hunks(lines: list[str], place: int) -> tuple[tuple[Hunk, ...], int]:
    hunks = []
    while place < len(lines) and (header := _HUNK.match(lines[place])):
        start, old_count, _, new_count = (1 if n is None else int(n) for n in header.groups())
        old: list[str] = []
        new: list[str] = []
        at = place + 1
        while at < len(lines) and (len(old) < old_count or len(new) < new_count):
            mark, rest = lines[at][:1], lines[at][1:]
            if mark in ("-", " ", ""):
                old.append(rest)
            if mark in ("+", " ", ""):
                new.append(rest)
            if mark not in ("-", "+", " ", "", "\\"):
                break
            at += 1
        if (len(old), len(new)) != (old_count, new_count):
            msg = f"line {place + 1}: the hunk has other lines than its header says"
            raise PatchFault(msg)
        hunks.append(Hunk(start, tuple(old), tuple(new)))
        place = at
        while place < len(lines) and lines[place].startswith("\\"):
            place += 1
    return tuple(hunks), place


def _place_of(hunk: Hunk, lines: list[str], moved: int, path: str) -> int:
    size = len(hunk.old)
    if not size:
        return min(len(lines), hunk.start + moved)
    said = hunk.start - 1 + moved
    if said >= 0 and tuple(lines[said : said + size]) == hunk.old:
        return said
    fits = [at for at in range(len(lines) - size + 1) if tuple(lines[at : at + size]) == hunk.old]
    if len(fits) != 1:
        msg = f"{path}: the old lines of the hunk at line {hunk.start} stand at {len(fits)} places"
        raise PatchFault(msg)
    return fits[0]
