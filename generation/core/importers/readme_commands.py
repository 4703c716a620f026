"""Finds the commands of a README: in fences, in indented code, and in the code spans of its prose."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generation.core.importers.command_words import is_command, is_known, is_prose, is_unfinished
from generation.core.importers.shell_lines import MOST_LINES, shell_lines
from generation.core.markdown_blocks import Block, BlockKind, inline_code

SHELLS = frozenset({"bash", "sh", "shell", "zsh", "ksh", "fish", "bash-session", "shell-script"})
SESSIONS = frozenset({"console", "shell-session", "shellsession", "sh-session", "terminal", "term"})
UNTAGGED = frozenset({"", "text", "txt", "plaintext", "plain", "none", "code", "output"})
WINDOWS = frozenset({"powershell", "pwsh", "ps1", "ps", "bat", "batch", "dos", "cmd", "winbatch"})
NOTEBOOKS = frozenset({"python", "py", "python3", "ipython", "ipynb", "jupyter"})
_PROMPT = re.compile(
    r"\s*(?:\((?P<env>[\w.-]+)\)\s*)?(?:[\w.-]+@[\w.-]+[:\s]?[\w~/.-]*\s*)?(?:[$❯➜]|%(?=\s))\s+(?=\S)"
)
_ROOT_PROMPT = re.compile(r"\s*[\w.-]+@[\w.-]+[:\s]?[\w~/.-]*\s*#\s+(?=\S)")
_MORE_PROMPT = re.compile(r"\s*>\s?")
_BANG = re.compile(
    r"\s*[!%](?=(?:pip|pip3|conda|git|apt|apt-get|wget|curl|cd|bash|sh|python|python3)\b)"
)


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its lines (1-based, both included) and where it was found.

    ``origin`` is ``fence``, ``indented`` or ``inline``; ``fence`` the line of the block's first
    line, 0 for a code span; ``after_or`` says that a comment before it offers it as another way.
    """

    text: str
    line: int
    last_line: int
    origin: str
    fence: int = 0
    info: str = ""
    after_or: bool = False


@dataclass(frozen=True, slots=True)
class Unsure:
    """Lines of a block that could be commands and were not taken; a person may look."""

    text: str
    line: int
    info: str


def commands_of(block: Block) -> Iterator[Command | Unsure]:
    """Yield the commands of a block of code in order, and what in it was left out."""
    if block.kind not in {BlockKind.FENCE, BlockKind.INDENTED}:
        return
    info = block.info
    if info in NOTEBOOKS and not _is_mistagged(block):
        yield from _of_notebook(block)
        return
    if info in WINDOWS and block.text.strip():
        yield Unsure(block.text.strip("\n"), block.line, info)
    if info not in SHELLS | SESSIONS | UNTAGGED | NOTEBOOKS:
        return
    lines, numbers = _prompted(block)
    if not numbers:
        lines, numbers = list(block.lines), list(range(len(block.lines)))
    elif info in UNTAGGED | SESSIONS:
        info = "bash"  # a prompt tells as much as a tag
    in_shell = block.kind is BlockKind.FENCE and (
        info in SHELLS or (info in SESSIONS and _is_all_typed(lines))
    )
    yield from _of_lines(block, lines, numbers, in_shell=in_shell and not block.is_unclosed)


def inline_commands(block: Block) -> Iterator[Command]:
    """Yield the code spans of prose that are whole commands: a known word and what follows it."""
    if block.kind is not BlockKind.PROSE:
        return
    for span in inline_code(block):
        text = span.text.removeprefix("$ ").strip()
        words = text.split()
        is_script = len(words) == 1 and text.startswith("./") and text.endswith(".sh")
        if not (is_script or (len(words) > 1 and is_known(text))):
            continue
        if is_unfinished(text) or is_prose(text) or not is_command(text, in_shell=False):
            continue
        yield Command(text, span.line, span.line, "inline")


def _prompted(block: Block) -> tuple[list[str], list[int]]:
    """Return the lines that follow a prompt, without it, and their indices; all else is output."""
    lines: list[str] = []
    numbers: list[int] = []
    carries_on = False
    start = 0
    for index, line in enumerate(block.lines):
        prompt = _PROMPT.match(line) or _ROOT_PROMPT.match(line)
        if prompt is not None:
            start = len(lines)
            lines.append(line[prompt.end() :])
        elif carries_on:
            more = _MORE_PROMPT.match(line)
            lines.append(line[more.end() :] if more else line)
        else:
            continue
        numbers.append(index)
        carries_on = _is_open(lines[start:])
    return lines, numbers


def _is_all_typed(lines: Sequence[str]) -> bool:
    """Say whether a session without a prompt shows no output: all of it reads as commands."""
    commands = [found.text for found in shell_lines(lines)]
    return is_known(commands[0] if commands else "") and all(
        is_command(command, in_shell=True) for command in commands
    )


def _is_mistagged(block: Block) -> bool:
    """Say whether a block tagged as Python holds known shell commands and nothing else."""
    commands = [found.text for found in shell_lines(block.lines)]
    return bool(commands) and all(
        len(command.split()) > 1 and is_command(command, in_shell=False) for command in commands
    )


def _is_open(lines: Sequence[str]) -> bool:
    """Say whether the first command of some lines still wants more of them."""
    found = shell_lines(lines)
    return len(lines) < MOST_LINES and bool(found) and found[0].is_open


def _of_lines(
    block: Block, lines: Sequence[str], numbers: Sequence[int], *, in_shell: bool
) -> Iterator[Command | Unsure]:
    origin = "fence" if block.kind is BlockKind.FENCE else "indented"
    previous = -1
    gave_up = False
    for found in shell_lines(lines):
        first, last = block.line + numbers[found.first], block.line + numbers[found.last]
        between = lines[previous + 1 : found.first]
        previous = found.last
        taken = not gave_up and is_command(found.text, in_shell=in_shell)
        if not taken:
            # After its first line that is no command an unclosed block may be prose again.
            gave_up = gave_up or block.is_unclosed
            yield Unsure(found.text, first, block.info)
            continue
        yield Command(
            found.text, first, last, origin, block.line, block.info, after_or=_offers(between)
        )


def _offers(lines: Sequence[str]) -> bool:
    """Say whether comments before a command begin with ``or``: it is another way."""
    return any(
        re.match(r"\s*#+\s*(?:or|alternatively|或|或者)\b", line, re.IGNORECASE) for line in lines
    )


def _of_notebook(block: Block) -> Iterator[Command]:
    for index, line in enumerate(block.lines):
        bang = _BANG.match(line)
        if bang is not None:
            number = block.line + index
            text = line[bang.end() :].strip()
            yield Command(text, number, number, "fence", block.line, block.info)
