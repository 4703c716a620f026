"""The texts of the source column that are no steps: what they are called, and how they are read."""

from collections.abc import Iterable, Mapping, Sequence

from django.http import Http404
from django.utils.translation import gettext

from generation.core.registry import SUBTASKS
from generation.core.subtask import Scenario
from generation.models import Option, Revision
from review.core.chapters import Part, parts_of
from review.core.question_view import Labels, hold_code, need_room
from review.services.shown_texts import slot_texts

_OPTION = "option-"
_RECORDS = frozenset({"tools", "executed_commands", "command_prefix"})
# A citation's report is long and says little of what the page beside it supports.
_CLOSED = {"open_citation_en": "article", "open_citation_zh": "article"}


def option_sections(labels: Labels, options: Sequence[Option]) -> dict[str, str]:
    """Return the options' texts by section name, in displayed order; none where they are short."""
    texts = [option.text for option in options]
    if not need_room(texts):
        return {}
    return {section_of(labels.label_at(p)): texts[p] for p in labels.order}


def section_of(label: str) -> str:
    """Return the name of the section that holds an option's text."""
    return f"{_OPTION}{label}"


def is_option(slot: str) -> bool:
    """Return whether a section holds an option's text."""
    return slot.startswith(_OPTION)


def source_parts(revision: Revision, options: Mapping[str, str]) -> tuple[Part, ...]:
    """Return the parts of the texts that the prompt shows beside the steps, in its order.

    ``options`` are those of ``option_sections``. Two queries at most.
    """
    return parts_of({**slot_texts(revision), **options})


def part_named(parts: Iterable[Part], name: str) -> Part:
    """Return the part of that name.

    Raises:
        Http404: there is none.
    """
    for part in parts:
        if part.name == name:
            return part
    raise Http404


def opens_closed(subtask: str, slot: str) -> bool:
    """Return whether a section is folded when the page opens."""
    return _CLOSED.get(subtask) == slot


def is_prose(subtask: str, part: Part) -> bool:
    """Return whether a part is set as running text: neither code nor a recorded run.

    Texts of open-ended research are prose, with what code they quote.
    """
    if SUBTASKS[subtask].scenario is Scenario.OPEN_QA:
        return True
    is_record = part.file or part.slot in _RECORDS or part.heading.startswith("Step ")
    return not is_record and "```" not in part.text and not hold_code([part.text])


def set_as_code(subtask: str, texts: Iterable[str]) -> bool:
    """Return whether a question's options are set as code, all of them alike."""
    return SUBTASKS[subtask].scenario is not Scenario.OPEN_QA and hold_code(texts)


def title_of(slot: str) -> str:
    """Return a slot's name for people."""
    if is_option(slot):
        return gettext("Option %(label)s") % {"label": slot.removeprefix(_OPTION)}
    known = {
        "task": gettext("Task"),
        "system": gettext("System prompt"),
        "tools": gettext("Tools"),
        "history": gettext("History"),
        "thought": gettext("Thought of the asked step"),
        "repo_info": gettext("Repository"),
        "setup_instruct": gettext("Set-up of the project"),
        "issue_title": gettext("Issue"),
        "issue_body": gettext("Text of the issue"),
        "issue_statement": gettext("Bug report"),
        "problem_statement": gettext("Bug report"),
        "execution_plan": gettext("Plan"),
        "executed_commands": gettext("Commands run so far"),
        "command_prefix": gettext("Beginning of the command"),
        "article": gettext("Report"),
        "page": gettext("Cited page"),
        "question": gettext("Question to study"),
        "query": gettext("Request"),
    }
    return known.get(slot, slot.replace("_", " ").capitalize())
