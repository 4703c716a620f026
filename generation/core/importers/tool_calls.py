"""The calls of SWE-smith's three tools, as structure and as the one text an agent's shell reads.

Three written forms come in: the arguments as structure, XML-like tags, and the shell text in a
fence. Formats: SWE-agent 1.0 tool bundles and SWE-smith's conversion to training rows.
"""

import re
import shlex
from collections.abc import Mapping
from typing import Any

from generation.core.importers.streams import NotJsonError, parse_json
from generation.core.records import Tool

BASH, EDITOR, SUBMIT = "bash", "str_replace_editor", "submit"
_QUOTED_OPTIONS = frozenset({"file_text", "old_str", "new_str"})
_OPTIONS = ("file_text", "view_range", "old_str", "new_str", "insert_line")

TOOLS = (
    Tool(
        name=BASH,
        description="Runs a command in a shell that stays open.",
        arguments={"command": "the command to run"},
        required=("command",),
    ),
    Tool(
        name=EDITOR,
        description="Views, creates and edits files.",
        arguments={
            "command": "view, create, str_replace, insert or undo_edit",
            "path": "absolute path of the file or folder",
            "file_text": "what a created file holds",
            "view_range": "first and last line to view, -1 for the end",
            "old_str": "the text to replace, exactly as it stands in the file",
            "new_str": "the text that is put there",
            "insert_line": "the line after which the text is inserted",
        },
        required=("command", "path"),
    ),
    Tool(name=SUBMIT, description="Hands in the change and ends the run."),
)
"""The tools a SWE-smith run declares."""

THINK = "think"
THINK_TOOL = Tool(
    name=THINK,
    description="Keeps a thought in the record; nothing is run.",
    arguments={"thought": "the thought"},
    required=("thought",),
)
"""What OpenHands runs declare besides."""

KNOWN_TOOLS = frozenset(tool.name for tool in TOOLS)
"""Their names: for these the text follows from the arguments; others keep what was recorded."""

WINDOW_COMMANDS = frozenset(
    {
        "append",
        "create",
        "edit",
        "find_file",
        "goto",
        "insert",
        "open",
        "scroll_down",
        "scroll_up",
        "search_dir",
        "search_file",
        "set_cursors",
    }
)
"""SWE-agent's commands on its file window, whose arguments are not taken apart."""

_ARGUMENTS = {tool.name: frozenset(tool.arguments) for tool in TOOLS}


def render_call(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return the shell text of a call.

    For the three tools it is the text that SWE-agent records as ``action``, up to runs of
    blanks; for any other the name and its arguments as ``--name value``, quoted for a shell.
    """
    if tool == BASH and isinstance(arguments.get("command"), str):
        return str(arguments["command"])
    if tool == SUBMIT:
        return SUBMIT
    words = [tool]
    rest = dict(arguments)
    if tool == EDITOR:
        words += [str(rest.pop(name)) for name in ("command", "path") if name in rest]
        rest = {name: rest[name] for name in (*_OPTIONS, *rest) if name in rest}
    for name, value in rest.items():
        if value is not None:
            words += [f"--{name}", _render_value(name, value)]
    return " ".join(words)


def _render_value(name: str, value: Any) -> str:
    if isinstance(value, list):
        return " ".join(str(item) for item in value)
    if isinstance(value, bool | int | float) and name not in _QUOTED_OPTIONS:
        return str(value)
    return shlex.quote(str(value))


def same_but_for_blanks(one: str, other: str) -> bool:
    """Say whether two texts are equal when every run of blanks counts as one blank."""
    return one == other or one.split() == other.split()


_FUNCTION = re.compile(r"^<function=([A-Za-z_][\w.-]*)>", re.MULTILINE)
_PARAMETER = re.compile(r"(?:\A|</parameter>)\s*<parameter=([A-Za-z_]\w*)>")
_CLOSING = "</parameter>"


def parse_xml_call(content: str) -> tuple[str, str, dict[str, Any]] | None:
    """Return thought, tool and arguments of a message with a ``<function=…>`` block, or None.

    Values are not escaped in this format and may hold its own tags: a parameter begins only
    right after the end of another, under a name that its tool declares and that is new, and ends
    at the last closing tag before the next.
    """
    end = content.rfind("</function>")
    found = _FUNCTION.search(content)
    if found is None or end < found.end():
        return None
    tool = found.group(1)
    return content[: found.start()].strip(), tool, _parameters(tool, content[found.end() : end])


def _parameters(tool: str, body: str) -> dict[str, Any]:
    declared = _ARGUMENTS.get(tool)
    starts: dict[str, re.Match[str]] = {}
    for match in _PARAMETER.finditer(body):
        name = match.group(1)
        if name not in starts and (declared is None or name in declared):
            starts[name] = match
    ends = [*(match.start() + len(_CLOSING) for match in starts.values()), len(body)][1:]
    values: dict[str, Any] = {}
    for (name, match), end in zip(starts.items(), ends, strict=False):
        close = body.rfind(_CLOSING, match.end(), end)
        if close >= 0:
            values[name] = _value(name, body[match.end() : close])
    return values


def _value(name: str, text: str) -> Any:
    if name in _QUOTED_OPTIONS:
        return text.removeprefix("\n").removesuffix("\n")
    if name in {"view_range", "insert_line"}:
        try:
            return parse_json(text)[0]
        except NotJsonError:
            return text
    return text


_PIECE = re.compile(r"""(?P<blank>\s+)|'([^']*)'|"([^"\\]*)"|([^\s'"\\]+)""")


def parse_action(action: str) -> tuple[str, dict[str, Any]]:
    """Return tool and arguments of a shell text as ``render_call`` writes it.

    What is no well-formed call of the editor or ``submit`` is a command of the shell.
    """
    text = action.strip()
    if text == SUBMIT:
        return SUBMIT, {}
    if text.startswith(f"{EDITOR} "):
        arguments = _editor_arguments(text)
        if arguments is not None:
            return EDITOR, arguments
    return BASH, {"command": text}


def _editor_arguments(text: str) -> dict[str, Any] | None:
    words = _words(text)
    if words is None or len(words) < 3:
        return None
    arguments: dict[str, Any] = {"command": words[1], "path": words[2]}
    name = ""
    values: dict[str, list[str]] = {}
    for word in words[3:]:
        option = word.removeprefix("--")
        expects_a_value = bool(name) and not values[name]
        if word != option and option in _OPTIONS and not expects_a_value:
            name = option
            values[name] = []
        elif name:
            values[name].append(word)
        else:
            return None
    for option, found in values.items():
        if option == "view_range":
            arguments[option] = [int(each) for each in found if _INTEGER.fullmatch(each)]
        elif len(found) != 1:
            return None
        else:
            whole = option == "insert_line" and _INTEGER.fullmatch(found[0])
            arguments[option] = int(found[0]) if whole else found[0]
    return arguments


_INTEGER = re.compile(r"-?\d{1,9}")


def _words(text: str) -> list[str] | None:
    """Return the words a shell would read, None where a quote stays open or a backslash stands."""
    words: list[str] = []
    pieces: list[str] = []
    position = 0
    while (match := _PIECE.match(text, position)) is not None:
        position = match.end()
        if match["blank"] is None:
            pieces.append(match[match.lastindex or 0])
        elif pieces:
            words.append("".join(pieces))
            pieces = []
    if pieces:
        words.append("".join(pieces))
    return words if position == len(text) else None


_FENCE = re.compile(r"^```[a-z]*[ \t\r]*$", re.MULTILINE)
_MOST_FENCES = 50


def parse_fenced_call(content: str) -> tuple[str, str, dict[str, Any]] | None:
    """Return thought, tool and arguments of a message that ends in a fenced command, or None.

    A created file may hold fences itself: where an editor's call with closed quotes reaches from
    an earlier fence to the last one, it begins there.
    """
    fences = list(_FENCE.finditer(content))
    if len(fences) < 2:
        return None
    close = fences[-1]
    for start in fences[-_MOST_FENCES:-1]:
        action = content[start.end() : close.start()].strip()
        if action.startswith(f"{EDITOR} "):
            tool, arguments = parse_action(action)
            if tool == EDITOR:
                return content[: start.start()].strip(), tool, arguments
    start = fences[-2]
    tool, arguments = parse_action(content[start.end() : close.start()])
    return content[: start.start()].strip(), tool, arguments


def parse_tagged_action(content: str) -> tuple[str, str] | None:
    """Return thought and action of a message that ends in ``<command>…</command>``, or None."""
    start, close = content.find("<command>"), content.rfind("</command>")
    if start < 0 or close < start or content[close + len("</command>") :].strip():
        return None
    return content[:start].strip(), content[start + len("<command>") : close].strip()
