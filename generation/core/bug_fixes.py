"""What the questions on bug fixes are made from: the issue, the right patch, the files it changes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from generation.core.operators.patches import applied
from generation.core.patches import PatchedFile, PatchError, read_patch
from generation.core.records import Document

NO_FILE = "the text of a changed file is not here: import with --repos"
DOES_NOT_APPLY = "the right patch does not apply to the files that are here"
SHOWS_FIX = "the issue shows the fix"
_LABEL = "solution in description"
_GIVEN = frozenset({"exact patch", "complete steps in nl", "misleading"})
_TEST_PATH = re.compile(
    r"(?:^|/)(?:tests?|testing|testsuite)/|(?:^|/)(?:test_[^/]*|[^/]*_tests?|conftest|tests?)\.\w+$"
)
_FEWEST_SAID = 16
"""Characters of a new line, without blanks, from which on it can't stand in an issue by chance."""


@dataclass(frozen=True, slots=True)
class BugFix:
    """An issue, a patch that belongs to it, and the files that the patch changes, as they were."""

    statement: str
    patch: str
    patched: tuple[PatchedFile, ...]
    files: Mapping[str, str]


def bug_fix(document: Document, kind: str) -> BugFix | str:
    """Return a document's ``patch`` or ``test_patch`` with what belongs to it, or why there is none.

    The patch applies to the files.
    """
    statement = "\n\n".join(section.text.strip() for section in document.of_kind("problem"))
    sections = document.of_kind(kind)
    if not statement or not sections:
        return f"the instance has no {kind.replace('_', ' ')}"
    patch = sections[0].text
    try:
        patched = read_patch(patch)
    except PatchError:
        return "the right patch can't be read"
    there = files_of(document)
    needed = {file.old_path for file in patched if file.old_path}
    if not needed <= set(there):
        return NO_FILE
    try:
        applied(patch, {path: there[path] for path in needed})
    except PatchError:
        return DOES_NOT_APPLY
    return BugFix(statement, patch, patched, {path: there[path] for path in needed})


def files_of(document: Document) -> dict[str, str]:
    """Return the files at the base commit that a document holds, by path."""
    return {section.title: section.text for section in document.of_kind("file")}


def shows_fix(document: Document, fix: BugFix) -> bool:
    """Return whether the issue holds a line that the fix adds, or is known to tell the fix.

    Known is what a source's labels say (an exact patch, all its steps, a misleading one).
    """
    labels = document.facts.get("labels")
    label = labels.get(_LABEL, "") if isinstance(labels, dict) else ""
    if str(label).casefold() in _GIVEN:
        return True
    said = _bare(fix.statement)
    added = {
        _bare(line)
        for file in fix.patched
        for hunk in file.hunks
        for line in set(hunk.new) - set(hunk.old)
    }
    return any(len(line) >= _FEWEST_SAID and line in said for line in added)


def is_test_path(path: str) -> bool:
    """Return whether a file belongs to a project's tests, by its path."""
    return _TEST_PATH.search(path) is not None


def _bare(text: str) -> str:
    return "".join(text.split())
