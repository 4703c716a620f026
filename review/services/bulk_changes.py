"""Does an action to some items whose locks are held; each leaves one entry in the trail."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from generation.core import items as checked
from generation.models import AuditEvent, Candidate, CandidateState, Revision
from generation.services import audit
from generation.services.checks import renew_findings
from review.models import (
    Adjudication,
    Assignment,
    BulkAction,
    BulkItem,
    BulkKind,
    BulkOutcome,
    Outcome,
)
from review.services.assigning import AssigningRefused, assign
from review.services.bulk_giving import people_meant, plan
from review.services.places import counting_reviews
from review.services.project import project, wanted_in
from review.services.settlement import settle_revision

CHANGED_SINCE = "It has changed since the action began."
_STATES = {
    BulkKind.WITHDRAW: (CandidateState.CHECKED, "candidate.withdrawn"),
    BulkKind.QUEUE: (CandidateState.IN_REVIEW, "candidate.sent_to_review"),
    BulkKind.RETURN: (CandidateState.IN_REVIEW, "candidate.returned"),
    BulkKind.REJECT: (CandidateState.REJECTED, "candidate.rejected_by_lead"),
}


@dataclass(slots=True)
class Batch:
    """Some items of an action, locked: the candidates and current revisions by candidate key.

    ``findings`` are those of a new check, by revision, made before anything was locked.
    """

    bulk: BulkAction
    items: Sequence[BulkItem]
    candidates: Mapping[int, Candidate]
    revisions: Mapping[int, int]
    now: datetime
    findings: Mapping[int, list[checked.Finding]] = field(default_factory=dict)

    @property
    def why(self) -> str:
        """What the trail says of each item: the action, and the lead's words."""
        asked = self.bulk.asked
        words = [f"bulk action {self.bulk.pk}", asked.get("reason", ""), asked.get("note", "")]
        return ": ".join(filter(None, words))


def change(batch: Batch) -> None:
    """Do the action to the items, and note in each what became of it; the caller stores them."""
    _CHANGES[BulkKind(batch.bulk.kind)](batch)


def _move(batch: Batch) -> None:
    """Give the items their new state, in as many statements however many they are."""
    state, action = _STATES[BulkKind(batch.bulk.kind)]
    before = {item.candidate_id: batch.candidates[item.candidate_id].state for item in batch.items}
    events = move_all(batch, list(before), state, action=action)
    for item in batch.items:
        key = item.candidate_id
        item.outcome, item.event = BulkOutcome.CHANGED, events[key]
        item.before = {"state": before[key], "revision": batch.revisions[key]}
        item.after = {"state": state}


def move_all(
    batch: Batch, keys: Sequence[int], state: str, *, action: str
) -> dict[int, AuditEvent]:
    """Give all of the items one state and return the entries in the trail by the item's key."""
    Candidate.objects.filter(pk__in=keys).update(state=state)
    actor = batch.bulk.undo_asked_by or batch.bulk.actor
    events = AuditEvent.objects.bulk_create(
        audit.event(
            action,
            batch.candidates[key],
            actor=actor,
            before=batch.candidates[key].state,
            after=state,
            detail=batch.why,
        )
        for key in keys
    )
    for key in keys:
        batch.candidates[key].state = state
    return dict(zip(keys, events, strict=True))


def _queue(batch: Batch) -> None:
    """Send the items to review; one that has all its reviews already is settled at once."""
    _move(batch)
    note_work(batch)
    settle_those_complete(batch, [item.candidate_id for item in batch.items])


def _return(batch: Batch) -> None:
    """Begin a new round: what was said before stays and settles nothing any more."""
    note = batch.bulk.asked["note"]
    revisions = {batch.revisions[item.candidate_id]: item for item in batch.items}
    reviewed = set(
        counting_reviews()
        .filter(assignment__revision__in=list(revisions))
        .values_list("assignment__revision", flat=True)
    )
    decisions = Adjudication.objects.bulk_create(
        Adjudication(revision_id=pk, lead=batch.bulk.actor, outcome=Outcome.RETURN, note=note)
        for pk in sorted(reviewed)
    )
    _move(batch)
    for decision in decisions:
        item = revisions[decision.revision_id]
        item.after = {**item.after, "decision": decision.pk}
    note_work(batch)


def note_work(batch: Batch) -> None:
    """Note in each item what work there is on it, so that an undo sees what came since."""
    work = work_on([batch.revisions[item.candidate_id] for item in batch.items], now=batch.now)
    for item in batch.items:
        item.after = {**item.after, "work": work[batch.revisions[item.candidate_id]]}


def work_on(revisions: Sequence[int], *, now: datetime) -> dict[int, list[Any]]:
    """Return by revision its turns: key, whether it runs, is sent, is given back; in one query."""
    found: dict[int, list[Any]] = {pk: [] for pk in revisions}
    turns = Assignment.objects.filter(revision__in=revisions).order_by("pk")
    for turn in turns.only("revision", "leased_until", "submitted_at", "skipped_at", "parked_at"):
        is_over = bool(turn.submitted_at or turn.skipped_at)
        runs = not is_over and bool(turn.parked_at or turn.leased_until > now)
        found[turn.revision_id].append(
            [turn.pk, runs, bool(turn.submitted_at), bool(turn.skipped_at)]
        )
    return found


def settle_those_complete(batch: Batch, keys: Sequence[int]) -> None:
    """Settle those of the items in review that have all reviews they want."""
    settings = project()
    by_revision = {batch.revisions[key]: batch.candidates[key] for key in keys}
    reviews: dict[int, list[int]] = {}
    counted = counting_reviews().filter(assignment__revision__in=list(by_revision))
    for pk, judged in counted.order_by("pk").values_list("pk", "assignment__revision"):
        reviews.setdefault(judged, []).append(pk)
    for revision in Revision.objects.filter(pk__in=list(reviews)).order_by("pk"):
        candidate = by_revision[revision.pk]
        settle_revision(
            candidate=candidate,
            revision=revision,
            reviews=reviews[revision.pk],
            wanted=wanted_in(settings, candidate.subtask),
        )


def _give(batch: Batch) -> None:
    """Give each item to whom the plan names; the caller holds the people's locks too."""
    profiles = list(people_meant(batch.bulk.asked["to"]))
    rows = Candidate.objects.filter(pk__in=[item.candidate_id for item in batch.items])
    planned = plan(rows, profiles, now=batch.now)
    people = {profile.user_id: profile.user for profile in profiles}
    for item in batch.items:
        key = item.candidate_id
        if key not in planned.given:
            item.outcome, item.why = BulkOutcome.LEFT, planned.left.get(key, CHANGED_SINCE)
            continue
        revision = Revision(pk=batch.revisions[key])
        own = Assignment.objects.filter(revision=revision.pk, reviewer=planned.given[key]).first()
        try:
            turn = assign(
                lead=batch.bulk.actor,
                revision=revision,
                reviewer=people[planned.given[key]],
                now=batch.now,
                within=batch.why,
            )
        except AssigningRefused as refused:
            item.outcome, item.why = BulkOutcome.LEFT, refused.why
            continue
        item.outcome = BulkOutcome.CHANGED
        item.before = {"turn": turn.pk, "is_new": own is None, "revision": revision.pk}
        item.after = {
            "until": turn.leased_until.isoformat(),
            "saved": turn.draft_saved_at.isoformat() if turn.draft_saved_at else None,
        }


def _check(batch: Batch) -> None:
    """Store what was found of the items, where their text is still the one that was checked."""
    for item in batch.items:
        revision = batch.revisions[item.candidate_id]
        if revision not in batch.findings:
            item.outcome, item.why = BulkOutcome.LEFT, CHANGED_SINCE
            continue
        renew_findings(revision, batch.findings[revision])
        item.outcome, item.before = BulkOutcome.CHANGED, {"revision": revision}
    done = [item for item in batch.items if item.outcome == BulkOutcome.CHANGED]
    events = AuditEvent.objects.bulk_create(
        audit.event(
            "candidate.checked_again",
            batch.candidates[item.candidate_id],
            actor=batch.bulk.actor,
            detail=batch.why,
        )
        for item in done
    )
    for item, event in zip(done, events, strict=True):
        item.event = event


_CHANGES: Mapping[BulkKind, Callable[[Batch], None]] = {
    BulkKind.WITHDRAW: _move,
    BulkKind.QUEUE: _queue,
    BulkKind.RETURN: _return,
    BulkKind.REJECT: _move,
    BulkKind.GIVE: _give,
    BulkKind.CHECK: _check,
}
