"""Words of a shell command with their meaning kept: what is quoted, expanded or a glob.

A word becomes one string. Quotes are gone; what the shell would act on is marked by a control
character, so that two words are equal exactly where the shell would see the same.
"""

import re

SPECIAL = "\x01"  # a glob character, brace or tilde that the shell would expand
EXPANSION = "\x02"  # opens an expansion outside double quotes
EXPANSION_END = "\x03"
QUOTED_EXPANSION = "\x04"  # opens an expansion inside double quotes
ASSIGNMENT = "\x05"
KEYWORD = "\x06"
OPERATOR = "\x07"
SEPARATOR = "\x08"
_MARKS = str.maketrans(dict.fromkeys("\x01\x02\x03\x04\x05\x06\x07\x08", "\ufffd"))
DEEPEST = 30

_PLAIN = re.compile(r"[^ \t\n;&|<>()'\"\\$`*?\[{~]+")
_IN_QUOTES = re.compile(r'[^"\\$`]+')
_NAME = re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!-]", re.ASCII)
_BRACE = re.compile(r"\{[^{}\s'\"\\]*?(?:,|\.\.)")
_PARENTHESES = re.compile(r"[()]")
_BRACES = re.compile(r"\\.|'[^']*'|[{}]", re.DOTALL)
_BACKTICK = re.compile(r"\\.|`", re.DOTALL)
_ANSI = re.compile(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|(.))", re.DOTALL)
_ANSI_NAMED = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v",
}  # fmt: skip


class ShellSyntaxError(ValueError):
    """The text is no complete shell command."""


class WordReader:
    """Reads words of ``text`` from ``place`` on; a subclass says what a command list is."""

    def __init__(self, text: str) -> None:
        self.text = text.translate(_MARKS)
        self.place = 0
        self.depth = 0

    def substituted_commands(self) -> str:
        """Return the commands up to the closing parenthesis, normalised, and step past it."""
        raise NotImplementedError

    def word(self) -> tuple[str, bool]:
        """Return the word that starts here, and whether it stands without quotes and expansions."""
        text, start = self.text, self.place
        parts: list[str] = []
        plain = True
        while self.place < len(text):
            run = _PLAIN.match(text, self.place)
            if run:
                parts.append(run.group())
                self.place = run.end()
                continue
            char = text[self.place]
            if char in " \t\n;&|)" or (char == "(" and not self._opens_array(parts)):
                break
            if char in "<>":
                if text[self.place + 1 : self.place + 2] != "(":
                    break
                self.place += 2
                parts += [EXPANSION, char, self._nested(), EXPANSION_END]
            elif char in "*?[{~":
                parts.append(self._unquoted_special(char, start))
                self.place += 1
            else:
                self._quoting(char, parts)
            plain = plain and char in "*?[{~"
        word = "".join(parts)
        if word in {SPECIAL + "[", SPECIAL + "[" + SPECIAL + "["}:
            word = word.replace(SPECIAL, "")
        return word, plain

    def _opens_array(self, parts: list[str]) -> bool:
        return bool(parts) and re.fullmatch(r"[A-Za-z_]\w*\+?=", parts[0]) is not None

    def _unquoted_special(self, char: str, start: int) -> str:
        if char == "{" and not _BRACE.match(self.text, self.place):
            return char
        if char == "~" and self.place > start and self.text[self.place - 1] not in "=:":
            return char
        return SPECIAL + char

    def _quoting(self, char: str, parts: list[str]) -> None:
        text = self.text
        if char == "'":
            end = self._find("'", self.place + 1)
            parts.append(text[self.place + 1 : end])
            self.place = end + 1
        elif char == '"':
            self.place += 1
            self._double_quoted(parts)
        elif char == "\\":
            following = text[self.place + 1 : self.place + 2]
            parts.append("" if following == "\n" else following or "\\")
            self.place += 2
        elif char == "(":
            end = self._closing_parenthesis(self.place + 1, 1)
            parts += [EXPANSION, text[self.place : end], EXPANSION_END]
            self.place = end
        else:
            self._expansion(char, parts, EXPANSION)

    def _double_quoted(self, parts: list[str]) -> None:
        text = self.text
        while self.place < len(text):
            run = _IN_QUOTES.match(text, self.place)
            if run:
                parts.append(run.group())
                self.place = run.end()
                continue
            char = text[self.place]
            if char == '"':
                self.place += 1
                return
            if char == "\\":
                following = text[self.place + 1 : self.place + 2]
                if following != "\n":
                    parts.append(
                        following if following and following in '$`"\\' else char + following
                    )
                self.place += 2
            else:
                self._expansion(char, parts, QUOTED_EXPANSION)
        msg = "a double quote is not closed"
        raise ShellSyntaxError(msg)

    def _expansion(self, char: str, parts: list[str], opening: str) -> None:
        """Read what starts with ``$`` or a backtick; a lone dollar is itself."""
        text, start = self.text, self.place
        if char == "`":
            self.place = self._closing(_BACKTICK, start + 1, "", "`")
            parts += [opening, text[start : self.place], EXPANSION_END]
            return
        following = text[start + 1 : start + 2]
        name = _NAME.match(text, start + 1)
        if text.startswith("$((", start):
            self.place = self._closing_parenthesis(start + 3, 2)
        elif following == "(":
            self.place += 2
            parts += [opening, "$(", self._nested(), EXPANSION_END]
            return
        elif following == "{":
            self.place = self._closing(_BRACES, start + 2, "{", "}")
        elif name:
            self.place = name.end()
        else:
            self._lone_dollar(following, parts, opening)
            return
        parts += [opening, text[start : self.place], EXPANSION_END]

    def _lone_dollar(self, following: str, parts: list[str], opening: str) -> None:
        self.place += 1
        if opening != EXPANSION or following not in {"'", '"'}:
            parts.append("$")
        elif following == "'":
            self.place += 1
            end = self._closing(re.compile(r"\\.|'", re.DOTALL), self.place, "", "'")
            parts.append(_ANSI.sub(_ansi_character, self.text[self.place : end - 1]))
            self.place = end

    def _nested(self) -> str:
        if self.depth >= DEEPEST:
            msg = f"substitutions lie more than {DEEPEST} deep"
            raise ShellSyntaxError(msg)
        self.depth += 1
        inner = self.substituted_commands()
        self.depth -= 1
        return inner

    def _find(self, mark: str, start: int) -> int:
        place = self.text.find(mark, start)
        if place < 0:
            msg = f"{mark} is not closed"
            raise ShellSyntaxError(msg)
        return place

    def _closing_parenthesis(self, start: int, depth: int) -> int:
        for match in _PARENTHESES.finditer(self.text, start):
            depth += 1 if match.group() == "(" else -1
            if depth == 0:
                return match.end()
        msg = "a parenthesis is not closed"
        raise ShellSyntaxError(msg)

    def _closing(self, marks: re.Pattern[str], start: int, opening: str, closing: str) -> int:
        depth = 1
        for match in marks.finditer(self.text, start):
            depth += (match.group() == opening) - (match.group() == closing)
            if depth == 0:
                return match.end()
        msg = f"{closing} is missing"
        raise ShellSyntaxError(msg)


def _ansi_character(match: re.Match[str]) -> str:
    octal, hexadecimal, code_point, other = match.groups()
    if other is not None:
        return _ANSI_NAMED.get(other, other if other in "\\'\"?" else "\\" + other)
    if octal is not None:
        return chr(int(octal, 8) & 255)
    return chr(int(hexadecimal or code_point, 16))
