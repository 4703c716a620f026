"""What a repository's folder tells beside its README: name, licence, files, imports, requirements."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generation.core.importers.licences import licence_of

MOST_FILES = 2_000
"""Files that a repository's list names; more are counted, not named."""
_LARGEST_REQUIREMENTS = 60_000
_LARGEST_MODULE = 1_000_000
_NOT_WALKED_NAMES = """
.git .hg .svn .idea .vscode node_modules .venv venv __pycache__ .tox .mypy_cache .pytest_cache
site-packages
"""
NOT_WALKED = frozenset(_NOT_WALKED_NAMES.split())
_REQUIREMENTS = re.compile(
    r"(?:.*requirements.*\.(?:txt|in)|environment.*\.ya?ml|conda.*\.ya?ml|setup\.(?:py|cfg)"
    r"|pyproject\.toml|Pipfile|package\.json|Cargo\.toml|go\.mod|Gemfile|Project\.toml|DESCRIPTION"
    r"|Dockerfile(?:\..*)?|Makefile)",
    re.IGNORECASE,
)
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([A-Za-z_]\w*)[\w.]*[ \t]+import\b|import[ \t]+([A-Za-z_][\w., \t]*))",
    re.MULTILINE,
)
_REMOTE = re.compile(r"^\s*url\s*=\s*\S*?[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository's folder.

    ``files`` are paths below it, sorted; ``more_files`` how many it has beyond ``MOST_FILES``;
    ``imports`` the top-level modules that its Python files import and do not define, those of
    Python's own library too; ``requirements`` pairs of path and text.
    """

    name: str
    licence: str
    files: tuple[str, ...] = ()
    more_files: int = 0
    imports: tuple[str, ...] = ()
    requirements: tuple[tuple[str, str], ...] = ()


def repository_name(folder: Path) -> str:
    """Return ``owner/name`` by the address that git knows, else by the folder's name."""
    config = folder / ".git" / "config"
    if config.is_file():
        found = _REMOTE.search(config.read_text(errors="replace"))
        if found is not None:
            return found[1]
    owner, parted, name = folder.absolute().name.partition("__")
    return f"{owner}/{name}" if parted and owner and name else folder.absolute().name


def read_name(folder: Path) -> Repository:
    """Return name and licence alone: for a README that was given without its folder."""
    return Repository(repository_name(folder), licence_of(folder))


def read_repository(folder: Path) -> Repository:
    """Return what the folder tells; symbolic links are not followed."""
    paths: list[str] = []
    modules: set[str] = set()
    own: set[str] = set()
    requirements: list[tuple[str, str]] = []
    more = 0
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        if len(paths) >= MOST_FILES:
            more += 1
            continue
        paths.append(name)
        if path.suffix == ".py":
            own |= {path.stem, *path.relative_to(folder).parts[:-1]}
            modules |= _imports(path)
        if _REQUIREMENTS.fullmatch(path.name):
            requirements.append((name, _text(path, _LARGEST_REQUIREMENTS)))
    return Repository(
        name=repository_name(folder),
        licence=licence_of(folder),
        files=tuple(sorted(paths)),
        more_files=more,
        imports=tuple(sorted(modules - own, key=lambda name: (name.casefold(), name))),
        requirements=tuple(sorted(requirements)),
    )


def _files(folder: Path) -> Iterator[Path]:
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in NOT_WALKED)
        for name in sorted(files):
            path = Path(where, name)
            if path.is_file() and not path.is_symlink():
                yield path


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for module, several in _IMPORT.findall(_text(path, _LARGEST_MODULE)):
        names = (
            [module] if module else [each.split()[0] for each in several.split(",") if each.split()]
        )
        found |= {name.partition(".")[0] for name in names}
    return found


def _text(path: Path, largest: int) -> str:
    with path.open("rb") as file:
        return file.read(largest).decode(errors="replace").replace("\r\n", "\n")
