"""A gold command that is a piece of one, or no command but code or prose."""

import re
from collections.abc import Iterator
from string import punctuation

from generation.core.checks.answers import gold_commands
from generation.core.items import Finding, Item, Severity
from generation.core.shell import unbalanced

KIND = "gold_is_command_fragment"

# A command may begin with these: a path, a variable, a quoted word, a group, a test, a
# redirection, an option list, a command substitution.
_MAY_BEGIN = frozenset("./~$\"'([{<-`")
_MAY_NOT_BEGIN = frozenset(punctuation) - _MAY_BEGIN

_LEADING_COMMENTS = re.compile(r"\A(?:\s*#[^\n]*(?:\n|\Z))+\s*")

_OTHER_LANGUAGE = re.compile(
    r"""
      from \s+ \S+ \s+ import \b
    | import \s+ \w
    | using \s+ \w
    | (?: def | class | and | or | how ) \s
    | for \s+ \w+ \s+ in \s [^\n;]* : \s* (?: \n | \Z )
    | [^\W\d]\w* \s+ = \s
    | [^\W\d][\w.]* \( (?! \s*\)\s*\{ )
    """,
    re.VERBOSE,
)


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for each gold command that is not whole, and say by what it shows."""
    for command in gold_commands(item):
        why = _why_fragment(command.strip())
        if why:
            evidence = f"{command[:200]}: {why}"
            yield Finding(KIND, Severity.BLOCKS_RELEASE, "gold", evidence)


def _why_fragment(whole: str) -> str | None:
    command = _LEADING_COMMENTS.sub("", whole)
    if not command:
        return "it is a comment" if whole else None
    if command[0] in _MAY_NOT_BEGIN:
        return f"it begins with {command[0]}"
    other = _OTHER_LANGUAGE.match(command)
    if other:
        return f"it begins with code of another language or prose: {other.group().strip()}"
    return unbalanced(whole)
