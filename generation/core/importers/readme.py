"""Reads READMEs: what they say, the commands they tell to type, and the repository around them.

A README is a document. Its sections, in the file's order: ``part`` (the text under one heading,
as it stands), ``command`` (one command, on one line where it can be) and ``unsure`` (lines of a
block that may be commands and were not taken). Where a folder is given, its ``file_list``, the
``imports`` of its Python files and its ``requirements`` follow. Facts of a command: ``line`` and
``last_line``, ``origin`` (fence, indented, inline), ``info`` of its fence, ``environment``,
``alternatives`` (pairs of group and branch: a path through the README takes one branch of each).
A README in another language beside one with the same commands is no second document.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.readme_sections import context_of, sections_of
from generation.core.importers.readme_text import Readme
from generation.core.importers.repository import (
    NOT_WALKED,
    read_name,
    read_repository,
)
from generation.core.importers.streams import open_input
from generation.core.importers.text import language_of
from generation.core.markdown_blocks import BlockKind
from generation.core.records import (
    Document,
    Language,
    Note,
    PassedOver,
    Provenance,
    Refusal,
    Success,
)

KIND = "readme"
LARGEST_README = 4_000_000
"""Bytes; a larger file is no README."""
LONGEST_LINE = 100_000
"""Characters of one line of a README."""
_ENDINGS = (".md", ".markdown", ".mdown", ".mkd")
_OTHER_ENDINGS = ("", ".txt", ".rst")
_NAME = re.compile(
    r".*read[-_]?me.*|install.*|set[-_]?up.*|develop.*|getting[-_]?started.*|quick[-_]?start.*"
    r"|usage.*|build(?:ing)?|running",
    re.IGNORECASE,
)
_LANGUAGE_SUFFIX = re.compile(
    r"[-_. ](?:en|english|zh|cn|zh[-_]?(?:cn|tw|hans|hant)|chs|cht|chinese|ja|jp|japanese|ko|kr|korean"
    r"|fr|de|es|ru|pt(?:[-_]?br)?|it|tr|vi|id|ar|hi|uk|pl)\Z",
    re.IGNORECASE,
)
_ENGLISH_SUFFIX = re.compile(r"[-_. ](?:en|english)\Z", re.IGNORECASE)
_SHARED_BY_TWINS = 0.5


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the Markdown files below ``folder`` that are named as READMEs or guides to set it up."""
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in NOT_WALKED)
        yield from (Path(where, name) for name in files if _is_readme(name))


def read_file(file: InputFile) -> Iterator[Document | Refusal | PassedOver | Unrecognised]:
    """Yield the document of one README, or why there is none.

    Raises:
        ImportInputError: the file cannot be opened, or is UTF-16.
    """
    text, notes, why = _read(file.path)
    if why:
        yield Unrecognised(0, why)
        return
    readme = Readme(text)
    twin = _twin(file.path, readme)
    if twin is not None:
        yield PassedOver(file.place(), f"the same commands as {twin.name}, in another language")
    elif not readme.placed:
        yield Refusal(file.place(), readme.why_no_command())
    else:
        yield _document(file, readme, notes)


def _is_readme(name: str) -> bool:
    """Say whether a file is a README or a guide, by its name; other markup is refused when read."""
    stem, ending = os.path.splitext(name)  # noqa: PTH122 - a name, not a path
    if ending.lower() in _ENDINGS:
        return _NAME.fullmatch(stem) is not None
    return ending.lower() in _OTHER_ENDINGS and stem.lower() in {"readme", "read_me", "read-me"}


def _read(path: Path) -> tuple[str, tuple[Note, ...], str]:
    """Return the text, notes on what was replaced in it, and why it is no README."""
    if path.suffix.lower() not in {*_ENDINGS, "", ".txt"}:
        return "", (), f"no README: Markdown is expected, not {path.suffix}"
    with open_input(path) as file:
        data = file.read(LARGEST_README + 1)
    if len(data) > LARGEST_README:
        return "", (), f"no README: larger than {LARGEST_README} bytes"
    if b"\0" in data:
        return "", (), f"no README: a NUL byte at offset {data.index(0)}"
    if not data.strip():
        return "", (), "the file is empty"
    if max(map(len, data.splitlines())) > LONGEST_LINE:
        return "", (), f"no README: a line longer than {LONGEST_LINE} bytes"
    text = data.decode(errors="replace")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return text, (Note("invalid_utf8", f"byte {error.start}", "replaced by U+FFFD"),), ""
    return text, (), ""


def _twin(path: Path, readme: Readme) -> Path | None:
    """Return the README beside this one that is the same in another language and goes first."""
    base = _LANGUAGE_SUFFIX.sub("", path.stem)
    family = sorted(
        other
        for other in path.absolute().parent.iterdir()
        if other.suffix.lower() in _ENDINGS and _LANGUAGE_SUFFIX.sub("", other.stem) == base
    )
    first = min(family, key=lambda each: _rank(each, base), default=path)
    if first.name == path.name or len(family) < 2:
        return None
    text, _notes, why = _read(first)
    shared = set(readme.commands) & set(Readme(text).commands) if not why else set()
    most = max(1, len(set(readme.commands)))
    return first if len(shared) / most >= _SHARED_BY_TWINS else None


def _rank(path: Path, base: str) -> tuple[bool, bool, str]:
    return (path.stem != base, _ENGLISH_SUFFIX.search(path.stem) is None, path.name)


def _document(file: InputFile, readme: Readme, notes: tuple[Note, ...]) -> Document:
    given_alone = file.path == file.given
    root = file.path.absolute().parent if given_alone else _root_of(file)
    repository = read_name(root) if given_alone else file.remembered(root, read_repository)
    name = file.path.absolute().relative_to(root).as_posix()
    return Document(
        provenance=Provenance(
            kind=KIND,
            external_id=f"{repository.name}:{name}",
            cluster=repository.name.casefold(),
            where=file.shown,
            licence=repository.licence,
        ),
        language=_language(readme),
        title=repository.name,
        sections=(*sections_of(readme), *context_of(repository)),
        facts={
            "repository": repository.name,
            "path": name,
            "commands": len(readme.placed),
            "environments": list(
                dict.fromkeys(each.environment for each in readme.placed if each.environment)
            ),
        },
        success=Success.CONFIRMED,
        notes=(*notes, *_unclosed(readme)),
    )


def _root_of(file: InputFile) -> Path:
    """Return the repository of a README: the highest folder above it that holds one, or git's."""
    given = file.given.absolute()
    root = file.path.absolute().parent
    for folder in file.path.absolute().parents:
        if file.remembered(folder, _is_repository):
            root = folder
        if folder == given:
            break
    return root


def _is_repository(folder: Path) -> bool:
    return (folder / ".git").exists() or any(_is_readme(path.name) for path in folder.iterdir())


def _language(readme: Readme) -> Language:
    prose = (block.text for block in readme.blocks if block.kind is BlockKind.PROSE)
    return language_of("\n".join(prose))


def _unclosed(readme: Readme) -> Iterator[Note]:
    for block in readme.fences:
        if block.is_unclosed:
            detail = f"a fence ({block.info or 'without a tag'}) that nothing closes"
            yield Note("unclosed_fence", f"line {block.line - 1}", detail)


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
