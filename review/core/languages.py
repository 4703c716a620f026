"""Which language the texts of a step or section are in: told by tools and files, never guessed."""

import re
from collections import Counter
from collections.abc import Iterable

from generation.core.records import Step
from review.core.chapters import Part
from review.core.colours import file_in, language_of
from review.core.edits import EDITOR

_SHELLS = frozenset({"bash", "execute_bash", "shell", "terminal", "run_command"})
_READS = re.compile(r"(?:cd [^\s;&|]{1,300} *(?:&&|;) *)?(?:cat|sed -n|head|tail|nl|less|more) ")
_NAME = re.compile(r"[\w/-]{1,100}\.[A-Za-z]{1,10}\b")
_MOST_NAMES = 400


def language_of_action(step: Step) -> str:
    """Return the language of a step's action, empty where it is no command of a shell."""
    is_command = step.tool in _SHELLS and not step.action.lstrip().startswith("{")
    return "bash" if is_command else ""


def language_of_observation(step: Step) -> str:
    """Return the language of the file that a step reads, empty where it reads none."""
    if step.tool == EDITOR:
        is_view = step.arguments.get("command") == "view"
        return language_of(str(step.arguments.get("path", ""))) if is_view else ""
    is_read = _READS.match(step.action) and ">" not in step.action and "|" not in step.action
    return language_of(file_in(step.action)) if is_read else ""


def language_of_text(step: Step, part: str) -> str:
    """Return the language of a step's text; a thought is prose, with fences of their own."""
    if part == "action":
        return language_of_action(step)
    return language_of_observation(step) if part == "observation" else ""


def language_of_options(texts: Iterable[str]) -> str:
    """Return the language of the files that a question's texts name most often.

    Options that are code come without a name of their own.
    """
    names = (name for text in texts for name in _NAME.findall(text[:40_000])[:_MOST_NAMES])
    counted = Counter(language for name in names if (language := language_of(name)))
    return counted.most_common(1)[0][0] if counted else ""


def language_of_part(part: Part) -> str:
    """Return the language of the file that a chapter is, empty where it is none."""
    return language_of(part.file)


def may_have_colours(text: str, language: str) -> bool:
    """Return whether a text has anything to colour: it is code, or quotes code in fences."""
    return bool(text) and (bool(language) or "```" in text)
