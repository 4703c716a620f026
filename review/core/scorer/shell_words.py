"""Shell commands as tokens: enough of the grammar to tell what is one command and what it says."""

import re
from dataclasses import dataclass, field

from .shell_lexer import (
    ASSIGNMENT,
    EXPANSION,
    KEYWORD,
    OPERATOR,
    QUOTED_EXPANSION,
    SEPARATOR,
    SPECIAL,
    ShellSyntaxError,
    WordReader,
)

_BLANK = re.compile(r"(?:[ \t]|\\\n)+")
_REDIRECTION = re.compile(r"(\d{0,9})(&>>|&>|<<<|<<-|<<|<>|<&|>>|>&|>\||<(?!\()|>(?!\())")
_CONTROL = re.compile(r";;&|;;|;&|&&|\|\||\|&|[;&|()]")
_ASSIGNS = re.compile(r"[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?=", re.ASCII)
_NO_ARGUMENTS = re.compile(r"[ \t]*\)")
_OPENERS = {"if", "while", "until", "for", "select", "case", "{"}
_CLOSES = {"fi": {"if"}, "done": {"while", "until", "for", "select"}, "esac": {"case"}, "}": {"{"}}
_LEADS_ON = {"if", "while", "until", "then", "do", "else", "elif", "{", "!", "time"}
_NAMES_NEXT = {"for", "select", "case", "function"}
_KEYWORDS = _OPENERS | set(_CLOSES) | _LEADS_ON | _NAMES_NEXT
_JOINS = {OPERATOR + join for join in ("&&", "||", "|", "|&")}
END = OPERATOR + ";"
_NO_END_AFTER = (
    _JOINS
    | {OPERATOR + mark for mark in (";", "&", ";;", ";&", ";;&", "(")}
    | {KEYWORD + word for word in _LEADS_ON}
)


@dataclass(frozen=True, slots=True)
class Command:
    """One top-level command: a line with its continuations, heredocs and open blocks.

    ``tokens`` keep the meaning and nothing else; ``words`` are all words in order as arguments
    are compared: expansions differ from literal text, globs do not; ``tool`` is the program.
    """

    tokens: tuple[str, ...]
    words: tuple[str, ...]
    tool: str


@dataclass(slots=True)
class _Reading:
    tokens: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    at_command: bool = True
    commands: list[Command] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Heredoc:
    tokens: list[str]
    index: int
    delimiter: str
    literal: bool
    strips_tabs: bool


def parse_commands(text: str, *, limit: int | None = None) -> tuple[tuple[Command, ...], bool]:
    """Return the top-level commands of ``text``, at most ``limit``, and whether text follows them.

    What follows is not looked at.

    Raises:
        ShellSyntaxError: a quote, block, substitution or heredoc stays open, or an operator
            stands without a command.
    """
    reader = _CommandReader(text)
    commands = tuple(reader.commands(limit=limit, nested=False))
    return commands, reader.place < len(text)


class _CommandReader(WordReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.heredocs: list[_Heredoc] = []

    def substituted_commands(self) -> str:
        inner = self.commands(limit=None, nested=True)
        return SEPARATOR.join(token for command in inner for token in (*command.tokens, END))

    def commands(self, *, limit: int | None, nested: bool) -> list[Command]:
        now, text = _Reading(), self.text
        while True:
            blank = _BLANK.match(text, self.place)
            if blank:
                self.place = blank.end()
            if self.place >= len(text):
                break
            char = text[self.place]
            if char == "#":
                end = text.find("\n", self.place)
                self.place = len(text) if end < 0 else end
            elif char == "\n":
                self._line_end(now)
                if limit is not None and len(now.commands) >= limit:
                    return now.commands
            elif redirection := _REDIRECTION.match(text, self.place):
                self._redirect(now, redirection)
            elif control := _CONTROL.match(text, self.place):
                self.place = control.end()
                if control.group() == ")" and nested and not now.open:
                    self._finish(now)
                    return now.commands
                self._control(now, control.group())
            else:
                self._word_of(now)
        if nested:
            _refuse("a substitution is not closed")
        self._finish(now)
        return now.commands

    def _line_end(self, now: _Reading) -> None:
        self.place += 1
        waiting, self.heredocs = self.heredocs, []
        for heredoc in waiting:
            heredoc.tokens[heredoc.index] = self._heredoc_body(heredoc)
        now.at_command = True
        if not now.tokens or now.tokens[-1] in _JOINS:
            return
        if now.open:
            if now.tokens[-1] not in _NO_END_AFTER:
                now.tokens.append(END)
        else:
            self._finish(now)

    def _heredoc_body(self, heredoc: _Heredoc) -> str:
        lines: list[str] = []
        while self.place < len(self.text):
            end = self.text.find("\n", self.place)
            end = len(self.text) if end < 0 else end
            line = self.text[self.place : end]
            self.place = end + 1
            if heredoc.strips_tabs:
                line = line.lstrip("\t")
            if line == heredoc.delimiter:
                body = "\n".join(lines)
                literal = heredoc.literal or not any(mark in body for mark in "$`\\")
                return f"{OPERATOR}<<{'' if literal else EXPANSION}{body}"
            lines.append(line)
        _refuse(f"the heredoc {heredoc.delimiter!r} is not closed")
        return ""

    def _redirect(self, now: _Reading, match: re.Match[str]) -> None:
        number, operator = match.groups()
        self.place = match.end()
        blank = _BLANK.match(self.text, self.place)
        if blank:
            self.place = blank.end()
        start = self.place
        target, plain = self.word()
        if self.place == start:
            _refuse(f"{operator} has no target")
        if operator in {"<<", "<<-"}:
            # the first place is the operator's, the second waits for the body
            now.tokens += [f"{OPERATOR}{number}<<", ""]
            delimiter = target.replace(SPECIAL, "")
            self.heredocs.append(
                _Heredoc(now.tokens, len(now.tokens) - 1, delimiter, not plain, operator == "<<-")
            )
            return
        usual = "0" if operator.startswith("<") else "1"
        now.tokens += [OPERATOR + (number if number != usual else "") + operator, target]
        now.words.append(target)

    def _control(self, now: _Reading, operator: str) -> None:
        last = now.tokens[-1] if now.tokens else ""
        if operator == "(":
            if not (now.at_command or self._opens_after_word(now)):
                _refuse("a parenthesis follows a word")
            now.open.append("(")
        elif operator == ")":
            self._close_parenthesis(now)
        elif not now.tokens or last in _JOINS or last == END:
            in_case = operator.startswith(";") and len(operator) > 1 and "case" in now.open
            if not in_case:
                _refuse(f"{operator} stands without a command")
        now.tokens.append(OPERATOR + operator)
        now.at_command = True

    def _opens_after_word(self, now: _Reading) -> bool:
        """Whether a parenthesis may follow a word here: ``name()``, ``for ((``, ``case x in (``, ``[[ (``."""
        defines = _NO_ARGUMENTS.match(self.text, self.place) is not None
        in_case = now.open[-1:] == ["case"]
        return defines or in_case or now.tokens[-1] == KEYWORD + "for" or "[[" in now.tokens

    def _close_parenthesis(self, now: _Reading) -> None:
        if now.open and now.open[-1] == "case":
            return
        if not now.open or now.open.pop() != "(":
            _refuse("a parenthesis closes nothing")
        while now.tokens[-1] == END:
            now.tokens.pop()

    def _word_of(self, now: _Reading) -> None:
        assigns = now.at_command and _ASSIGNS.match(self.text, self.place) is not None
        word, plain = self.word()
        if assigns:
            now.tokens.append(ASSIGNMENT + word)
            now.words.append(ASSIGNMENT + word)
            return
        if now.at_command and plain and word in _KEYWORDS:
            self._keyword(now, word)
            return
        named = now.tokens[-1:] == [KEYWORD + "function"]
        now.tokens.append(word)
        now.words.append(word)
        now.at_command = named

    def _keyword(self, now: _Reading, word: str) -> None:
        if word in _CLOSES and (not now.open or now.open.pop() not in _CLOSES[word]):
            _refuse(f"{word} closes nothing")
        if word in _OPENERS:
            now.open.append(word)
        now.tokens.append(KEYWORD + word)
        now.at_command = word in _LEADS_ON

    def _finish(self, now: _Reading) -> None:
        if self.heredocs:
            _refuse("a heredoc has no body")
        if now.open:
            _refuse(f"{now.open[-1]} is not closed")
        if now.tokens and now.tokens[-1] in _JOINS:
            _refuse("the command goes on after its last operator")
        while now.tokens and now.tokens[-1] == END:
            now.tokens.pop()
        if now.tokens:
            words = tuple(word.replace(SPECIAL, "").lstrip(ASSIGNMENT) for word in now.words)
            ordered = tuple(_order_assignments(now.tokens))
            now.commands.append(Command(ordered, words, _tool(now.words)))
        now.tokens, now.words, now.at_command = [], [], True


def _refuse(message: str) -> None:
    raise ShellSyntaxError(message)


def _order_assignments(tokens: list[str]) -> list[str]:
    """Sort each run of constant assignments; one that reads something may depend on another."""
    ordered: list[str] = []
    run: list[str] = []
    for token in [*tokens, ""]:
        if token.startswith(ASSIGNMENT):
            run.append(token)
            continue
        names = {assignment.partition("=")[0] for assignment in run}
        reads = any(mark in one for one in run for mark in (EXPANSION, QUOTED_EXPANSION, SPECIAL))
        ordered += run if reads or len(names) < len(run) else sorted(run)
        run = []
        ordered.append(token)
    return ordered[:-1]


def _tool(words: list[str]) -> str:
    privileged = False
    for word in words:
        if word == "sudo":
            privileged = True
        elif not word.startswith(ASSIGNMENT) and not (privileged and word.startswith("-")):
            return word.replace(SPECIAL, "")
    return ""
