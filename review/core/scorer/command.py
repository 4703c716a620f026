"""Reads a predicted shell command or tool call and compares it with the gold one."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .shell_lexer import ShellSyntaxError
from .shell_words import END, Command, parse_commands
from .text import cut_at

_FENCE = re.compile(r"^ {0,3}```|```[ \t]*$", re.MULTILINE)
_OPENING_FENCE = re.compile(r"\s*```[A-Za-z0-9_+-]*[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class CommandReading:
    """A command's forms: ``strict`` text, ``text`` without fence and prompt mark, and what it says.

    ``meaning`` is None where the text is no shell command and no tool call; ``ended`` says that
    a stop string, a fence or a further line closed it, ``commands`` how many commands were read.
    """

    strict: str
    text: str
    ended: bool
    meaning: tuple[str, ...] | None
    tool: str
    arguments: tuple[str, ...]
    commands: int


def read_command(output: str, *, stop: Sequence[str] = (), limit: int | None = 1) -> CommandReading:
    """Return the first ``limit`` commands of an output; heredocs and continuations stay whole.

    Never raises: what does not parse keeps its text, and its words are split at blanks.
    """
    strict = _cut(output, stop)[0].strip()
    opening = _OPENING_FENCE.match(output)
    cut, ended = _cut(output[opening.end() :] if opening else output, stop)
    text = cut.replace("\r\n", "\n").strip().removeprefix("$ ").lstrip()
    return _read(strict, text, ended=ended, limit=limit)


def _cut(text: str, stop: Sequence[str]) -> tuple[str, bool]:
    """Cut at a stop string or a fence: at a line's start or end, since inside one it is content."""
    kept, stopped = cut_at(text, stop)
    fence = _FENCE.search(kept)
    return (kept[: fence.start()], True) if fence else (kept, stopped)


def _read(strict: str, text: str, *, ended: bool, limit: int | None) -> CommandReading:
    call = _tool_call(text)
    if call is not None:
        name, arguments = call
        return CommandReading(strict, text, ended, ("call", name, *arguments), name, arguments, 1)
    try:
        commands, followed = parse_commands(text, limit=limit)
    except ShellSyntaxError:
        commands, followed = (), False
    if not commands:
        words = text.split()
        return CommandReading(strict, text, ended, None, "".join(words[:1]), tuple(words[1:]), 0)
    words_of_all = [word for command in commands for word in command.words]
    return CommandReading(
        strict,
        text,
        ended or followed,
        _joined(commands),
        commands[0].tool,
        tuple(words_of_all[1:]),
        len(commands),
    )


def _joined(commands: Sequence[Command]) -> tuple[str, ...]:
    tokens: list[str] = []
    for command in commands:
        tokens += [*command.tokens, END]
    return tuple(tokens[:-1])


@dataclass(frozen=True, slots=True)
class CommandMatch:
    """How a prediction compares with one gold command."""

    em_strict: bool
    em_norm: bool
    tool_match: bool
    arg_f1: float
    parsed: bool
    empty: bool
    ended: bool


def compare_command(output: str, gold: str, *, stop: Sequence[str] = ()) -> CommandMatch:
    """Return all command metrics of one output against one gold command.

    As many commands of the output are looked at as gold has (one, but for gold of several
    lines). Where either side does not parse, ``em_norm`` compares the texts.
    """
    wanted = _read(gold, gold.strip(), ended=True, limit=None)
    given = read_command(output, stop=stop, limit=max(1, wanted.commands))
    if given.meaning is None or wanted.meaning is None:
        same = bool(given.text) and given.text == wanted.text
    else:
        same = given.meaning == wanted.meaning
    return CommandMatch(
        em_strict=bool(given.strict) and given.strict == gold.strip(),
        em_norm=same,
        tool_match=bool(given.tool) and given.tool == wanted.tool,
        arg_f1=_bag_f1(given.arguments, wanted.arguments) if given.text else 0.0,
        parsed=given.meaning is not None,
        empty=not given.text,
        ended=given.ended,
    )


def _bag_f1(given: Sequence[str], wanted: Sequence[str]) -> float:
    if not given and not wanted:
        return 1.0
    shared = sum((Counter(given) & Counter(wanted)).values())
    return 2 * shared / (len(given) + len(wanted))


def _tool_call(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return name and canonical arguments of a JSON tool call; None where the text is none."""
    if not text.startswith("{"):
        return None
    try:
        call = json.loads(text)
        inner = call.get("function", call)
        arguments = inner.get("arguments", inner.get("args", inner.get("parameters", {})))
        if isinstance(arguments, str):
            arguments = json.loads(arguments)
        name = inner["name"]
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return None
        pairs = [
            f"{key}={json.dumps(value, sort_keys=True, ensure_ascii=False)}"
            for key, value in sorted(arguments.items())
        ]
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        return None
    return name, tuple(pairs)


def command_meaning(gold: str) -> tuple[str, ...]:
    """Return what makes two commands equal under ``em_norm``; the text where it is no command."""
    reading = _read(gold, gold.strip(), ended=True, limit=None)
    return reading.meaning if reading.meaning is not None else ("text", reading.text)
