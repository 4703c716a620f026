"""Puts back what an action did to items that nobody changed since; says why it keeps the others."""

from collections.abc import Mapping, Sequence
from typing import Any

from generation.models import AuditEvent, CandidateState
from generation.services import audit
from review.models import (
    Adjudication,
    Assignment,
    BlindAnswer,
    BulkItem,
    BulkKind,
    BulkOutcome,
    Question,
)
from review.services.bulk_changes import Batch, move_all, settle_those_complete, work_on

CHANGED = "It has changed since."
BEGUN = "Somebody has begun to review it since."
_OF_STATE = (BulkKind.WITHDRAW, BulkKind.QUEUE, BulkKind.RETURN, BulkKind.REJECT)
_BEGINS_WORK = (BulkKind.QUEUE, BulkKind.RETURN)


def put_back(batch: Batch) -> None:
    """Put back the items that nobody changed since, and note in each what became of it.

    The caller holds the locks of the items and stores the rows.
    """
    if batch.bulk.kind == BulkKind.GIVE:
        _take_turns_back(batch)
    elif batch.bulk.kind in _OF_STATE:
        _put_states_back(batch)


def _put_states_back(batch: Batch) -> None:
    reasons = _changed_since(batch)
    by_state: dict[str, list[BulkItem]] = {}
    for item in batch.items:
        why = reasons.get(item.candidate_id, "")
        item.outcome, item.why = (BulkOutcome.KEPT if why else BulkOutcome.UNDONE), why
        if not why:
            by_state.setdefault(item.before["state"], []).append(item)
    for state, items in sorted(by_state.items()):
        keys = [item.candidate_id for item in items]
        move_all(batch, keys, state, action="candidate.put_back")
        decisions = [item.after["decision"] for item in items if "decision" in item.after]
        # The round never began: nothing was said in it, and the trail tells of it.
        Adjudication.objects.filter(pk__in=decisions).delete()
        if state == CandidateState.IN_REVIEW:
            settle_those_complete(batch, keys)


def _changed_since(batch: Batch) -> dict[int, str]:
    """Return by item why it is not put back: another text, another state, a later entry, a turn."""
    kind = BulkKind(batch.bulk.kind)
    reasons: dict[int, str] = {}
    for item in batch.items:
        candidate = batch.candidates[item.candidate_id]
        is_same_text = batch.revisions[candidate.pk] == item.before["revision"]
        if candidate.state != item.after["state"] or candidate.is_control or not is_same_text:
            reasons[candidate.pk] = CHANGED
    reasons |= dict.fromkeys(_told_of_later(batch.items), CHANGED)
    if kind in _BEGINS_WORK:
        now = work_on([item.before["revision"] for item in batch.items], now=batch.now)
        for item in batch.items:
            if _has_begun(item.after.get("work", []), now[item.before["revision"]]):
                reasons.setdefault(item.candidate_id, BEGUN)
    return reasons


def _told_of_later(items: Sequence[BulkItem]) -> list[int]:
    """Return the items of which the trail has a later entry than the action's own."""
    own = {item.candidate_id: item.event_id or 0 for item in items}
    later = AuditEvent.objects.filter(
        subject="candidate", subject_id__in=list(own), pk__gt=min(own.values(), default=0)
    )
    rows = later.order_by().values_list("subject_id", "pk")
    return [key for key, pk in rows if pk > own[key]]


def _has_begun(before: Sequence[Sequence[Any]], now: Sequence[Sequence[Any]]) -> bool:
    """Return whether a turn runs or was sent that did not, or was not, right after the action."""
    known: Mapping[int, Sequence[Any]] = {turn[0]: turn for turn in before}
    for key, runs, is_sent, is_skipped in now:
        _key, ran, was_sent, was_skipped = known.get(key, (key, False, False, False))
        if (runs and not ran) or is_sent != was_sent or is_skipped != was_skipped:
            return True
    return False


def _take_turns_back(batch: Batch) -> None:
    """Take the turns back that were given and not begun: their places are free again.

    A turn that the action made goes, since it holds nothing that anybody said and would keep a
    lead from opening the item; one that had lapsed before has lapsed again.
    """
    turns = {
        turn.pk: turn
        for turn in Assignment.objects.select_for_update(of=("self",)).filter(
            pk__in=[item.before["turn"] for item in batch.items]
        )
    }
    begun = {
        pk
        for rows in (BlindAnswer.objects, Question.objects)
        for pk in rows.filter(assignment__in=turns).values_list("assignment", flat=True)
    }
    for item in batch.items:
        turn = turns.get(item.before["turn"])
        if turn is None:
            item.outcome, item.why = BulkOutcome.KEPT, CHANGED
            continue
        why = _turn_changed(item, turn, is_begun=turn.pk in begun)
        if batch.revisions[item.candidate_id] != item.before["revision"]:
            why = CHANGED
        item.outcome, item.why = (BulkOutcome.KEPT if why else BulkOutcome.UNDONE), why
        if why:
            continue
        audit.record(
            "assignment.taken_back",
            turn,
            actor=batch.bulk.undo_asked_by,
            before=turn.leased_until,
            after=None if item.before["is_new"] else batch.now,
            detail=batch.why,
        )
        if item.before["is_new"]:
            turn.delete()
            continue
        turn.assigned_by, turn.leased_until, turn.expired_at = None, batch.now, batch.now
        turn.save(update_fields=["assigned_by", "leased_until", "expired_at"])


def _turn_changed(item: BulkItem, turn: Assignment, *, is_begun: bool) -> str:
    """Return why a turn that was given stays, empty where it is as it was given."""
    saved = turn.draft_saved_at.isoformat() if turn.draft_saved_at else None
    if turn.submitted_at or is_begun or saved != item.after["saved"]:
        return BEGUN
    is_same = turn.leased_until.isoformat() == item.after["until"]
    if not is_same or turn.skipped_at or turn.parked_at or turn.expired_at:
        return CHANGED
    return ""
