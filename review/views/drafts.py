"""Unsent work: what a form's fields held, kept with the assignment and put back into the form."""

from collections.abc import Collection
from typing import Any

from django.http import QueryDict

from review.models import Assignment
from review.views.access import phase_of

_NEVER_KEPT = frozenset({"csrfmiddlewaretoken", "form_key"})
_MOST_FIELDS = 300
_LONGEST = 20_000


def draft_from(assignment: Assignment, sent: QueryDict) -> dict[str, Any]:
    """Return the draft to store: every field's values, cut to 20,000 characters each."""
    names = [name for name in sent if name not in _NEVER_KEPT][:_MOST_FIELDS]
    fields = {name: [value[:_LONGEST] for value in sent.getlist(name)] for name in names}
    return {"phase": phase_of(assignment), "fields": fields}


def draft_values(assignment: Assignment, *, multiple: Collection[str] = ()) -> dict[str, Any]:
    """Return the form's initial values from the draft; empty where it is of the other phase."""
    draft = assignment.draft
    if draft.get("phase") != phase_of(assignment):
        return {}
    fields: dict[str, list[str]] = draft.get("fields", {})
    return {
        name: values if name in multiple else values[-1]
        for name, values in fields.items()
        if values
    }
