"""After an item of the qualification round: what was known of it, and how the round stands."""

from typing import Any

from django.http import Http404, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.core.display import shown
from review.forms import DECISIONS, REASONS
from review.models import Assignment
from review.services.feedback import Feedback, feedback_on
from review.services.gold import gold_positions, is_completion
from review.services.labels import labels_of
from review.views.access import own_assignment
from review.views.rendering import PageRequest, render_page


@never_cache
@require_http_methods(["GET"])
def feedback(request: PageRequest, pk: int) -> HttpResponse:
    """Show the reviewer's answer and decision beside the known ones, and why these are right."""
    assignment = own_assignment(request, pk)
    learnt = feedback_on(assignment)
    if learnt is None:
        raise Http404
    context = {"assignment": assignment, "learnt": learnt, **_answers(assignment, learnt)}
    return render_page(request, "review/feedback.html", context, part="feedback")


def _answers(assignment: Assignment, learnt: Feedback) -> dict[str, Any]:
    """Return the own and the right answer as the reviewer saw them, and the decisions in words."""
    revision = assignment.revision
    words = {str(value): word for value, word in (*DECISIONS, *REASONS)}
    review, control = learnt.review, learnt.control
    said: dict[str, Any] = {
        "own_decision": words.get(review.decision, review.decision),
        "own_reason": words.get(review.reject_reason, ""),
        "known_decision": words.get(control.decision, control.decision),
        "known_reason": words.get(control.reject_reason, ""),
        "is_completion": is_completion(revision),
    }
    if said["is_completion"]:
        texts = [shown(str(text)).text for text in revision.gold]
        return said | {"own": shown(learnt.answer.text).text, "gold": "\n".join(texts)}
    count = revision.options.count()
    labels = labels_of(assignment, count)
    own = sorted(labels.label_at(at) for at in learnt.answer.positions if at < count)
    gold = sorted(labels.label_at(at) for at in gold_positions(revision))
    return said | {"own": ", ".join(own), "gold": ", ".join(gold)}
