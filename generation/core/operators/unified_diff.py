"""Writes the difference of two texts as a patch, the smallest one, headed by the file's path alone."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from generation.core.patches import lines_with_ends

CONTEXT = 3
"""Lines that stay, before and after each change."""
_BARE = "\\ No newline at end of file\n"
_Change = tuple[int, int, int, int]


def unified_diff(path: str, before: str | None, after: str | None) -> str:
    """Return the patch of one file; empty where nothing changes.

    Args:
        path: Of the file, before and after.
        before: None where there is no such file yet.
        after: None where there is none any more.
    """
    old, new = lines_with_ends(before or ""), lines_with_ends(after or "")
    hunks = [_hunk(old, new, group) for group in _groups(_changes(old, new))]
    if not hunks:
        return ""
    names = (
        "/dev/null" if before is None else f"a/{path}",
        ("/dev/null" if after is None else f"b/{path}"),
    )
    return f"diff --git a/{path} b/{path}\n--- {names[0]}\n+++ {names[1]}\n{''.join(hunks)}"


def _changes(old: list[str], new: list[str]) -> list[_Change]:
    """Return the old lines (start, stop) and the new ones that replace them, in order."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    # Only what lies between is compared: long files differ at one place.
    matcher = SequenceMatcher(
        None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False
    )
    return [
        (head + first, head + last, head + start, head + stop)
        for tag, first, last, start, stop in matcher.get_opcodes()
        if tag != "equal"
    ]


def _groups(changes: list[_Change]) -> Iterator[list[_Change]]:
    """Yield the changes hunk by hunk: those whose lines of context meet go together."""
    group: list[_Change] = []
    for change in changes:
        if group and change[0] - group[-1][1] > 2 * CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(old: list[str], new: list[str], changes: list[_Change]) -> str:
    first, start = changes[0][0], changes[0][2]
    lead = min(CONTEXT, first)
    first, start = first - lead, start - lead
    last = min(len(old), changes[-1][1] + CONTEXT)
    stop = changes[-1][3] + last - changes[-1][1]
    rows: list[str] = []
    at = first
    for removed, until, added, to in changes:
        rows += [f" {row}" for row in old[at:removed]]
        rows += [f"-{row}" for row in old[removed:until]]
        rows += [f"+{row}" for row in new[added:to]]
        at = until
    rows += [f" {row}" for row in old[at:last]]
    body = "".join(row if row.endswith("\n") else f"{row}\n{_BARE}" for row in rows)
    return f"@@ -{_range(first, last)} +{_range(start, stop)} @@\n{body}"


def _range(first: int, last: int) -> str:
    if first == last:
        return f"{first},0"
    return f"{first + 1}" if last - first == 1 else f"{first + 1},{last - first}"
