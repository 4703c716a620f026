"""A reviewer's edit: the review of the text that they changed, and the revision it became."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from generation.core.wording import Wording
from generation.models import CandidateState, Revision
from generation.services import audit
from generation.services.revisions import Editing
from generation.services.texts import storable
from review.core.review_answers import EXPLANATION_LENGTH, ReviewAnswers
from review.models import Assignment, BlindAnswer, Decision, Purpose, Review
from review.services.drafts import LOOKED
from review.services.editing import (
    Edit,
    EditRefused,
    NotEditable,
    checked,
    lock_current,
    write,
    wrong_with,
)
from review.services.project import project
from review.services.qualification import settle_round
from review.services.reviews import create_verdicts
from review.services.turns import locked_candidate, place_of

_UNRATED = {
    "well_specified": "Say how well specified it was before: 0 (no problem) to 3 (unusable).",
    "gold_quality": "Say how good gold was before: 0 (no problem) to 3 (unusable).",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """What the reviewer says of the text before their edit: ratings from 0 to 3, verdicts.

    Verdicts are those that the review page had been given; none is asked for.
    """

    well_specified: int
    gold_quality: int
    active_seconds: float = 0.0
    answers: ReviewAnswers = field(default_factory=lambda: ReviewAnswers("edit", 0, 0))


def edit_turn(
    *,
    assignment: Assignment,
    editing: Editing,
    edit: Edit,
    judged: Judged,
    form_key: UUID,
    now: datetime,
) -> Review:
    """Store a reviewer's edit: the next revision, and their review of this one, at once.

    The same ``form_key`` stores one edit however often it is sent. A control item has no next
    revision; its reviewer is not told, and what they wrote is kept with their turn.

    Raises:
        EditRefused, LookFirst, EditConflict, NotEditable: as their names say.
    """
    if sent := sent_before(assignment, form_key):
        return sent
    if wrong := wrong_with(editing, edit) | wrong_with_ratings(judged, edit.note):
        raise EditRefused(wrong)
    findings = checked(editing, edit)
    with transaction.atomic():
        locked_candidate(assignment)
        if sent := sent_before(assignment, form_key):  # a double click, while this one waited
            return sent
        candidate = lock_current(editing)
        turn = Assignment.objects.select_for_update(of=("self",)).get(pk=assignment.pk)
        if why := why_no_edit(turn):
            raise NotEditable(why)
        if candidate.state != CandidateState.IN_REVIEW and not candidate.is_control:
            msg = "This item is settled meanwhile: it waits for nobody's edit."
            raise NotEditable(msg)
        is_counted = place_of(turn, turn.revision, candidate, now=now).is_free
        new: Revision | None = None
        if not candidate.is_control:
            new = write(
                candidate=candidate,
                editing=editing,
                edit=edit,
                findings=findings,
                author=turn.reviewer,
                now=now,
            )
        review = _create_review(turn, form_key, edit, judged, new, is_counted=is_counted)
        create_verdicts(review, turn.revision, judged.answers)
        turn.submitted_at, turn.draft_saved_at = now, None
        turn.draft = {} if new else {"wording": _as_json(edit.wording)}
        turn.skipped_at, turn.skip_reason, turn.parked_at = None, "", None
        turn.save()
        audit.record(
            "review.submitted",
            review,
            actor=turn.reviewer,
            after=[review.decision, review.well_specified, review.gold_quality, review.comment],
            detail=f"edit: revision {new.number}" if new else "edit",
        )
        if turn.purpose == Purpose.QUALIFICATION:
            settle_round(reviewer=turn.reviewer, settings=project(), now=now)
    return review


def sent_before(assignment: Assignment, form_key: UUID) -> Review | None:
    """Return the review that this form made on the turn, if any.

    Raises:
        NotEditable: it was taken back, and the form with it.
    """
    review = Review.objects.filter(assignment=assignment, form_key=form_key).first()
    if review and review.undone_at:
        msg = "This review was taken back: open the page again."
        raise NotEditable(msg)
    return review


def why_no_edit(turn: Assignment) -> str:
    """Return why the turn's reviewer may not edit its question now, empty where they may."""
    if turn.submitted_at:
        return "You have submitted this item: your review stands."
    if turn.skipped_at:
        return "You have skipped this item."
    if not BlindAnswer.objects.filter(assignment=turn).exists():
        return "Answer first, before you edit."
    return ""


def undone_wording(turn: Assignment) -> Wording | None:
    """Return what the reviewer had written in an edit of this turn that they took back, if any.

    Its slots are those that the revision holds itself.
    """
    review = (
        Review.objects.filter(assignment=turn, decision=Decision.EDIT, undone_at__isnull=False)
        .exclude(edited_revision=None)
        .select_related("edited_revision")
        .order_by("pk")
        .last()
    )
    if review is None or review.edited_revision is None:
        return None
    revision: Revision = review.edited_revision
    options = revision.options.order_by("position").values_list("text", flat=True)
    return Wording(revision.slots, tuple(options), tuple(revision.gold))


def wrong_with_ratings(judged: Judged, note: str) -> dict[str, str]:
    """Return what is wrong with the ratings, a sentence by field."""
    found: dict[str, str] = {}
    for name in ("well_specified", "gold_quality"):
        rating: int = getattr(judged, name)
        if not 0 <= rating <= 3:
            found[name] = _UNRATED[name]
        elif rating >= 2 and len(note.strip()) < EXPLANATION_LENGTH:
            found["note"] = f"Say why in at least {EXPLANATION_LENGTH} characters."
    return found


def _create_review(
    turn: Assignment,
    form_key: UUID,
    edit: Edit,
    judged: Judged,
    new: Revision | None,
    *,
    is_counted: bool,
) -> Review:
    note = storable(edit.note.strip())
    return Review.objects.create(
        assignment=turn,
        form_key=form_key,
        decision=Decision.EDIT,
        well_specified=judged.well_specified,
        well_specified_why=note if judged.well_specified >= 2 else "",
        gold_quality=judged.gold_quality,
        gold_quality_why=note if judged.gold_quality >= 2 else "",
        comment=note,
        edited_revision=new,
        saw_what_follows=bool(turn.draft.get(LOOKED)),
        is_counted=is_counted,
        active_seconds=max(0.0, judged.active_seconds),
    )


def _as_json(wording: Wording) -> dict[str, Any]:
    return {"slots": dict(wording.slots), "options": wording.options, "gold": wording.gold}
