"""The commands found in real READMEs are those of a list that was made by reading them.

``readme_hand_list.jsonl`` names for each command its file, the line it begins on, and the SHA-256
of its text (on one line, comments left out, runs of blanks as one). The files are the READMEs of
the shared folder and those that installed packages of the given version carry. It lists every
command of a block, and of the code spans those that the text tells to type and that no other
command of the file repeats or begins with.
"""

import hashlib
import json
from collections import defaultdict
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

from generation.core.importers.readme_text import Readme
from generation.core.markdown_blocks import BlockKind, read_blocks
from tests.shared_data import DATA, SHARED, needs_shared

LIST = Path(__file__).with_name("readme_hand_list.jsonl")
ROWS: list[dict[str, Any]] = [json.loads(line) for line in LIST.read_text().splitlines()]
BY_FILE: dict[str, list[dict[str, Any]]] = defaultdict(list)
for each in ROWS:
    BY_FILE[each["file"]].append(each)
SHARED_FILES = sorted(name for name in BY_FILE if "/" in name)
PACKAGES = sorted(name for name in BY_FILE if "/" not in name)


def text_of(name: str) -> str:
    if "/" in name:
        return (DATA / "readmes" / name).read_text(encoding="utf-8")
    installed = distribution(name)
    version = BY_FILE[name][0]["version"]
    if installed.version != version:
        pytest.skip(f"the list was made for {name} {version}, not {installed.version}")
    return str(installed.read_text("METADATA")).partition("\n\n")[2]


def digest(command: str) -> str:
    return hashlib.sha256(" ".join(command.split()).encode()).hexdigest()


def found_in(name: str) -> dict[tuple[int, str], str]:
    placed = Readme(text_of(name)).placed
    return {(p.command.line, digest(p.command.text)): p.command.text for p in placed}


def listed_in(name: str) -> set[tuple[int, str]]:
    return {(row["line"], row["sha256"]) for row in BY_FILE[name]}


def test_the_list_holds_150_commands_or_more():
    assert len({(row["file"], row["line"], row["sha256"]) for row in ROWS}) == len(ROWS) >= 150


@pytest.mark.parametrize("name", PACKAGES)
def test_an_installed_readme_gives_its_commands_and_no_others(name):
    found = found_in(name)
    extra = [text for key, text in found.items() if key not in listed_in(name)]
    missed = [line for line, sha in listed_in(name) if (line, sha) not in found]
    assert (extra, missed) == ([], [])


@needs_shared
@pytest.mark.shared
def test_precision_and_recall_on_the_shared_readmes_are_098_or_more():
    found = {(name, *key) for name in SHARED_FILES for key in found_in(name)}
    listed = {(name, *key) for name in SHARED_FILES for key in listed_in(name)}
    right = len(found & listed)
    assert right / len(found) >= 0.98, sorted(found - listed)
    assert right / len(listed) >= 0.98, sorted(listed - found)


@needs_shared
@pytest.mark.shared
def test_no_command_begins_in_prose_unless_it_is_a_code_span_of_the_list():
    for path in sorted((DATA / "readmes").glob("*/*.md")):
        text = path.read_text(encoding="utf-8")
        prose = {
            block.line + offset
            for block in read_blocks(text)
            if block.kind in {BlockKind.PROSE, BlockKind.HEADING}
            for offset in range(len(block.lines))
        }
        name = path.relative_to(DATA / "readmes").as_posix()
        for placed in Readme(text).placed:
            if placed.command.line in prose:
                key = (placed.command.line, digest(placed.command.text))
                assert key in listed_in(name), placed.command.text


@needs_shared
@pytest.mark.shared
def test_every_shared_readme_is_on_the_list_or_refused():
    import_free = {
        "All-Hands-AI__OpenHands/README.md",
        "SWE-Gym__SWE-Gym/README.md",
        "SWE-agent__SWE-agent/README.md",
    }
    root = SHARED / "data" / "readmes"
    there = {path.relative_to(root).as_posix() for path in root.glob("*/*.md")}
    assert there == set(SHARED_FILES) | import_free
    for name in import_free:
        assert not Readme(text_of(name)).placed
