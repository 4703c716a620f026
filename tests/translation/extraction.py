"""Finds every text that the interface asks a translation for, in Python files and templates."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.extract import extract_python
from django.utils.translation.template import templatize

PROJECT = Path(__file__).resolve().parent.parent.parent
PYTHON_ROOMS = ("apt_annotate", "generation", "review")

# Where the arguments of a function stand: context, singular, plural; None where it takes none.
FUNCTIONS: dict[str, tuple[int | None, int, int | None]] = {
    "_": (None, 0, None),
    "gettext": (None, 0, None),
    "gettext_lazy": (None, 0, None),
    "gettext_noop": (None, 0, None),
    "ngettext": (None, 0, 1),
    "ngettext_lazy": (None, 0, 1),
    "pgettext": (0, 1, None),
    "pgettext_lazy": (0, 1, None),
    "npgettext": (0, 1, 2),
    "npgettext_lazy": (0, 1, 2),
}


@dataclass(frozen=True, order=True)
class Message:
    """One text to translate; ``context`` and ``plural`` are empty where it has none."""

    singular: str
    plural: str = ""
    context: str = ""


@dataclass(frozen=True)
class Use:
    """Where a message is asked for; ``message`` is None where its text is no literal."""

    file: str
    line: int
    message: Message | None


def uses() -> list[Use]:
    """Return every use in the project, in the order of files and lines."""
    return [*_of_python(), *_of_templates()]


def messages(found: Iterable[Use]) -> dict[Message, list[str]]:
    """Return each message with the files that use it, without repeats."""
    by_message: dict[Message, list[str]] = {}
    for use in found:
        if use.message is not None:
            files = by_message.setdefault(use.message, [])
            if use.file not in files:
                files.append(use.file)
    return by_message


def _of_python() -> Iterator[Use]:
    for room in PYTHON_ROOMS:
        for path in sorted((PROJECT / room).rglob("*.py")):
            yield from python_uses(path.read_text(encoding="utf-8"), _name(path))


def python_uses(source: str, file: str) -> Iterator[Use]:
    """Yield the uses in one Python file."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name in FUNCTIONS:
            yield Use(file, node.lineno, _message(node, FUNCTIONS[name]))


def _message(call: ast.Call, places: tuple[int | None, int, int | None]) -> Message | None:
    texts = []
    for place in places:
        argument = None if place is None or place >= len(call.args) else call.args[place]
        if place is None:
            texts.append("")
        elif isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            texts.append(argument.value)
        else:
            return None
    context, singular, plural = texts
    return Message(singular, plural, context)


def _of_templates() -> Iterator[Use]:
    for path in sorted((PROJECT / "templates").rglob("*")):
        if path.is_file():
            yield from template_uses(path.read_text(encoding="utf-8"), _name(path))


def template_uses(source: str, file: str) -> Iterator[Use]:
    """Yield the uses in one template; Django's own reader turns it into something like Python."""
    flat = "\n".join(line.lstrip() for line in templatize(source, origin=file).split("\n"))
    keywords = dict.fromkeys(FUNCTIONS)
    found = extract_python(BytesIO(flat.encode()), keywords, [], {"encoding": "utf-8"})
    for line, function, given, _ in found:
        arguments: Any = given  # one string where there is one argument, else all of them
        words = [arguments] if isinstance(arguments, str) else arguments
        context, singular, plural = FUNCTIONS[str(function)]
        yield Use(
            file,
            line,
            Message(
                words[singular],
                "" if plural is None else words[plural],
                "" if context is None else words[context],
            ),
        )


def _name(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()
