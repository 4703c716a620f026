"""The open phase: gold beside the own answer, then the judgement."""

from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext

from generation.core.records import Success
from generation.models import Finding, Option
from review.core.display import shown
from review.core.marks import Segment
from review.core.question_view import Labels, gold_positions
from review.core.review_answers import ReviewAnswers
from review.core.source_view import Evidence
from review.forms import RATINGS, REASONS, VERDICTS, ReviewForm
from review.models import Assignment
from review.services.reviews import (
    AlreadySubmitted,
    ReviewRefused,
    is_completion,
    submit_review,
)
from review.views.access import blind_answer_of, has_seen_what_follows
from review.views.blind_page import labels_for
from review.views.drafts import draft_values
from review.views.finding_rows import FindingRow, finding_rows, marks_by_option, marks_in_gold
from review.views.rendering import PageRequest, go_to, render_page
from review.views.source_page import following_steps, source_column
from review.views.workspace import next_address, workspace


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
    text: tuple[Segment, ...]
    is_gold: bool
    is_own: bool
    reason: str
    verdict: str
    error: str
    findings: list[FindingRow] = field(default_factory=list)


def read_material(assignment: Assignment) -> Material:
    """Return the options and findings of the assignment's revision, in two queries."""
    options = list(assignment.revision.options.order_by("position"))
    completion = is_completion(assignment.revision)
    gold, missing = (
        ((), ()) if completion else gold_positions(assignment.revision.gold, len(options))
    )
    return Material(
        assignment=assignment,
        options=options,
        findings=list(assignment.revision.findings.order_by("-severity", "pk")),
        labels=labels_for(assignment, len(options)),
        gold=gold,
        missing_gold=missing,
        is_completion=completion,
    )


def show_open(request: PageRequest, assignment: Assignment) -> HttpResponse:
    """Show the open phase, or store the review and go on to the next item."""
    material = read_material(assignment)
    form = ReviewForm(
        request.POST if request.method == "POST" else None,
        initial={"form_key": uuid4(), **draft_values(assignment)},
        distractors=material.distractors,
        findings=material.to_judge,
    )
    if request.method == "POST" and form.is_valid() and _store(request, material, form):
        return go_to(request, next_address(request))
    status = 422 if form.errors else 200
    context = {**workspace(request, assignment), **_context(material, form)}
    return render_page(request, "review/open.html", context, part="question", status=status)


def _store(request: PageRequest, material: Material, form: ReviewForm) -> bool:
    """Store the review; False where it breaks a rule, the form then says which."""
    try:
        review = submit_review(
            assignment=material.assignment,
            form_key=form.cleaned_data["form_key"],
            answers=_answers(material, form),
            now=timezone.now(),
        )
    except AlreadySubmitted:
        messages.warning(
            request, gettext("You had submitted this item before; that review stands.")
        )
        return True
    except ReviewRefused as refused:
        for name, why in refused.problems.items():
            form.add_error(_form_field(material, form, name), gettext(why))
        return False
    if review.is_counted:
        messages.success(request, gettext("Review %(id)s stored.") % {"id": review.pk})
    else:
        late = gettext(
            "Review %(id)s is kept as an extra one: your time had ended and the place was taken."
        )
        messages.warning(request, late % {"id": review.pk})
    return True


def _answers(material: Material, form: ReviewForm) -> ReviewAnswers:
    data = form.cleaned_data
    labels = material.labels
    return ReviewAnswers(
        decision=data["decision"],
        well_specified=data["well_specified"],
        gold_quality=data["gold_quality"],
        well_specified_why=data["well_specified_why"],
        gold_quality_why=data["gold_quality_why"],
        same_meaning=data["same_meaning"],
        source_is_success={"yes": True, "no": False}.get(data["source_is_success"]),
        reject_reason=data["reject_reason"] if data["decision"] == "reject" else "",
        comment=data["comment"],
        saw_what_follows=has_seen_what_follows(material.assignment),
        active_seconds=data["active_seconds"] or 0.0,
        option_verdicts={labels.position_of(k): v for k, v in form.option_verdicts().items()},
        finding_verdicts=form.finding_verdicts(),
    )


def _form_field(material: Material, form: ReviewForm, name: str) -> str | None:
    """Return the form's field for a rule's field: options go by displayed label on the page."""
    if name.startswith("option_"):
        name = f"option_{material.labels.label_at(int(name.removeprefix('option_')))}"
    return name if name in form.fields else None


def _context(material: Material, form: ReviewForm) -> dict[str, Any]:
    assignment, revision = material.assignment, material.assignment.revision
    evidence = Evidence({f.pk: f.evidence for f in material.findings if f.field == "prompt"})
    column = source_column(revision, evidence)
    rows = finding_rows(material.findings, form, evidence, material.labels)
    own, outcome = blind_answer_of(assignment), revision.candidate.source.outcome
    follows = has_seen_what_follows(assignment)
    return {
        "form": form,
        "source": column,
        "following": following_steps(revision) if follows and column.has_more else (),
        "saw_what_follows": follows,
        "findings": rows,
        "options": _option_rows(material, form, rows),
        "gold_texts": ()
        if not material.is_completion
        else marks_in_gold(revision, material.findings),
        "missing_gold": material.missing_gold,
        "own": own,
        "own_labels": _own_labels(material),
        "gold_labels": sorted(material.labels.label_at(p) for p in material.gold),
        "is_completion": material.is_completion,
        "asks_success": revision.candidate.source.success == Success.UNCONFIRMED,
        "own_text": shown(own.text).text if own else "",
        "final_answer": shown(outcome.get("final_answer") or outcome.get("submission", "")).text,
        "reference_answer": shown(outcome.get("reference_answer", "")).text,
        "verdicts": VERDICTS,
        "reasons": REASONS,
        "ratings": _ratings(form),
        "levels": [level for level, _word in RATINGS],
    }


def _own_labels(material: Material) -> list[str]:
    own = blind_answer_of(material.assignment)
    count = len(material.options)
    return sorted(material.labels.label_at(p) for p in (own.positions if own else ()) if p < count)


def _option_rows(
    material: Material, form: ReviewForm, findings: list[FindingRow]
) -> list[OptionRow]:
    texts = [option.text for option in material.options]
    marks = marks_by_option(material.findings, material.gold)
    own = set(_own_labels(material))
    rows = []
    for option in material.labels.shown(texts, marks):
        name = f"option_{option.label}"
        stored = material.options[material.labels.position_of(option.label)]
        is_asked = name in form.fields
        rows.append(
            OptionRow(
                label=option.label,
                text=option.text,
                is_gold=stored.position in material.gold,
                is_own=option.label in own,
                reason=shown(stored.reason).text,
                verdict=str(form[name].value() or "") if is_asked else "",
                error=" ".join(map(str, form.errors.get(name, ()))),
                findings=[row for row in findings if row.option_label == option.label],
            )
        )
    return rows


def _ratings(form: ReviewForm) -> list[dict[str, Any]]:
    """Return the two ratings with their words, values and errors."""
    asked = {
        "well_specified": gettext("The question is well specified"),
        "gold_quality": gettext("Gold is correct and uniquely best"),
    }
    return [
        {
            "name": name,
            "title": title,
            "value": str(form[name].value() if form[name].value() is not None else ""),
            "why": form[f"{name}_why"].value() or "",
            "errors": [*form.errors.get(name, []), *form.errors.get(f"{name}_why", [])],
        }
        for name, title in asked.items()
    ]
