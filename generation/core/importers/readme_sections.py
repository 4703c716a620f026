"""The sections of a README's document: its parts, its commands, what is unsure, and its repository."""

from collections.abc import Iterator
from typing import Any

from generation.core.importers.readme_structure import PlacedCommand
from generation.core.importers.readme_text import Readme
from generation.core.importers.repository import Repository
from generation.core.markdown_blocks import BlockKind
from generation.core.records import Section


def sections_of(readme: Readme) -> list[Section]:
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
    lines = readme.text.split("\n")
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


def context_of(repository: Repository) -> Iterator[Section]:
    """Yield what lies around a README: the files, the imports, the requirement files."""
    if repository.files:
        facts = {"more": repository.more_files} if repository.more_files else {}
        yield Section("file_list", "\n".join(repository.files), repository.name, facts=facts)
    if repository.imports:
        yield Section("imports", "\n".join(repository.imports), repository.name)
    for path, text in repository.requirements:
        if text.strip():
            yield Section("requirements", text, path)
