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
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from generation.core.importers.importer import Importer, InputFile, Unrecognised
from generation.core.importers.markdown_blocks import Block, BlockKind, read_blocks
from generation.core.importers.readme_commands import Command, Unsure, commands_of, inline_commands
from generation.core.importers.readme_structure import PlacedCommand, place
from generation.core.importers.repository import (
    NOT_WALKED,
    Repository,
    read_name,
    read_repository,
)
from generation.core.importers.streams import open_input
from generation.core.importers.text import language_of
from generation.core.records import (
    Document,
    Language,
    Note,
    PassedOver,
    Provenance,
    Refusal,
    Section,
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


class Readme:
    """A README taken apart: its blocks, its placed commands, what may be commands besides."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks = read_blocks(text)
        self.unsure: list[Unsure] = []
        found: list[tuple[int, Command]] = []
        spans: list[tuple[int, Command]] = []
        for index, block in enumerate(self.blocks):
            for each in commands_of(block):
                if isinstance(each, Unsure):
                    self.unsure.append(each)
                else:
                    found.append((index, each))
            spans += [(index, command) for command in inline_commands(block)]
        found += _instructions(spans, [command.text for _index, command in found])
        found.sort(key=lambda pair: (pair[1].line, pair[1].last_line))
        self.placed: Sequence[PlacedCommand] = place(self.blocks, found)

    @property
    def commands(self) -> list[str]:
        """The texts of the commands in order, code spans left out."""
        return [each.command.text for each in self.placed if each.command.origin != "inline"]

    @property
    def fences(self) -> list[Block]:
        """The fenced blocks, whatever they hold."""
        return [block for block in self.blocks if block.kind is BlockKind.FENCE]

    def why_no_command(self) -> str:
        """Return why a README without a command gives none, by what its fences hold."""
        infos = sorted({block.info or "without a tag" for block in self.fences})
        if not infos:
            return "no command: no fence, and no command in indented code or code spans"
        count = len(self.fences)
        return f"no command in {count} fence{'s' * (count > 1)} ({', '.join(infos)})"


def _instructions(
    spans: Sequence[tuple[int, Command]], others: Sequence[str]
) -> Iterator[tuple[int, Command]]:
    """Yield the code spans that are said once: those that repeat or begin another only name it."""
    known = [" ".join(text.split()) for text in others]
    texts = [" ".join(command.text.split()) for _index, command in spans]
    for number, (index, command) in enumerate(spans):
        rest = [*known, *texts[:number], *texts[number + 1 :]]
        text = texts[number]
        is_named = any(other.startswith(f"{text} ") for other in rest)
        if not is_named and text not in known and text not in texts[:number]:
            yield index, command


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
        sections=(*_sections(readme), *_context(repository)),
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


def _sections(readme: Readme) -> list[Section]:
    """Return parts, commands and what is unsure, in the order of their lines."""
    found: list[tuple[int, int, Section]] = []
    for first, last, level, title, text in _parts(readme):
        facts: dict[str, Any] = {"line": first, "last_line": last, "level": level}
        found.append((first, 0, Section("part", text, title, facts=facts)))
    found += [(each.command.line, 1, _command_section(each)) for each in readme.placed]
    for unsure in readme.unsure:
        facts = {"line": unsure.line, "info": unsure.info}
        found.append((unsure.line, 1, Section("unsure", unsure.text, facts=facts)))
    return [section for _line, _rank, section in sorted(found, key=lambda each: each[:2])]


def _parts(readme: Readme) -> Iterator[tuple[int, int, int, str, str]]:
    """Yield first and last line, level and title, and the text under each heading."""
    starts = [(1, 0, "")]
    starts += [
        (block.line, block.level, block.text)
        for block in readme.blocks
        if block.kind is BlockKind.HEADING
    ]
    end = readme.text.count("\n") + 1
    lines = readme.text.replace("\r\n", "\n").split("\n")
    for (line, level, title), after in zip(starts, [*starts[1:], (end + 1, 0, "")], strict=True):
        last = after[0] - 1
        text = "\n".join(lines[line - 1 : last]).strip("\n")
        if text.strip():
            yield line, last, level, title, text


def _command_section(placed: PlacedCommand) -> Section:
    command = placed.command
    return Section(
        "command",
        command.text,
        " › ".join(placed.headings),
        facts={
            "line": command.line,
            "last_line": command.last_line,
            "origin": command.origin,
            "fence": command.fence,
            "info": command.info,
            "environment": placed.environment,
            "alternatives": [list(pair) for pair in placed.alternatives],
        },
    )


def _context(repository: Repository) -> Iterator[Section]:
    if repository.files:
        facts = {"more": repository.more_files} if repository.more_files else {}
        yield Section("file_list", "\n".join(repository.files), repository.name, facts=facts)
    if repository.imports:
        yield Section("imports", "\n".join(repository.imports), repository.name)
    for path, text in repository.requirements:
        if text.strip():
            yield Section("requirements", text, path)


IMPORTER = Importer(kind=KIND, files_in=files_in, read_file=read_file)
