"""A README's set-up as a plan in words, one step for a command or for a part, made by rule.

A command whose own words say what it does is said by them (``command_phrases``); of others the
heading they stand under is the step, once. Headings that say nothing ("Usage") give none.
"""

import re
from collections.abc import Iterator, Sequence

from generation.core.command_paths import command_paths
from generation.core.command_phrases import phrase_of
from generation.core.markdown_blocks import BlockKind, read_blocks
from generation.core.records import Document, Section

MOST_STEPS = 12
"""Steps of a plan; what a README does beyond is use, not set-up."""
_LONGEST_STEP = 160
_MOST_FILES = 80
_MOST_IMPORTS = 60
_LONGEST_PROSE = 6_000
_LONGEST_REQUIREMENTS = 2_000
_SAYS_NOTHING = frozenset(
    {
        *("usage", "installation", "install", "setup", "set up", "start", "example", "examples"),
        *("quick start", "quickstart", "getting started", "requirements", "help", "how to use"),
        *("prerequisites", "dependencies", "environment", "commands", "basic usage", "overview"),
    }
)
_NUMBERING = re.compile(
    r"^(?:(?:step|option)\s*)?[\dA-Za-z]{0,2}[.:)]\s+|^\d+(?:\.\d+)*\s+", re.IGNORECASE
)
_PLACEHOLDER = re.compile(r"\.\.\.|[<\[{][A-Za-z_ ]+[>\]}]|\byour[ _-]|path/to\b", re.IGNORECASE)
_MARKS = re.compile(r"[^\w\s.,:;()/+#'&-]|[*_`]")


def setup_plan(document: Document) -> tuple[str, ...]:
    """Return the steps of a README's first way, without end marks; at most ``MOST_STEPS``.

    The way takes the first branch of each choice and one environment; commands named inside
    sentences are left out. No step comes twice.
    """
    typed = [each for each in document.of_kind("command") if each.facts.get("origin") != "inline"]
    paths = command_paths(typed)
    steps = dict.fromkeys(_steps(paths[0])) if paths else {}
    return tuple(steps)[:MOST_STEPS]


def repository_info(document: Document) -> str:
    """Return what is known of a README's repository: files, imports, requirements, prose.

    The README's code is left out, since it is the answer; each part is cut at a fixed length.
    """
    parts = []
    for kind, name, most in (
        ("file_list", "Files", _MOST_FILES),
        ("imports", "Imports", _MOST_IMPORTS),
    ):
        lines = [line for section in document.of_kind(kind) for line in section.text.splitlines()]
        if lines:
            more = [f"({len(lines) - most} more)"] if len(lines) > most else []
            parts.append("\n".join([f"{name}:", *lines[:most], *more]))
    parts += [
        f"{section.title}:\n{_cut(section.text.strip(), _LONGEST_REQUIREMENTS)}"
        for section in document.of_kind("requirements")
    ]
    prose = "\n\n".join(filter(None, map(_prose, document.of_kind("part"))))
    if prose:
        parts.append(f"README, without its code:\n{_cut(prose, _LONGEST_PROSE)}")
    return "\n\n".join(parts)


def numbered(steps: Sequence[str]) -> str:
    """Return the steps as the numbered lines of a plan."""
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))


def _steps(path: Sequence[Section]) -> Iterator[str]:
    for command in path:
        phrase = phrase_of(command.text.strip())
        if phrase is not None and len(phrase) > _LONGEST_STEP:
            phrase = phrase.partition(", with ")[0]
        if phrase is None or len(phrase) > _LONGEST_STEP or _PLACEHOLDER.search(phrase):
            phrase = _heading(command)
        if phrase:
            yield phrase


def _heading(command: Section) -> str:
    """Return what the heading over a command says; empty where that is nothing."""
    text = _MARKS.sub(" ", command.title.rpartition("›")[2])
    text = _NUMBERING.sub("", " ".join(text.split())).strip(" .:;,-")
    if text.casefold() in _SAYS_NOTHING or len(text.split()) < 2 or len(text) > _LONGEST_STEP:
        return ""
    return text[:1].upper() + text[1:]


def _prose(part: Section) -> str:
    blocks = read_blocks(part.text)
    texts = (b.text.strip() for b in blocks if b.kind in {BlockKind.HEADING, BlockKind.PROSE})
    return "\n\n".join(filter(None, texts))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rstrip()} (cut)"
