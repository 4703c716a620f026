"""Cuts the text of a shell session or script into whole commands, each with its lines.

A command ends at a line's end or at ``;``, never inside quotes, brackets, a here-document, a
loop or condition, and never where a backslash or ``&&``, ``||``, ``|`` carries it on. What a
script says in comments is no part of a command. Chains (``a && b``) stay whole.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

MOST_LINES = 500
"""Lines of one command; a longer one counts as never closed."""

_HEREDOC = re.compile(r"<<(?!<)(?P<dash>-?)[ \t]*(?P<quote>['\"\\]?)(?P<word>[A-Za-z_][\w.-]*)")
_WORD = re.compile(r"[^\s;&|()'\"`$\\<>#]+")
_OPENS = {"if": "fi", "for": "done", "while": "done", "until": "done", "select": "done"} | {
    "case": "esac",
    "{": "}",
}
_CLOSES = frozenset(_OPENS.values())
# After these the next word is a command of its own.
_LEADS_ON = frozenset({"do", "then", "else", "elif", "!", "time", "&&", "||", "|", ";", "("})
_PARAMETER = "${}"
_CARRIES_ON = ("&&", "||", "|")
# An open bracket and what stands for it on the stack; the } of a block is a word, not a bracket.
_BRACKETS = {"(": ")", "$(": ")", "${": _PARAMETER}
_BLANKS = " \t"


@dataclass(frozen=True, slots=True)
class ShellLine:
    """One command: its text on one line where it can be, and its lines (0-based, both included).

    ``is_open`` says that a quote, bracket, loop or here-document was still open at the end.
    """

    text: str
    first: int
    last: int
    is_open: bool = False


def shell_lines(lines: Sequence[str]) -> list[ShellLine]:
    """Return the commands of a script's lines in order; comments and empty lines give none.

    Where one is never closed, its first line is taken alone and the lines after it are read
    afresh, so that a stray quote swallows nothing.
    """
    found: list[ShellLine] = []
    start = 0
    while start < len(lines):
        command, after = _command_at(lines, start)
        if any(each.is_open for each in command) and after - start > 1:
            command, after = _command_at(lines[: start + 1], start)
        found += command
        start = after
    return found


def _command_at(lines: Sequence[str], start: int) -> tuple[list[ShellLine], int]:
    """Return the commands that begin on line ``start``, and the line after the last of them."""
    reader = _Reader()
    number = start
    while number < min(len(lines), start + MOST_LINES):
        reader.take(lines[number])
        number += 1
        if not reader.wants_more:
            break
    last = number - 1
    texts = reader.texts()
    return [ShellLine(text, start, last, is_open=reader.is_open) for text in texts], number


class _Reader:
    """Reads lines until a command is whole."""

    def __init__(self) -> None:
        self._pieces: list[str] = [""]
        self._stack: list[str] = []
        self._heredocs: list[tuple[str, bool]] = []
        self._waiting: list[tuple[str, bool]] = []
        self._carried = False
        self._begins = True

    @property
    def is_open(self) -> bool:
        return bool(self._stack or self._waiting or self._carried)

    @property
    def wants_more(self) -> bool:
        return self.is_open

    def texts(self) -> list[str]:
        return [text for piece in self._pieces if (text := piece.strip())]

    def take(self, line: str) -> None:
        if self._waiting:
            word, strips = self._waiting[0]
            self._add("\n" + line)
            if (line.lstrip("\t") if strips else line).rstrip() == word:
                self._waiting.pop(0)
            return
        if self._in_quote or (self._stack and not self._carried):
            self._add("\n")
        elif self._carried:
            self._pieces[-1] = self._pieces[-1].rstrip(_BLANKS)
            self._add(" ")
            line = line.lstrip(_BLANKS)
        self._carried = False
        self._begins = self._begins or bool(self._stack and not self._in_quote)
        self._scan(line)
        self._waiting, self._heredocs = self._heredocs, []

    @property
    def _in_quote(self) -> bool:
        return bool(self._stack) and self._stack[-1] in {"'", '"', "`"}

    def _add(self, text: str) -> None:
        self._pieces[-1] += text

    def _scan(self, line: str) -> None:
        position = 0
        while position < len(line):
            position = self._step(line, position)
        if not self._in_quote and self._pieces[-1].rstrip().endswith(_CARRIES_ON):
            self._carried = True

    def _step(self, line: str, at: int) -> int:
        """Take what stands at a place of the line, and return the place after it."""
        character = line[at]
        quote = self._stack[-1] if self._in_quote else ""
        if character == "\\" and quote != "'":
            if not line[at + 1 :].strip(_BLANKS) and quote != '"':
                self._carried = True
                return len(line)
            self._add(line[at : at + 2])
            self._begins = False
            return at + 2
        if quote:
            return self._in_quotes(line, at, quote)
        if character == "#" and (at == 0 or line[at - 1] in " \t;&|("):
            self._carried = False
            return len(line)
        if character in "'\"`":
            self._stack.append(character)
        elif (bracket := line[at : at + 2]) in _BRACKETS or (bracket := character) in _BRACKETS:
            self._stack.append(_BRACKETS[bracket])
            self._add(bracket)
            self._begins = bracket != "${"
            return at + len(bracket)
        elif self._closes(character):
            self._stack.pop()
        elif character == "<" and (heredoc := _HEREDOC.match(line, at)):
            self._heredocs.append((heredoc["word"], bool(heredoc["dash"])))
            end = heredoc.end() + (heredoc["quote"] in {"'", '"'})
            self._add(line[at:end])
            return end
        elif character == ";" and not self._stack:
            self._pieces.append("")
            self._begins = True
            return at + 1
        elif word := self._word(line, at):
            return self._take_word(word, at)
        elif character not in _BLANKS:
            self._begins = character in ";&|"
        self._add(character)
        return at + 1

    def _closes(self, character: str) -> bool:
        top = self._stack[-1] if self._stack else ""
        return character == ("}" if top == _PARAMETER else top) and top not in _CLOSES

    def _in_quotes(self, line: str, at: int, quote: str) -> int:
        self._begins = False
        if line[at] == quote:
            self._stack.pop()
        elif quote == '"' and line.startswith("$(", at):
            self._stack.append(")")
            self._add("$(")
            return at + 2
        self._add(line[at])
        return at + 1

    def _word(self, line: str, at: int) -> str:
        """Return the bare word that stands at a place and begins there."""
        if (at and line[at - 1] not in " \t;&|(") or _PARAMETER in self._stack[-1:]:
            return ""
        found = _WORD.match(line, at)
        return found.group() if found else ""

    def _take_word(self, word: str, at: int) -> int:
        if self._begins and word in _OPENS:
            self._stack.append(_OPENS[word])
        elif self._begins and self._stack and word == self._stack[-1] and word in _CLOSES:
            self._stack.pop()
        self._begins = self._begins and word in _LEADS_ON | {"{"}
        self._add(word)
        return at + len(word)
