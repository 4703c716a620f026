"""Reads the texts of the source column: what the model sees, and what follows on request."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from generation.core.prompts import slot_names
from generation.core.registry import SUBTASKS
from generation.models import Revision
from review.core.folding import SECTION_LIMIT, step_limit
from review.core.source_view import (
    PARTS,
    Evidence,
    SectionView,
    StepView,
    view_section,
    view_steps,
)
from review.services.shown_texts import is_imported, read_steps, slot_texts
from review.views.step_markup import outline_html, sections_html, steps_html

# What the prompt shows right before the answer, and the page beside the question.
_BESIDE_QUESTION = frozenset({"thought"})


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """The source as the page shows it: sections, steps, sections after the steps.

    ``beside`` are the sections that belong beside the question, not into the column.
    """

    before: tuple[SectionView, ...]
    steps: tuple[StepView, ...]
    after: tuple[SectionView, ...]
    beside: tuple[SectionView, ...]
    cut: int
    has_more: bool


def source_column(revision: Revision, evidence: Evidence) -> SourceColumn:
    """Return what the model sees, marked with the evidence of findings (empty while blind)."""
    texts = slot_texts(revision)
    cut = revision.candidate.cut
    if is_imported(revision) or "history" in texts:
        sections = _sections(texts, evidence)
        return SourceColumn(sections, (), (), (), cut=cut, has_more=not is_imported(revision))
    names = slot_names(SUBTASKS[revision.candidate.subtask].prompt.block)
    middle = names.index("history") if "history" in names else len(names)
    steps = read_steps(revision, first=1, last=cut - 1) if "history" in names else ()
    after = [name for name in names[middle:] if name in texts]
    return SourceColumn(
        before=_sections({n: texts[n] for n in names[:middle] if n in texts}, evidence),
        steps=view_steps(steps, first=1, shown_in_all=cut - 1, evidence=evidence),
        after=_sections({n: texts[n] for n in after if n not in _BESIDE_QUESTION}, evidence),
        beside=_sections({n: texts[n] for n in after if n in _BESIDE_QUESTION}, evidence),
        cut=cut,
        has_more=True,
    )


def source_html(column: SourceColumn, *, address: str) -> dict[str, Any]:
    """Return the source column's context; ``address`` is the review page's."""
    return {
        "source": column,
        "outline": outline_html(column.steps),
        "before": sections_html(column.before, address=address),
        "steps": steps_html(column.steps, address=address),
        "after": sections_html(column.after, address=address),
        "beside": sections_html(column.beside, address=address),
    }


def following_html(revision: Revision, *, address: str) -> SafeString:
    """Return the asked step and all after it: for the open phase, when the reviewer asks."""
    cut = revision.candidate.cut
    steps = read_steps(revision, first=cut, last=None)
    views = view_steps(steps, first=cut, shown_in_all=cut - 1, evidence=Evidence())
    return steps_html(views, address=address)


def step_text(revision: Revision, number: int, part: str) -> tuple[str, int]:
    """Return one text of a step and the limit to which the page folds it.

    Raises:
        Http404: there is no such step or part.
    """
    steps = read_steps(revision, first=number, last=number)
    if not steps or part not in PARTS:
        raise Http404
    text: str = getattr(steps[0], part)
    return text, step_limit(revision.candidate.cut - 1)


def section_text(revision: Revision, name: str) -> tuple[str, int]:
    """Return a section's text and the limit to which the page folds it.

    Raises:
        Http404: there is no such section.
    """
    texts = slot_texts(revision)
    if name not in texts:
        raise Http404
    return texts[name], SECTION_LIMIT


def _sections(texts: Mapping[str, str], evidence: Evidence) -> tuple[SectionView, ...]:
    return tuple(
        view_section(name, title_of(name), text, evidence=evidence) for name, text in texts.items()
    )


def title_of(name: str) -> str:
    """Return a slot's name for people."""
    known = {
        "task": gettext("Task"),
        "system": gettext("System prompt"),
        "tools": gettext("Tools"),
        "history": gettext("History"),
        "thought": gettext("Thought of the asked step"),
    }
    return known.get(name, name.replace("_", " ").capitalize())
