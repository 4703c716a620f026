"""Prompts of a set made elsewhere: a text whose ``$NAME$`` marks are filled in one pass."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

_PLACEHOLDER = re.compile(r"\$[A-Z][A-Z_]*\$")
_BETWEEN_QUESTIONS = "\n\n"


class OfficialPromptError(ValueError):
    """A prompt's text lacks a placeholder, or holds one that no field fills; named."""


@dataclass(frozen=True, slots=True)
class PromptFile:
    """The text of one subtask's prompt and the path of its file below the set's folder."""

    subtask: str
    text: str
    place: str


@dataclass(frozen=True, slots=True)
class OfficialPrompt:
    """A prompt cut where the asked question begins: ``head`` + ``block`` is the whole text.

    ``head`` is the instruction and the worked examples, the same for every item; ``block`` holds
    the ``placeholders``, all of them.
    """

    head: str
    block: str
    placeholders: frozenset[str]

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the block with every placeholder replaced by its value, trimmed, once.

        The value is trimmed as the official ``code/predict.py`` does it; unlike there, a
        placeholder inside a value stays text.

        Raises:
            KeyError: ``values`` lacks a placeholder.
        """
        marks = "|".join(map(re.escape, sorted(self.placeholders)))
        return re.sub(marks, lambda mark: values[mark.group()].strip(), self.block)


def read_prompt(text: str, placeholders: Collection[str]) -> OfficialPrompt:
    """Return the prompt whose question holds exactly these placeholders, at least one.

    The question begins after the last empty line before the first of them. Text of the worked
    examples that merely looks like a placeholder (a formula, a shell variable) is theirs.

    Raises:
        OfficialPromptError: a placeholder is missing, or the question holds one unknown.
    """
    missing = sorted(mark for mark in placeholders if mark not in text)
    if missing:
        msg = f"placeholder {', '.join(missing)} is missing"
        raise OfficialPromptError(msg)
    first = min(text.index(mark) for mark in placeholders)
    blank = text.rfind(_BETWEEN_QUESTIONS, 0, first)
    start = blank + len(_BETWEEN_QUESTIONS) if blank >= 0 else 0
    block = text[start:]
    unknown = sorted(set(_PLACEHOLDER.findall(block)) - set(placeholders))
    if unknown:
        msg = f"no field of a row fills placeholder {', '.join(unknown)}"
        raise OfficialPromptError(msg)
    return OfficialPrompt(text[:start], block, frozenset(placeholders))
