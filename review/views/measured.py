"""Asks for a measurement from a page, and says how far it is."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django_htmx.http import HttpResponseClientRefresh

from generation.tasks import send
from review.models import Measurement
from review.services.measurements import ask_for, compute, is_stale
from review.services.votes import independent_reviews
from review.tasks import compute_measurement
from review.views.rendering import PageRequest, render_page, wants_part

AT_ONCE = 1_000
"""Up to so many reviews a measurement is made while the page waits."""


def ask(request: PageRequest, name: str) -> None:
    """Ask for a new result; from few reviews it is made at once, from many by the worker.

    Where the broker can't be reached the worker's sweep takes it up later.
    """
    ask_for(name=name, actor=request.user, now=timezone.now())
    if independent_reviews().count() <= AT_ONCE:
        compute(name)
        return
    send(compute_measurement, name)


def show(
    request: PageRequest, template: str, row: Measurement, context: Mapping[str, Any]
) -> HttpResponse:
    """Return the page, or for a page that waits its state; once the result is there, all anew."""
    if wants_part(request) and not row.is_asked:
        return HttpResponseClientRefresh()
    return render_page(request, template, {**state_of(row), **context}, part="state")


def state_of(row: Measurement) -> Mapping[str, Any]:
    """Return the context of ``review/measured.html``: the row, whether it is stale, how far it is."""
    return {
        "row": row,
        "stale": is_stale(row),
        "part": round(100 * row.done / row.total) if row.total else 0,
    }
