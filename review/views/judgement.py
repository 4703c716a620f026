"""What the open page judges: gold beside the own answer, options, findings, ratings."""

import re
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from generation.core.records import Success
from generation.models import Finding, Option
from review.core.display import shown
from review.core.edits import patch_marks
from review.core.marks import segments
from review.core.question_view import Labels, read_gold
from review.core.source_view import Evidence
from review.forms import RATINGS, REASONS, VERDICTS, ReviewForm
from review.models import Assignment
from review.services.gold import is_completion, may_mean_the_same
from review.services.labels import labels_of
from review.services.turns import answer_of
from review.views.access import has_seen_what_follows
from review.views.finding_rows import FindingRow, finding_rows, marks_by_option, marks_in_gold
from review.views.shown_options import options_of, short_texts
from review.views.source_page import ShownOptions, following_html, source_column, source_html
from review.views.source_parts import option_sections, section_of, set_as_code
from review.views.step_markup import segments_html


@dataclass(frozen=True, slots=True)
class Material:
    """What the open page judges, read once a request."""

    assignment: Assignment
    options: list[Option]
    findings: list[Finding]
    labels: Labels
    gold: tuple[int, ...]
    missing_gold: tuple[str, ...]
    is_completion: bool

    @property
    def distractors(self) -> list[str]:
        """Displayed labels of the options that are not gold."""
        count = len(self.options)
        return sorted(self.labels.label_at(p) for p in range(count) if p not in self.gold)

    @property
    def to_judge(self) -> list[int]:
        """Ids of all findings: each may be judged, the severe ones must be."""
        return [finding.pk for finding in self.findings]


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option in the open phase."""

    label: str
    text: SafeString | str
    anchor: str
    size: str
    is_gold: bool
    is_own: bool
    reason: str
    verdict: str
    error: str


def read_material(assignment: Assignment, options: list[Option] | None = None) -> Material:
    """Return the options and findings of the assignment's revision, in two queries.

    ``options`` are those of the revision where they were read before.
    """
    options = options_of(assignment) if options is None else options
    completion = is_completion(assignment.revision)
    gold, missing = ((), ()) if completion else read_gold(assignment.revision.gold, len(options))
    return Material(
        assignment=assignment,
        options=options,
        findings=list(assignment.revision.findings.order_by("-severity", "pk")),
        labels=labels_of(assignment, len(options)),
        gold=gold,
        missing_gold=missing,
        is_completion=completion,
    )


def judgement_context(material: Material, form: ReviewForm) -> dict[str, Any]:
    """Return what the open page shows: the source, marked with the findings, and the question."""
    assignment, revision = material.assignment, material.assignment.revision
    evidence = Evidence({f.pk: f.evidence for f in material.findings if f.field == "prompt"})
    column = source_column(revision, evidence, _long_options(material))
    address = reverse("review", args=[assignment.pk])
    follows = has_seen_what_follows(assignment)
    return {
        **source_html(column, address=address),
        "following": following_html(revision, address=address)
        if follows and column.has_more
        else "",
        "saw_what_follows": follows,
        **judged_context(material, form, evidence),
    }


def judged_context(material: Material, form: ReviewForm, evidence: Evidence) -> dict[str, Any]:
    """Return what the question shows: gold, own answer, options, findings, ratings, problems.

    ``evidence`` must have been placed before, where there are findings.
    """
    assignment, revision = material.assignment, material.assignment.revision
    rows = finding_rows(material.findings, form, evidence, material.labels)
    own, outcome = answer_of(assignment), revision.candidate.source.outcome
    return {
        "form": form,
        "findings": rows,
        "has_code": set_as_code(
            revision.candidate.subtask, (option.text for option in material.options)
        ),
        "reads_in_source": bool(option_sections(material.labels, material.options)),
        "options": _option_rows(material, form),
        "gold_texts": [segments_html(text) for text in marks_in_gold(revision, material.findings)]
        if material.is_completion
        else (),
        "missing_gold": material.missing_gold,
        "own": own,
        "own_labels": _own_labels(material),
        "gold_labels": sorted(material.labels.label_at(p) for p in material.gold),
        "is_completion": material.is_completion,
        "asks_success": revision.candidate.source.success == Success.UNCONFIRMED,
        "may_mean_the_same": bool(
            own and not own.matches_gold and may_mean_the_same(revision, own)
        ),
        "own_text": shown(own.text).text if own else "",
        "final_answer": _patch_html(outcome.get("final_answer") or outcome.get("submission", "")),
        "reference_answer": shown(outcome.get("reference_answer", "")).text,
        "verdicts": [
            (value, word, key, meaning, *_around(str(word), key))
            for value, word, key, meaning in VERDICTS
        ],
        "reasons": REASONS,
        "ratings": _ratings(form),
        "problems": [
            (_anchor(name), _topic(name, rows), why, _changed_by(name))
            for name, errors in sorted(form.errors.items(), key=lambda item: _page_order(item[0]))
            for why in errors
        ],
        "levels": [level for level, _word in RATINGS],
    }


def _long_options(material: Material) -> ShownOptions:
    """Return the options that are read in the source column, with the marks of findings."""
    texts = option_sections(material.labels, material.options)
    if not texts:
        return ShownOptions()
    marks = marks_by_option(material.findings, material.gold)
    by_section = {section_of(material.labels.label_at(p)): found for p, found in marks.items()}
    return ShownOptions(texts, by_section)


def _patch_html(text: str) -> SafeString:
    """Return a text fit to show, with the lines of patches marked."""
    clean = shown(text).text
    return segments_html(segments(clean, (), syntax=patch_marks(clean)))


def _anchor(name: str) -> str:
    """Return the id of the place on the page where a field stands."""
    is_listed = name.startswith(("option_", "finding_"))
    return name.replace("_", "-") if is_listed else f"field-{name.removesuffix('_why')}"


def _changed_by(name: str) -> str:
    """Return the fields that put right what is wrong with one, apart by spaces."""
    rating = name.removesuffix("_why")
    if rating in _rating_titles():
        return f"{rating} {rating}_why"
    more = {"reject_reason": " decision", "comment": " reject_reason decision"}
    return name + more.get(name, "")


def _around(word: str, key: str) -> tuple[str, str, str]:
    """Return a word cut around the letter of its key: before, letter, after.

    A word that lacks the letter, in another language, has it behind.
    """
    before, found, after = word.partition(key)
    return (before, key, after) if found else (f"{word} ", key, "")


def _page_order(name: str) -> tuple[int, str]:
    """Return where a field comes on the page, for sorting; never the given order of options."""
    parts = ("option_", "finding_", "source_", "well_", "gold_", "comment", "decision", "reject_")
    return next((i for i, start in enumerate(parts) if name.startswith(start)), -1), name


def _topic(name: str, findings: list[FindingRow]) -> str:
    """Return what a problem is about where its sentence does not say so."""
    if name.startswith("option_"):
        return name.removeprefix("option_")
    kinds = {f"finding_{row.pk}": row.kind for row in findings}
    rating = _rating_titles().get(name.removesuffix("_why"), "")
    return kinds.get(name) or re.split("[:：]", rating)[0]


def _rating_titles() -> dict[str, str]:
    return {
        "well_specified": gettext("Problem with the question: not well specified"),
        "gold_quality": gettext("Problem with gold: wrong, or not the one best answer"),
    }


def _own_labels(material: Material) -> list[str]:
    own = answer_of(material.assignment)
    count = len(material.options)
    return sorted(material.labels.label_at(p) for p in (own.positions if own else ()) if p < count)


def _option_rows(material: Material, form: ReviewForm) -> list[OptionRow]:
    texts = [option.text for option in material.options]
    marks = marks_by_option(material.findings, material.gold)
    own = set(_own_labels(material))
    short = {option.label: option for option in short_texts(material.labels, material.options)}
    rows = []
    for option in material.labels.shown(texts, marks):
        name = f"option_{option.label}"
        stored = material.options[material.labels.position_of(option.label)]
        is_asked = name in form.fields
        rows.append(
            OptionRow(
                label=option.label,
                text=short[option.label].text
                if short[option.label].anchor
                else segments_html(option.text),
                anchor=short[option.label].anchor,
                size=short[option.label].size,
                is_gold=stored.position in material.gold,
                is_own=option.label in own,
                reason=shown(stored.reason).text,
                verdict=str(form[name].value() or "") if is_asked else "",
                error=" ".join(map(str, form.errors.get(name, ()))),
            )
        )
    return rows


def _ratings(form: ReviewForm) -> list[dict[str, Any]]:
    """Return the two ratings with their words, values and errors."""
    return [
        {
            "name": name,
            "title": title,
            "value": str(form[name].value() if form[name].value() is not None else ""),
            "why": form[f"{name}_why"].value() or "",
            "errors": [*form.errors.get(name, []), *form.errors.get(f"{name}_why", [])],
        }
        for name, title in _rating_titles().items()
    ]
