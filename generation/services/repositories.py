"""Reads files of git clones at a commit: for sources that name a file and do not hold it."""

import os
import re
import subprocess
from pathlib import Path

from generation.core.importers.importer import FileAt

_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_SECONDS = 60
# Nothing is asked for, nothing is fetched: what a clone lacks is not there.
_QUIET = {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}


def files_of_clones(folder: Path) -> FileAt:
    """Return what reads ``(owner/name, commit, path)`` from the clones below ``folder``.

    A clone is ``owner/name``, ``owner__name`` or ``name``, also with ``.git`` at its end. What it
    gives is the file's bytes; None where there is no clone, no such commit or no such file.
    """

    def file_at(repository: str, commit: str, path: str) -> bytes | None:
        clone = _clone(folder, repository)
        if clone is None or not _COMMIT.fullmatch(commit) or not path or "\0" in path:
            return None
        # The names come from a file that anybody may have written: they are one word to git.
        command = ["git", "-c", "safe.directory=*", "-C", str(clone), "cat-file", "blob"]
        done = subprocess.run(  # noqa: S603 - no shell, and the commit is hexadecimal
            [*command, f"{commit}:{path}"],
            env=os.environ | _QUIET,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
        return done.stdout if done.returncode == 0 else None

    return file_at


def _clone(folder: Path, repository: str) -> Path | None:
    owner, _, name = repository.partition("/")
    if not re.fullmatch(r"[\w-][\w.-]*/[\w-][\w.-]*", repository):
        return None
    for path in (Path(owner, name), Path(f"{owner}__{name}"), Path(name)):
        for clone in (folder / path, folder / f"{path}.git"):
            if (clone / ".git").exists() or (clone / "HEAD").is_file():
                return clone
    return None
