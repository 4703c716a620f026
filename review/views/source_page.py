"""Reads the texts of the source column: what the model sees, and what follows on request."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import Http404
from django.utils.safestring import SafeString

from generation.core.prompts import slot_names
from generation.core.registry import SUBTASKS
from generation.models import Revision, SourceForm
from review.core.chapters import Part
from review.core.edits import patch_marks
from review.core.folding import step_limit
from review.core.languages import language_of_options
from review.core.marks import Mark
from review.core.source_view import (
    PARTS,
    Evidence,
    SectionView,
    view_section,
    view_steps,
)
from review.services.shown_texts import read_steps
from review.views.kept_steps import NO_STEPS, ShownSteps, shown_steps
from review.views.source_parts import (
    is_option,
    is_prose,
    opens_closed,
    part_named,
    set_as_code,
    source_parts,
    title_of,
)
from review.views.step_markup import (
    section_rows_html,
    sections_html,
    steps_html,
)

# What the prompt shows right before the answer, and the page beside the question.
_BESIDE_QUESTION = frozenset({"thought"})


@dataclass(frozen=True, slots=True)
class SourceColumn:
    """The source as the page shows it: sections, steps, sections after the steps.

    ``beside`` are the sections that belong beside the question, not into the column; ``options``
    the options, where they are too long to be read there.
    """

    before: tuple[SectionView, ...]
    steps: ShownSteps
    after: tuple[SectionView, ...]
    beside: tuple[SectionView, ...]
    options: tuple[SectionView, ...]
    cut: int
    has_more: bool
    language: str = ""


@dataclass(frozen=True, slots=True)
class ShownOptions:
    """Options to be read in the source column: texts and marks by section name."""

    texts: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, Sequence[Mark]] = field(default_factory=dict)


def source_column(
    revision: Revision, evidence: Evidence, options: ShownOptions | None = None
) -> SourceColumn:
    """Return what the model sees, marked with the evidence of findings (empty while blind).

    Options that need room are read here; the rest of the page then shows what tells them apart.
    """
    shown_options = options or ShownOptions()
    parts = source_parts(revision, shown_options.texts)
    cut = revision.candidate.cut
    before, after = slots_around_history(revision, [part.slot for part in parts])

    def views(slots: Collection[str]) -> tuple[SectionView, ...]:
        chosen = [part for part in parts if part.slot in slots]
        return tuple(_section(revision, part, evidence, shown_options) for part in chosen)

    return SourceColumn(
        before=views([slot for slot in before if slot not in _BESIDE_QUESTION]),
        steps=shown_steps(revision, evidence) if shows_steps(revision, parts) else NO_STEPS,
        after=views([slot for slot in after if slot not in _BESIDE_QUESTION]),
        beside=views([slot for slot in (*before, *after) if slot in _BESIDE_QUESTION]),
        options=views(list(shown_options.texts)),
        cut=cut,
        has_more=is_run(revision),
        language=revision.candidate.source.language,
    )


def slots_around_history(revision: Revision, slots: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the slots that the prompt shows before the run, and those after it."""
    names = slot_names(SUBTASKS[revision.candidate.subtask].prompt.block)
    texts = [slot for slot in dict.fromkeys(slots) if not is_option(slot)]
    if not is_run(revision) or "history" in texts or "history" not in names:
        return texts, []
    later = set(names[names.index("history") :])
    return [s for s in texts if s not in later], [s for s in texts if s in later]


def shows_steps(revision: Revision, parts: Iterable[Part]) -> bool:
    """Return whether the prompt shows the steps of the run, as steps."""
    names = slot_names(SUBTASKS[revision.candidate.subtask].prompt.block)
    written_out = any(part.slot == "history" for part in parts)
    return is_run(revision) and "history" in names and not written_out


def is_run(revision: Revision) -> bool:
    """Return whether the source is a run, of which something may follow the cut."""
    return revision.candidate.source.form == SourceForm.TRAJECTORY


def _section(
    revision: Revision, part: Part, evidence: Evidence, options: ShownOptions
) -> SectionView:
    subtask = revision.candidate.subtask
    return view_section(
        part,
        title_of(part.slot),
        evidence=evidence,
        marks=options.marks.get(part.slot, ()),
        language=_language(revision, part),
        is_open=not opens_closed(subtask, part.slot),
        is_prose=not set_as_code(subtask, options.texts.values())
        if is_option(part.slot)
        else is_prose(subtask, part),
    )


def _language(revision: Revision, part: Part) -> str:
    """Return the language that an option of code is taken to be in."""
    if not is_option(part.slot) or patch_marks(part.text):
        return ""
    return language_of_options(revision.slots.values())


def source_html(column: SourceColumn, *, address: str) -> dict[str, Any]:
    """Return the source column's context; ``address`` is the review page's."""
    language = column.language
    later = (*column.after, *column.beside, *column.options)
    return {
        "source": column,
        "outline": column.steps.outline,
        "before": sections_html(column.before, address=address, language=language),
        "steps": column.steps.at(address),
        "after": sections_html(column.after, address=address, language=language),
        "beside": sections_html(column.beside, address=address, language=language),
        "long_options": sections_html(column.options, address=address, language=language),
        "outline_before": section_rows_html(column.before, language=language),
        "outline_after": section_rows_html(later, language=language),
    }


def following_html(revision: Revision, *, address: str) -> SafeString:
    """Return the asked step and all after it: for the open phase, when the reviewer asks."""
    cut = revision.candidate.cut
    steps = read_steps(revision, first=cut, last=None)
    views = view_steps(steps, first=cut, shown_in_all=cut - 1, evidence=Evidence())
    return steps_html(views, address=address, language=revision.candidate.source.language)


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


def section_text(
    revision: Revision, name: str, options: Mapping[str, str] | None = None
) -> tuple[str, int]:
    """Return a part's text and the limit to which the page folds it.

    Raises:
        Http404: there is no such part.
    """
    part = part_named(source_parts(revision, options or {}), name)
    return part.text, part.limit
