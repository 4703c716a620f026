"""The blind phase: prompt and shuffled options, nothing of gold, findings or other people."""

from typing import Any

from django.http import HttpResponse
from django.utils import timezone

from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat
from generation.models import Option
from review.core.source_view import Evidence
from review.forms import CONFIDENCES, BlindForm
from review.models import Assignment
from review.services.blind_answers import answer_blind
from review.services.labels import labels_of
from review.services.turns import ReviewRefused
from review.views.drafts import draft_values
from review.views.open_page import go_on_to_open
from review.views.rendering import PageRequest, render_page
from review.views.shown_options import options_of, short_texts
from review.views.source_page import ShownOptions, source_column, source_html
from review.views.source_parts import option_sections, set_as_code
from review.views.workspace import address_of, workspace


def blind_form(assignment: Assignment, options: list[Option], request: PageRequest) -> BlindForm:
    """Return the form: bound to what was sent, or filled from the draft."""
    labels = labels_of(assignment, len(options)).shown([option.text for option in options])
    return BlindForm(
        request.POST if request.method == "POST" else None,
        initial=draft_values(assignment, multiple={"choice"}),
        answer_format=SUBTASKS[assignment.revision.candidate.subtask].answer_format,
        labels=[option.label for option in labels],
    )


def show_blind(request: PageRequest, assignment: Assignment) -> HttpResponse:
    """Show the blind phase, or store its answer and show the open phase."""
    options = options_of(assignment)
    form = blind_form(assignment, options, request)
    if request.method == "POST" and form.is_valid() and _store(assignment, form, len(options)):
        return go_on_to_open(request, assignment, options)
    status = 422 if form.errors else 200
    context = {**workspace(request, assignment), **_context(assignment, form, options)}
    if not request.htmx or request.method == "GET":
        labels = labels_of(assignment, len(options))
        long = ShownOptions(option_sections(labels, options))
        column = source_column(assignment.revision, Evidence(), long)
        context |= source_html(column, address=address_of(assignment))
    return render_page(request, "review/blind.html", context, part="question", status=status)


def _store(assignment: Assignment, form: BlindForm, count: int) -> bool:
    """Store the blind answer; False where the service refuses it, the form then says why."""
    data = form.cleaned_data
    is_completion = form.answer_format == AnswerFormat.COMPLETION
    try:
        assignment.blind_answer = answer_blind(
            assignment=assignment,
            positions=labels_of(assignment, count).positions_of(data["choice"]),
            text=data["text"] if is_completion else "",
            not_determined=is_completion and data["not_determined"],
            confidence=data["confidence"],
            active_seconds=data["active_seconds"],
            now=timezone.now(),
        )
    except ReviewRefused as refused:
        for name, why in refused.problems.items():
            form.add_error(name if name in form.fields else None, why)
        return False
    return True


def _context(assignment: Assignment, form: BlindForm, options: list[Option]) -> dict[str, Any]:
    shown = short_texts(labels_of(assignment, len(options)), options)
    subtask = assignment.revision.candidate.subtask
    chosen = set(form["choice"].value() or ())
    return {
        "form": form,
        "options": [(option, option.label in chosen) for option in shown],
        "has_code": set_as_code(subtask, (option.text for option in options)),
        "reads_in_source": any(option.anchor for option in shown),
        "is_completion": form.answer_format == AnswerFormat.COMPLETION,
        "takes_several": form.answer_format == AnswerFormat.CHOICES,
        "confidences": [level for level, _word in CONFIDENCES],
        "confidence": str(form["confidence"].value() or ""),
    }
