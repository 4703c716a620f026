"""Reads files of repositories at a commit: for sources that name a file and do not hold it."""

import os
import re
import subprocess
from pathlib import Path

from generation.core.importers.importer import FileAt

_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_REPOSITORY = re.compile(r"\w[\w.-]*/\w[\w.-]*")
_SECONDS = 60
# Nothing is asked for, nothing is fetched: what a clone lacks is not there.
_QUIET = {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}


def files_of_clones(folder: Path) -> FileAt:
    """Return what reads ``(owner/name, commit, path)`` from the clones below ``folder``.

    A clone is ``owner/name``, ``owner__name`` or ``name``, also with ``.git`` at its end. Where there
    is no git, a folder ``owner__name@commit`` may hold the files as they are at that commit. What
    comes back is the file's bytes; None where there is no such repository, commit or file.
    """

    def file_at(repository: str, commit: str, path: str) -> bytes | None:
        if not _REPOSITORY.fullmatch(repository) or not _COMMIT.fullmatch(commit):
            return None
        if not path or "\0" in path:
            return None
        content = _of_clone(folder, repository, commit, path)
        if content is None:
            content = _laid_out(folder / f"{repository.replace('/', '__')}@{commit}", path)
        return content

    return file_at


def _of_clone(folder: Path, repository: str, commit: str, path: str) -> bytes | None:
    clone = _clone(folder, repository)
    if clone is None:
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


def _laid_out(tree: Path, path: str) -> bytes | None:
    """Return the bytes of a plain file below ``tree``, whose links are not followed out of it."""
    file = (tree / path).resolve()
    if not file.is_relative_to(tree.resolve()) or not file.is_file():
        return None
    return file.read_bytes()


def _clone(folder: Path, repository: str) -> Path | None:
    owner, _, name = repository.partition("/")
    for path in (Path(owner, name), Path(f"{owner}__{name}"), Path(name)):
        for clone in (folder / path, folder / f"{path}.git"):
            if (clone / ".git").exists() or (clone / "HEAD").is_file():
                return clone
    return None
