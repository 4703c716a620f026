"""Patches applied to the files they change, as ``git apply`` does it: no fuzz, no whitespace ignored.

Source of the rules: ``apply.c`` of git. A hunk goes where its header says or to the nearest place,
later ones first, where its old lines stand; one that begins at line 1 only at the start of the
file, one without lines after its change only at the end. Lines that the patch wrote already are
never matched again. Stricter than git in one thing: a last line without a line end matches no other.
"""

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from generation.core.patches import Hunk, PatchedFile, PatchError, lines_with_ends, read_patch


def applied(text: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return all files by path as the patch leaves them; a removed one is left out.

    Carriage returns before line feeds count neither in the patch nor in the files, and are not in
    what comes back.

    Raises:
        PatchError: the patch can't be read or has no hunk, a file is missing or in the way, or a hunk
            does not fit.
    """
    patched = read_patch(text)
    if not any(file.hunks for file in patched):
        msg = "there is no hunk"
        raise PatchError(msg)
    changed = {path: body.replace("\r\n", "\n") for path, body in files.items()}
    for file in patched:
        if not file.old_path:
            if file.new_path in changed:
                msg = f"{file.new_path} is there already"
                raise PatchError(msg)
            lines: list[str] = []
        elif file.old_path not in changed:
            msg = f"{file.old_path} is not there"
            raise PatchError(msg)
        else:
            lines = lines_with_ends(changed.pop(file.old_path))
        left = _after(file.hunks, lines, file.old_path or file.new_path)
        if file.new_path:
            changed[file.new_path] = left
        elif left:
            msg = f"{file.old_path} is removed, but not all of its lines are"
            raise PatchError(msg)
    return changed


def touched_lines(file: PatchedFile, text: str) -> tuple[int, ...]:
    """Return the lines (1-based) of a file that a patch removes, or else writes something beside.

    Raises:
        PatchError: a hunk does not fit.
    """
    found: set[int] = set()
    lines = lines_with_ends(text.replace("\r\n", "\n"))
    count = len(lines)
    moved = 0
    for hunk, at in _placed(file.hunks, lines, file.old_path):
        first = at - moved
        for tag, start, stop, _, _ in SequenceMatcher(
            None, hunk.old, hunk.new, autojunk=False
        ).get_opcodes():
            if tag == "insert":
                found |= {first + start, first + start + 1}
            elif tag != "equal":
                found |= set(range(first + start + 1, first + stop + 1))
        moved += len(hunk.new) - len(hunk.old)
    return tuple(sorted(line for line in found if 1 <= line <= count))


def _after(hunks: tuple[Hunk, ...], lines: list[str], path: str) -> str:
    for _ in _placed(hunks, lines, path):
        pass
    return "".join(lines)


def _placed(hunks: tuple[Hunk, ...], lines: list[str], path: str) -> Iterator[tuple[Hunk, int]]:
    """Change ``lines`` hunk by hunk; yield each with the place, 0-based, where it went."""
    written: set[int] = set()
    moved = 0
    for hunk in hunks:
        old, new = _ended(hunk.old, hunk.old_is_bare), _ended(hunk.new, hunk.new_is_bare)
        at = _place(hunk, old, lines, moved, written)
        if at is None:
            msg = f"{path}: the old lines of the hunk at line {hunk.old_start} do not stand there"
            raise PatchError(msg)
        lines[at : at + len(old)] = new
        grown = len(new) - len(old)
        written = {n + grown if n >= at + len(old) else n for n in written}
        written.update(range(at, at + len(new)))
        moved += grown
        yield hunk, at


def _ended(lines: tuple[str, ...], is_bare: bool) -> list[str]:
    ended = [f"{line}\n" for line in lines]
    if is_bare and ended:
        ended[-1] = lines[-1]
    return ended


def _place(
    hunk: Hunk, old: list[str], lines: list[str], moved: int, written: set[int]
) -> int | None:
    """Return where a hunk's old lines begin, 0-based; None where they stand nowhere."""
    last = len(lines) - len(old)
    if last < 0:
        return None
    starts_file = hunk.old_start <= 1
    ends_file = not hunk.trails
    if starts_file:
        said, places = 0, [0] if not ends_file or last == 0 else []
    elif ends_file:
        said, places = last, [last]
    else:
        said = hunk.old_start - 1 + moved + (not old)
        places = sorted(range(last + 1), key=lambda at: (abs(at - said), at < said))
    for at in places:
        if lines[at : at + len(old)] == old and written.isdisjoint(range(at, at + len(old))):
            return at
    return None
