"""Turns a stored review back into what its form held, so that nothing typed is lost."""

from typing import Any

from review.models import Review
from review.services.drafts import LOOKED
from review.services.labels import labels_of


def draft_of(review: Review) -> dict[str, Any]:
    """Return the open form's draft that a review came from: its fields as a page sends them.

    Options go by the labels that the reviewer saw. Three queries.
    """
    turn = review.assignment
    labels = labels_of(turn, len(turn.revision.option_keys))
    fields = {
        "well_specified": str(review.well_specified),
        "well_specified_why": review.well_specified_why,
        "gold_quality": str(review.gold_quality),
        "gold_quality_why": review.gold_quality_why,
        "same_meaning": "on" if review.same_meaning else "",
        "source_is_success": {True: "yes", False: "no", None: ""}[review.source_is_success],
        "decision": review.decision,
        "reject_reason": review.reject_reason,
        "comment": review.comment,
        "active_seconds": str(review.active_seconds),
    }
    for said in review.option_verdicts.select_related("option"):
        fields[f"option_{labels.label_at(said.option.position)}"] = said.verdict
    for found in review.finding_verdicts.all():
        fields[f"finding_{found.finding_id}"] = found.verdict
        fields[f"finding_{found.finding_id}_word"] = found.word
    draft: dict[str, Any] = {
        "phase": "open",
        "fields": {name: [value] for name, value in fields.items() if value},
    }
    return draft | ({LOOKED: True} if review.saw_what_follows else {})
