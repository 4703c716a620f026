"""A gold command with a blank for the reader to fill in has no one right text."""

import re
from collections.abc import Iterator

from generation.core.checks.answers import gold_commands
from generation.core.items import Finding, Item, Severity
from generation.core.shell import heredoc_and_comment_spans

KIND = "placeholder_in_gold"

_PLACEHOLDER = re.compile(
    r"""
      (?<!<) < [A-Za-z] [^<>\n]{0,200} (?<!\s) >
    | path/to
    | \b [Yy]our [\s_-] [A-Za-z]
    | (?: (?<=[\s=/-]) | \A ) \[ (?! (?:\w-\w)+ \] ) [A-Za-z] [^\[\]\n]{0,200} \]
    | (?<!\$) \{ [A-Z] [A-Z0-9_]* \}
    | \b XXX+ \b
    | (?<! [^\s"'=] ) \.\.\. (?! [^\s"'] )
    """,
    re.VERBOSE,
)
_VARIABLE = re.compile(r"\$\{?([^\W\d]\w*)")
_ASSIGNED = re.compile(
    r"(?<![\w$])([^\W\d]\w*)=|\bfor\s+([^\W\d]\w*)\s+in\b|\bread\s+(?:-\w+\s+)*([^\W\d]\w*)"
)
_USUAL_VARIABLES = frozenset(
    {
        "HOME",
        "PATH",
        "USER",
        "PWD",
        "PYTHONPATH",
        "LD_LIBRARY_PATH",
        "CONDA_PREFIX",
        "SHELL",
        "TMPDIR",
    }
)
_EDITOR = "str_replace_editor "


def check(item: Item) -> Iterator[Finding]:
    """Yield one finding for the first placeholder of each gold command.

    Text that a command writes to a file (a here-document, an editor's argument) and comments
    are no part of it. A ``$name`` is a placeholder unless the shown history or the command
    itself assigns it, or every shell has it.
    """
    for command in gold_commands(item):
        found = _placeholder(command, item.shown_actions)
        if found:
            evidence = f"{found} in {command[:200]}"
            yield Finding(KIND, Severity.NEEDS_PERSON, "gold", evidence)


def _placeholder(command: str, shown: tuple[str, ...]) -> str | None:
    if command.startswith(_EDITOR):
        return None
    text = command
    for start, end in heredoc_and_comment_spans(command):
        text = text[:start] + " " * (end - start) + text[end:]
    literal = _PLACEHOLDER.search(text)
    if literal:
        return literal.group().strip()
    names = [name for name in _VARIABLE.findall(text) if not _is_usual(name)]
    if not names:
        return None
    known = {name for source in (*shown, text) for name in _assigned_names(source)}
    unknown = next((name for name in names if name not in known), None)
    return unknown and f"${unknown}, which is assigned nowhere,"


def _is_usual(name: str) -> bool:
    return name in _USUAL_VARIABLES or name.startswith("CUDA_")


def _assigned_names(command: str) -> Iterator[str]:
    for groups in _ASSIGNED.findall(command):
        yield from filter(None, groups)
