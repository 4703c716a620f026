"""What the edit page shows while somebody types: what changes, and what the checks say of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from generation.core.items import Finding, Severity
from review.core.display import shown
from review.core.evidence_letters import in_shown_letters
from review.core.question_view import read_gold
from review.services.edit_looks import Look, look_at
from review.views.edit_form import Boxes, EditForm
from review.views.finding_rows import severity_word
from review.views.revision_diff import TextChange, change_of

_BOX_LIMIT = 600


@dataclass(frozen=True, slots=True)
class Said:
    """A finding as the edit page lists it."""

    kind: str
    severity: int
    word: str
    place: str
    evidence: str
    source_step: int | None


def checks_context(boxes: Boxes, form: EditForm, look: Look | None = None) -> dict[str, Any]:
    """Return what changes and what is newly found; ``look`` where it has been made already."""
    look = look or look_at(boxes.editing, boxes.wording())
    return {
        "changes": list(_changes(boxes)),
        "new": list(_said(look.new, boxes, is_new=True)),
        "gone": list(_said(look.gone, boxes, is_new=False)),
        "stays": look.stays,
        "digest": look.digest,
        "blocks": look.blocks,
        "is_confirmed": bool(look.digest) and form["confirmed"].value() == look.digest,
    }


def _changes(boxes: Boxes) -> Iterator[TextChange]:
    for box in boxes.all():
        if change := change_of(box.title, box.before, box.text):
            yield change
    was, now = _gold_before(boxes), _letters(box.label for box in boxes.options if box.is_gold)
    if change := change_of(gettext("Which option is gold"), was, now):
        yield change


def _gold_before(boxes: Boxes) -> str:
    if boxes.is_completion:
        return ""
    before = boxes.editing.before
    positions = read_gold(before.gold, len(before.options))[0]
    return _letters(boxes.labels.label_at(position) for position in positions)


def _letters(labels: Iterable[str]) -> str:
    return ", ".join(sorted(labels))


def _said(findings: Iterable[Finding], boxes: Boxes, *, is_new: bool) -> Iterator[Said]:
    for finding in sorted(findings, key=lambda found: -found.severity):
        yield Said(
            kind=finding.kind,
            severity=int(finding.severity),
            word=severity_word(Severity(finding.severity)),
            place=_place(finding, boxes, is_new=is_new),
            evidence=_evidence(finding, boxes, is_new=is_new),
            source_step=finding.source_step,
        )


def _evidence(finding: Finding, boxes: Boxes, *, is_new: bool) -> str:
    label_at = boxes.label_at if is_new else boxes.labels.label_at
    return shown(in_shown_letters(finding.kind, finding.evidence[:_BOX_LIMIT], label_at)).text


def _place(finding: Finding, boxes: Boxes, *, is_new: bool) -> str:
    position = finding.field.removeprefix("option:")
    if position != finding.field:
        at = int(position)
        label = boxes.label_at(at) if is_new else boxes.labels.label_at(at)
        return gettext("option %(label)s") % {"label": label}
    if finding.field == "gold":
        return gettext("gold")
    return (
        gettext("the question's texts") if finding.field == "prompt" else gettext("the whole item")
    )
