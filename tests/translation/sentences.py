"""Finds the sentences that services and pure code say to people, in English.

They know nothing of the interface's language, so the edge translates them (``review.views.told``).
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.translation.extraction import PROJECT

ROOMS = ("review/services", "review/core", "generation/services", "generation/core")
# What is written into files, models' prompts and the API's answers, which stay English.
NOT_PAGES = (
    "generation/core/importers/",
    "generation/core/llm_prompts/",
    "generation/core/replies/",
    "generation/core/setup_steps.py",
    "generation/core/subtasks/",
    "review/core/card.py",
    "review/core/export/",
    "review/core/label_studio/",
    "review/core/report/",
    "review/core/scorer/",
    "review/core/synthetic/",
    "review/services/demo.py",
    "review/services/label_studio_import.py",
    "review/services/release_card.py",
    "review/services/report_sections.py",
    "review/services/synthetic",
    "review/services/validation_report.py",
)
_SENTENCE = re.compile(r"[A-Z“*].* .*[.?!]", re.DOTALL)


@dataclass(frozen=True, order=True)
class Sentence:
    """A sentence and where it stands; a value that is put in when it is said is ``*``."""

    text: str
    file: str

    @property
    def has_values(self) -> bool:
        """Whether values are put in."""
        return "*" in self.text


def sentences() -> list[Sentence]:
    """Return every sentence in the rooms, without repeats."""
    found: set[Sentence] = set()
    for room in ROOMS:
        for path in sorted((PROJECT / room).rglob("*.py")):
            name = path.relative_to(PROJECT).as_posix()
            if not name.startswith(NOT_PAGES):
                source = path.read_text(encoding="utf-8")
                found.update(Sentence(text, name) for text in sentences_in(source))
    return sorted(found)


def sentences_in(source: str) -> Iterator[str]:
    """Yield the sentences of one Python file: no docstrings, no comments under constants."""
    tree = ast.parse(source)
    parts: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts.update(id(value) for value in ast.walk(node) if isinstance(value, ast.Constant))
            yield from _whole("".join(map(_shown, node.values)))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            parts.add(id(node.value))  # a docstring, or words on the constant above
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield from _whole(node.value)


def _shown(value: ast.expr) -> str:
    return str(value.value) if isinstance(value, ast.Constant) else "*"


def _whole(text: str) -> Iterator[str]:
    if _SENTENCE.fullmatch(text):
        yield text
