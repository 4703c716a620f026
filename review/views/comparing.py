"""Two options side by side, on request; in both phases, under the reader's own labels."""

from typing import Any

from django.http import Http404, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.core.comparison import compare
from review.core.question_view import read_gold
from review.models import Assignment
from review.services.labels import labels_of
from review.views.access import own_assignment, phase_of
from review.views.rendering import PageRequest, render_page
from review.views.shown_options import options_of
from review.views.source_parts import set_as_code


@never_cache
@require_http_methods(["GET"])
def compare_options(request: PageRequest, pk: int) -> HttpResponse:
    """Show two options beside each other with what differs marked."""
    assignment = own_assignment(request, pk)
    options = options_of(assignment)
    if len(options) < 2:
        raise Http404
    labels = labels_of(assignment, len(options))
    names = [labels.label_at(position) for position in labels.order]
    left, right = _pair(request, names, _gold(assignment, len(options)))
    texts = {labels.label_at(option.position): option.text for option in options}
    context: dict[str, Any] = {
        "assignment": assignment,
        "names": names,
        "left": left,
        "right": right,
        "has_code": set_as_code(assignment.revision.candidate.subtask, texts.values()),
        "rows": compare(texts[left], texts[right]),
    }
    return render_page(request, "review/compare.html", context, part="comparison")


def _gold(assignment: Assignment, count: int) -> list[str]:
    """Return the displayed labels of gold once it may be seen."""
    if phase_of(assignment) != "open":
        return []
    labels = labels_of(assignment, count)
    return sorted(labels.label_at(p) for p in read_gold(assignment.revision.gold, count)[0])


def _pair(request: PageRequest, names: list[str], gold: list[str]) -> tuple[str, str]:
    """Return the two labels asked for; what is not said is gold once shown, else the next option.

    Raises:
        Http404: a label is none of the options'.
    """
    left, right = request.GET.get("a", ""), request.GET.get("b", "")
    if any(name and name not in names for name in (left, right)):
        raise Http404
    if not left:
        left = next(name for name in names if name not in (*gold, right))
    if not right:
        after = names[(names.index(left) + 1) % len(names)]
        right = gold[0] if gold and gold[0] != left else after
    return left, right
