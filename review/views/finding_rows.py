"""Findings as the open phase lists them: where each lies, and what the reviewer says of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.forms import Form
from django.utils.translation import gettext, pgettext

from generation.core.items import Severity
from generation.models import Finding, Revision
from review.core.display import shown
from review.core.evidence_letters import in_shown_letters
from review.core.marks import Mark, Segment, segments
from review.core.question_view import Labels
from review.core.source_view import Evidence
from review.views.known_words import kind_word
from review.views.source_parts import title_of

_BOX_LIMIT = 600


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding in the list.

    ``anchor`` is the id of what it jumps to, empty where it has no place on the page;
    ``evidence`` is shown in a box of its own where the place itself is not in view.
    """

    pk: int
    kind: str
    severity: int
    word: str
    place: str
    anchor: str
    evidence: str
    source_step: int | None
    verdict: str
    remark: str
    error: str

    @property
    def must_be_judged(self) -> bool:
        """Whether the review can't be sent without a word on it."""
        return self.severity >= Severity.NEEDS_PERSON


def finding_rows(
    findings: Sequence[Finding], form: Form, evidence: Evidence, labels: Labels
) -> list[FindingRow]:
    """Return the findings in the order given; ``evidence`` must have been placed before."""
    return [_row(finding, form, evidence, labels) for finding in findings]


def _row(finding: Finding, form: Form, evidence: Evidence, labels: Labels) -> FindingRow:
    label = _option_label(finding, labels)
    anchor, place, in_view = _place_of(finding, evidence, label)
    name = f"finding_{finding.pk}"
    return FindingRow(
        pk=finding.pk,
        kind=kind_word(finding.kind),
        severity=finding.severity,
        word=severity_word(finding.severity),
        place=place,
        anchor=anchor,
        evidence="" if in_view else _words(finding, labels),
        source_step=finding.source_step,
        verdict=str(form[name].value() or ""),
        remark=str(form[f"{name}_word"].value() or ""),
        error=" ".join(map(str, form.errors.get(name, ()))),
    )


def _words(finding: Finding, labels: Labels) -> str:
    """Return a finding's evidence as the reader may see it: its letters are those of the page."""

    def label_at(position: int) -> str:
        return labels.label_at(position) if position < len(labels.order) else "?"

    return shown(in_shown_letters(finding.kind, finding.evidence[:_BOX_LIMIT], label_at)).text


def _place_of(finding: Finding, evidence: Evidence, label: str) -> tuple[str, str, bool]:
    """Return the anchor, its name for people, and whether the very place is marked there."""
    is_marked = finding.end > finding.start
    if label and finding.pk in evidence.placed:
        anchor, is_shown = evidence.placed[finding.pk]
        anchor = f"mark-{finding.pk}" if is_shown else anchor
        return anchor, gettext("option %(label)s") % {"label": label}, is_shown
    if label:
        anchor = f"mark-{finding.pk}" if is_marked else f"option-{label}"
        return anchor, gettext("option %(label)s") % {"label": label}, is_marked
    if finding.field == "gold":
        return "gold", gettext("gold"), False
    if finding.pk in evidence.placed:
        anchor, is_shown = evidence.placed[finding.pk]
        place = _place_word(anchor)
        return (f"mark-{finding.pk}", place, True) if is_shown else (anchor, place, False)
    return "", gettext("the whole item"), False


def _place_word(anchor: str) -> str:
    """Return a step or a section in words."""
    kind, _dash, name = anchor.partition("-")
    if kind == "step":
        return gettext("step %(n)s") % {"n": name}
    return title_of(name.partition("-")[0])


def _option_label(finding: Finding, labels: Labels) -> str:
    position = finding.field.removeprefix("option:")
    if position == finding.field or int(position) >= len(labels.order):
        return ""
    return labels.label_at(int(position))


def severity_word(severity: int) -> str:
    """Return how much a finding weighs, in words."""
    return {
        Severity.INFORMATION: gettext("information"),
        Severity.NOTE: pgettext("severity", "note"),
        Severity.NEEDS_PERSON: gettext("needs a person"),
        Severity.BLOCKS_RELEASE: gettext("blocks release"),
    }[Severity(severity)]


def marks_by_option(findings: Sequence[Finding], gold: Sequence[int]) -> dict[int, list[Mark]]:
    """Return the marks inside options by given-order position; gold's go to the gold option."""
    marks: dict[int, list[Mark]] = {}
    for finding in findings:
        if finding.end <= finding.start:
            continue
        if finding.field.startswith("option:"):
            position = int(finding.field.removeprefix("option:"))
        elif finding.field == "gold" and len(gold) == 1:
            position = gold[0]
        else:
            continue
        marks.setdefault(position, []).append(Mark(finding.start, finding.end, finding.pk))
    return marks


def marks_in_gold(
    revision: Revision, findings: Sequence[Finding]
) -> tuple[tuple[Segment, ...], ...]:
    """Return the accepted texts of a completion item; findings are marked in the first."""
    marks = [Mark(f.start, f.end, f.pk) for f in findings if f.field == "gold" and f.end > f.start]
    return tuple(
        segments(str(text), marks if index == 0 else ()) for index, text in enumerate(revision.gold)
    )
