"""Says of each command of a README in which environment it runs, and to which alternative it belongs.

An environment lasts from the command that makes or enters it to the one that leaves it or makes
another. Alternatives are sections such as ``From source`` and ``Nightly builds``, or ``Option 1``
and ``Option 2``; what a comment or a line of prose offers with ``or``; and the same package from
two installers in a row. Their commands are no sequence: a path takes one branch of each group.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generation.core.importers.readme_commands import Command
from generation.core.markdown_blocks import Block, BlockKind

_CONDA = r"(?:conda|mamba|micromamba)"
_MAKES = (
    re.compile(rf"{_CONDA}\s+(?:env\s+)?create\b.*?\s(?:-n|--name|-p|--prefix)[\s=]+(?P<name>\S+)"),
    re.compile(rf"{_CONDA}\s+env\s+(?:create|update)\b.*?\s(?:-f|--file)[\s=]+(?P<name>\S+)"),
    re.compile(r"(?:python[\d.]*|py)\s+-m\s+(?:venv|virtualenv)\s+(?:-\S+\s+)*(?P<name>[^\s-]\S*)"),
    re.compile(r"virtualenv\s+(?:-p\s+\S+\s+|-\S+\s+)*(?P<name>[^\s-]\S*)"),
    re.compile(r"uv\s+venv(?:\s+(?:--python|-p)[\s=]\S+|\s+-\S+)*(?:\s+(?P<name>[^\s-]\S*))?"),
    re.compile(r"pyenv\s+virtualenv\s+(?:[\d.]+\s+)?(?P<name>\S+)"),
)
_ENTERS = (
    re.compile(rf"(?:{_CONDA}|source|pyenv)\s+activate\s+(?P<name>[^\s/\\]+)"),
    re.compile(r"(?:source|\.)\s+(?P<name>\S+?)/bin/activate\b\S*"),
    re.compile(r"(?:\.[\\/])?(?P<name>[\w.-]+)[\\/]Scripts[\\/]activate\S*"),
    re.compile(r"(?P<name>poetry|pipenv)\s+shell\b"),
    re.compile(r"docker\s+(?:compose\s+)?(?:run|exec)\b.*\s(?P<name>(?:/bin/)?(?:ba|z)?sh)\s*"),
)
_LEAVES = re.compile(rf"(?:{_CONDA}\s+)?deactivate\s*")
_CHAIN = re.compile(r"&&|;|\|\|")

_ROUTES = """
source pip pypi conda mamba docker podman poetry uv homebrew brew apt npm yarn binary binaries
wheel wheels prebuilt pre-built singularity apptainer manual manually script windows linux macos
mac ubuntu debian nightly stable release releases cloud colab container containers local locally
gpu cpu cuda rocm kubernetes git github devcontainer codespaces pixi nix virtualenv venv launcher
"""
_ROUTE_TITLE = re.compile(
    r"(?:(?:quick\s+)?(?:install\w*|set\s?-?up|build\w*|running?|deploy\w*|start\w*|usage)\s+)?"
    r"(?:(?:with|via|using|use|from|on|by|in|inside|for|through)\s+)?(?:the\s+|a\s+|an\s+)?"
    rf"(?:{'|'.join(re.escape(word) for word in _ROUTES.split())})\b",
    re.IGNORECASE,
)
_OPTION_TITLE = re.compile(
    r"(?:(?:option|method|approach|alternative|choice|way|variant|route)\s*#?\s*"
    r"(?:\d+|[A-Z]|one|two|three|I{1,3})\b|(?:方式|方法|方案|选项|选择)\s*[\d一二三四五A-Z])",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^(?:[^\w]|\d+[.)]\s|_)+")
_MOST_ROUTE_WORDS = 6
_OR_PROSE = re.compile(r"[\W_]*(?:or|alternatively|或者|或)\b", re.IGNORECASE)
_MOST_OR_WORDS = 14
_INSTALL = re.compile(
    r"(?:sudo\s+)?(?P<by>(?:uv\s+(?:pip|tool)|uv|python[\d.]*\s+-m\s+pip|pip[\d.]*|pipx|conda|mamba"
    r"|micromamba|brew|npm|yarn|pnpm|apt|apt-get|poetry|pdm|cargo|nix-env|choco|winget|dnf|yum))\s+"
    r"(?:global\s+)?(?:install|add|i)\s+(?P<what>.+)"
)


@dataclass(frozen=True, slots=True)
class PlacedCommand:
    """A command, the headings above it, its environment ("" before any), its alternatives.

    ``alternatives`` holds a pair of group and branch for each choice it is a part of, from the
    outermost to the innermost.
    """

    command: Command
    headings: tuple[str, ...]
    environment: str = ""
    alternatives: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Heading:
    index: int
    level: int
    title: str
    line: int


def place(blocks: Sequence[Block], found: Sequence[tuple[int, Command]]) -> list[PlacedCommand]:
    """Return the commands in their order with what their place says of them.

    ``found`` holds each command after the index of its block in ``blocks``.
    """
    above = _headings_above(blocks)
    branches = dict(_branches(above))
    placed = []
    for index, command in found:
        choices = tuple(branches[each.index] for each in above[index] if each.index in branches)
        titles = tuple(each.title for each in above[index])
        placed.append(PlacedCommand(command, titles, alternatives=choices))
    placed = _with_offers(placed, blocks, [index for index, _command in found])
    return _named_by_what_enters(list(_with_environments(placed)))


def environment_after(command: str, before: str) -> str:
    """Return the environment that holds once a command ran, where ``before`` held until then."""
    now = before
    for part in _CHAIN.split(command):
        text = part.strip()
        if _LEAVES.fullmatch(text):
            now = ""
            continue
        for pattern in (*_MAKES, *_ENTERS):
            named = pattern.match(text)
            if named is not None:
                now = (named["name"] or ".venv").strip("\"'").rstrip("/").removeprefix("./")
                break
    return now


def _headings_above(blocks: Sequence[Block]) -> list[tuple[_Heading, ...]]:
    """Return for each block the headings that it stands under (or is), the outermost first."""
    above: list[tuple[_Heading, ...]] = []
    now: tuple[_Heading, ...] = ()
    for index, block in enumerate(blocks):
        if block.kind is BlockKind.HEADING:
            kept = tuple(each for each in now if each.level < block.level)
            now = (*kept, _Heading(index, block.level, block.text, block.line))
        above.append(now)
    return above


def _branches(
    above: Sequence[tuple[_Heading, ...]],
) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield group and branch of each heading that is one of several ways, by its block's index."""
    siblings: dict[tuple[int, int], list[_Heading]] = {}
    for index, headings in enumerate(above):
        if headings and headings[-1].index == index:
            parent = headings[-2].index if len(headings) > 1 else -1
            siblings.setdefault((parent, headings[-1].level), []).append(headings[-1])
    for family in siblings.values():
        for is_one in (_is_option, _is_route):
            ways = [heading for heading in family if is_one(heading.title)]
            if len(ways) > 1:
                yield from ((way.index, (f"line {ways[0].line}", way.title)) for way in ways)
                break


def _is_option(title: str) -> bool:
    return _OPTION_TITLE.match(_LEAD.sub("", title)) is not None


def _is_route(title: str) -> bool:
    plain = _LEAD.sub("", title)
    short = len(re.sub(r"\(.*?\)", "", plain).split()) <= _MOST_ROUTE_WORDS
    return short and _ROUTE_TITLE.match(plain) is not None


def _with_offers(
    placed: Sequence[PlacedCommand], blocks: Sequence[Block], indices: Sequence[int]
) -> list[PlacedCommand]:
    """Add the alternatives that stand beside each other: offered by ``or``, or of one package."""
    given = list(placed)
    typed = [n for n, each in enumerate(given) if each.command.origin != "inline"]
    runs: list[list[list[int]]] = []
    for position, number in enumerate(typed):
        before = typed[position - 1] if position else None
        is_new_block = before is None or indices[before] != indices[number]
        if before is not None and given[before].headings == given[number].headings:
            offered = given[number].command.after_or or (
                is_new_block and _is_offered(blocks, indices[before], indices[number])
            )
            if offered or _same_package(given[before].command, given[number].command):
                runs[-1].append([number])
                continue
        if not is_new_block and runs and not _same_installer_run(runs[-1], given, number):
            runs[-1][-1].append(number)
        else:
            runs.append([[number]])
    for run in runs:
        for branch, members in enumerate(run, start=1):
            for number in members if len(run) > 1 else ():
                group = f"line {given[run[0][0]].command.line}"
                choices = (*given[number].alternatives, (group, str(branch)))
                given[number] = replace(given[number], alternatives=choices)
    return given


def _same_installer_run(
    run: Sequence[Sequence[int]], placed: Sequence[PlacedCommand], number: int
) -> bool:
    """Say whether a choice of installers ends before a command: it installs nothing itself."""
    last = placed[run[-1][-1]].command
    return len(run) > 1 and not last.after_or and not _INSTALL.match(placed[number].command.text)


def _is_offered(blocks: Sequence[Block], before: int, index: int) -> bool:
    """Say whether the prose between two blocks of code ends in a line that begins with ``or``."""
    lines = [
        line
        for block in blocks[before + 1 : index]
        if block.kind is BlockKind.PROSE
        for line in block.lines
        if line.strip()
    ]
    return (
        bool(lines) and bool(_OR_PROSE.match(lines[-1])) and len(lines[-1].split()) < _MOST_OR_WORDS
    )


def _same_package(first: Command, second: Command) -> bool:
    """Say whether two commands install the same package by different means."""
    one, other = _INSTALL.match(first.text), _INSTALL.match(second.text)
    if one is None or other is None or _program(one["by"]) == _program(other["by"]):
        return False
    return bool(_packages(one["what"]) & _packages(other["what"]))


def _program(by: str) -> str:
    return "pip" if re.fullmatch(r"(?:python[\d.]*\s+-m\s+)?pip[\d.]*", by) else by


def _packages(words: str) -> set[str]:
    plain = (re.sub(r"\[.*|[=<>!~@].*", "", word.strip("\"'")) for word in words.split())
    return {word.rpartition("::")[2].casefold() for word in plain if word and word[0] not in "-."}


def _with_environments(placed: Sequence[PlacedCommand]) -> Iterator[PlacedCommand]:
    """Yield the commands with their environments; each branch begins in that before its group."""
    now = ""
    at_start: dict[str, str] = {}
    branch_of: dict[str, str] = {}
    for each in placed:
        for group, branch in each.alternatives:
            if branch_of.get(group, branch) != branch:
                now = at_start[group]
            else:
                at_start.setdefault(group, now)
            branch_of[group] = branch
        if each.command.origin != "inline" or environment_after(each.command.text, "") != "":
            now = environment_after(each.command.text, now)
        yield replace(each, environment=now)


def _named_by_what_enters(placed: Sequence[PlacedCommand]) -> list[PlacedCommand]:
    """Give an environment made from a file the name by which the next command enters it."""
    given = list(placed)
    for number in range(len(given) - 2, -1, -1):
        name, after = given[number].environment, given[number + 1].environment
        if name.endswith((".yml", ".yaml")) and after and not after.endswith((".yml", ".yaml")):
            given[number] = replace(given[number], environment=after)
    return given
