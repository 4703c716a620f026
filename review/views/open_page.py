"""The open phase: gold beside the own answer, then the judgement."""

from uuid import uuid4

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext
from django_htmx.http import trigger_client_event

from generation.models import Option
from review.core.review_answers import ReviewAnswers
from review.core.source_view import Evidence
from review.forms import ReviewForm
from review.models import Assignment
from review.services.reviews import AlreadySubmitted, submit_review
from review.services.turns import ReviewRefused
from review.views.drafts import draft_values
from review.views.judgement import Material, judged_context, judgement_context, read_material
from review.views.rendering import VARIES_BY, PageRequest, go_to, render_page, wants_part
from review.views.source_page import is_run
from review.views.told import told
from review.views.undo import with_undo
from review.views.workspace import address_of, after_review, phase_context, workspace


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
        return go_to(request, after_review(request, assignment))
    status = 422 if form.errors else 200
    context = {**workspace(request, assignment), **judgement_context(material, form)}
    return render_page(request, "review/open.html", context, part="question", status=status)


def go_on_to_open(
    request: PageRequest, assignment: Assignment, options: list[Option]
) -> HttpResponse:
    """Show the open phase once the blind answer is stored.

    htmx gets only what changes of the page it has, unless findings mark the source or the text
    may be given back to its author: those pages come whole.
    """
    material = read_material(assignment, options)
    revision = assignment.revision
    if not wants_part(request) or material.findings or revision.author_id:
        return go_to(request, address_of(assignment))
    form = ReviewForm(initial={"form_key": uuid4()}, distractors=material.distractors, findings=())
    context = {
        **phase_context(assignment),
        **judged_context(material, form, Evidence()),
        "has_more": is_run(revision),
    }
    response = render(request, "review/opened.html", context)
    patch_vary_headers(response, VARIES_BY)
    return trigger_client_event(response, "answered")


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
            form.add_error(_form_field(material, form, name), told(why))
        return False
    if review.is_counted:
        stored = gettext("Review %(id)s stored.") % {"id": review.pk}
        messages.success(request, with_undo(request, stored, review))
    else:
        late = gettext(
            "Review %(id)s is kept as an extra one: your time had ended and the place was taken."
        )
        if material.assignment.revision.superseded_at:
            late = gettext(
                "Review %(id)s is kept as an extra one: the question was edited meanwhile."
            )
        messages.warning(request, with_undo(request, late % {"id": review.pk}, review))
    return True


def _answers(material: Material, form: ReviewForm) -> ReviewAnswers:
    data = form.cleaned_data
    labels = material.labels
    return ReviewAnswers(
        decision=data["decision"],
        well_specified=int(data["well_specified"]),
        gold_quality=int(data["gold_quality"]),
        well_specified_why=data["well_specified_why"],
        gold_quality_why=data["gold_quality_why"],
        same_meaning=data["same_meaning"],
        source_is_success={"yes": True, "no": False}.get(data["source_is_success"]),
        reject_reason=data["reject_reason"] if data["decision"] == "reject" else "",
        comment=data["comment"],
        active_seconds=data["active_seconds"] or 0.0,
        option_verdicts={labels.position_of(k): v for k, v in form.option_verdicts().items()},
        finding_verdicts=form.finding_verdicts(),
    )


def _form_field(material: Material, form: ReviewForm, name: str) -> str | None:
    """Return the form's field for a rule's field: options go by displayed label on the page."""
    if name.startswith("option_"):
        name = f"option_{material.labels.label_at(int(name.removeprefix('option_')))}"
    return name if name in form.fields else None
