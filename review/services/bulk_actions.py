"""Actions on many items: begun once a form, done and undone some items at a time.

Whoever does an action locks its row for each run of items, so that it may be done by several, be
killed at any moment, and go on later: what is left is what still waits.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from generation.models import Candidate, Revision
from generation.services import audit
from generation.services.checks import findings_now
from generation.services.texts import storable
from review.models import (
    BulkAction,
    BulkItem,
    BulkKind,
    BulkOutcome,
    RejectReason,
)
from review.services.bulk_changes import Batch, change
from review.services.bulk_giving import lock_people, people_meant
from review.services.bulk_obstacles import obstacles, why_not
from review.services.bulk_reads import can_undo, counts
from review.services.bulk_undo import put_back
from review.services.refusals import FieldsRefused, Refused

STOPPED = "The action was stopped before its turn came."
_NEEDS_A_NOTE = (BulkKind.WITHDRAW, BulkKind.RETURN, BulkKind.REJECT)
_AT_A_TIME = {BulkKind.GIVE: 20, BulkKind.CHECK: 10}
_USUALLY_AT_A_TIME = 200
_STORED = ("outcome", "why", "before", "after", "event")


class BulkRefused(FieldsRefused):
    """An action that can't begin; ``problems`` has a sentence by field."""


class SelectionChanged(Exception):
    """The filter finds another number of items now than the lead was shown: ``now``."""

    def __init__(self, now: int) -> None:
        super().__init__(f"the filter finds {now} items now")
        self.now = now


class CannotUndo(Refused):
    """There is nothing that an undo could put back."""


def begin(
    *,
    lead: User,
    kind: BulkKind,
    rows: QuerySet[Candidate],
    expected: int,
    asked: Mapping[str, Any],
    form_key: UUID,
    query: str = "",
) -> BulkAction:
    """Store an action with its items and return it; the same form again returns the first.

    ``asked`` may hold ``reason`` (to reject), ``note``, ``to`` (see ``people_meant``) and
    ``with_held``. Nothing is done to the items yet.

    Raises:
        BulkRefused: a reason, a note or a person is missing, or nothing is chosen.
        SelectionChanged: there are not the ``expected`` number of items.
    """
    if earlier := BulkAction.objects.filter(form_key=form_key).first():
        return earlier
    given = _given(kind, asked)
    if found := _problems(kind, given):
        raise BulkRefused(found)
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    if not keys:
        raise BulkRefused({"items": "Choose at least one item."})
    if len(keys) != expected:
        raise SelectionChanged(len(keys))
    try:
        with transaction.atomic():
            bulk = BulkAction.objects.create(
                form_key=form_key, kind=kind, actor=lead, asked=given, query=query
            )
            BulkItem.objects.bulk_create(
                (BulkItem(bulk=bulk, candidate_id=key) for key in keys), batch_size=2_000
            )
            audit.record("bulk.begun", bulk, actor=lead, after=given, detail=kind)
    except IntegrityError:  # the same form, sent twice at once
        return BulkAction.objects.get(form_key=form_key)
    return bulk


def _given(kind: BulkKind, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the kind of action needs of what was asked, as it can be stored."""
    given: dict[str, Any] = {"note": storable(str(asked.get("note", "")).strip())}
    if kind == BulkKind.REJECT:
        given["reason"] = str(asked.get("reason", ""))
    if kind == BulkKind.GIVE:
        given["to"] = str(asked.get("to", ""))
    if kind in (BulkKind.WITHDRAW, BulkKind.REJECT):
        given["with_held"] = bool(asked.get("with_held"))
    return given


def _problems(kind: BulkKind, given: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    if kind in _NEEDS_A_NOTE and not given["note"]:
        found["note"] = "Say why, for those who reviewed it and for the record."
    if kind == BulkKind.REJECT and given["reason"] not in RejectReason.values:
        found["reason"] = "Choose the reason."
    if kind == BulkKind.GIVE and not people_meant(given["to"]).exists():
        found["to"] = "Choose whom to give the items to."
    return found


def run(pk: int) -> None:
    """Do what is left of an action or of its undo, some items a transaction; none is done twice."""
    while _do_some(pk):
        pass


def _do_some(pk: int) -> bool:
    """Do or undo the next items; return whether there may be more."""
    bulk = BulkAction.objects.get(pk=pk)
    size = _AT_A_TIME.get(BulkKind(bulk.kind), _USUALLY_AT_A_TIME)
    keys = list(_left_of(bulk).order_by("candidate").values_list("candidate", flat=True)[:size])
    is_check = bulk.kind == BulkKind.CHECK and bulk.undo_asked_at is None
    findings = findings_now(keys) if is_check else {}
    with transaction.atomic():
        locked = BulkAction.objects.select_for_update(of=("self",)).get(pk=pk)
        bulk = BulkAction.objects.select_related("actor", "undo_asked_by").get(pk=locked.pk)
        items = list(_left_of(bulk).filter(candidate__in=keys).order_by("candidate"))
        if not keys:
            return _finish(bulk)
        batch = _locked(bulk, items)
        batch.findings = findings
        if bulk.undo_asked_at:
            put_back(batch)
        else:
            _change(batch)
        _store(items)
        bulk.worked_at = batch.now
        bulk.save(update_fields=["worked_at"])
    return True


def _store(items: Sequence[BulkItem]) -> None:
    """Store what became of the items: all that are left alone for one reason in one statement."""
    alike: dict[tuple[str, str], list[int]] = defaultdict(list)
    for item in items:
        if item.outcome != BulkOutcome.CHANGED:
            alike[item.outcome, item.why].append(item.pk)
    for (outcome, why), keys in alike.items():
        BulkItem.objects.filter(pk__in=keys).update(outcome=outcome, why=why)
    changed = [item for item in items if item.outcome == BulkOutcome.CHANGED]
    BulkItem.objects.bulk_update(changed, _STORED)


def _left_of(bulk: BulkAction) -> QuerySet[BulkItem]:
    """Return the items that the action, or its undo where that is asked for, has still to see."""
    wanted = BulkOutcome.CHANGED if bulk.undo_asked_at else BulkOutcome.WAITING
    return BulkItem.objects.filter(bulk=bulk, outcome=wanted)


def _locked(bulk: BulkAction, items: list[BulkItem]) -> Batch:
    """Lock the people who are given something, then the items, and read them as they are now."""
    if bulk.kind == BulkKind.GIVE and not bulk.undo_asked_at:
        lock_people(list(people_meant(bulk.asked["to"])))
    keys = [item.candidate_id for item in items]
    locked = Candidate.objects.select_for_update(of=("self",)).filter(pk__in=keys)
    candidates = {candidate.pk: candidate for candidate in locked.order_by("pk")}
    current = Revision.objects.current().filter(candidate__in=keys)
    revisions = dict(current.values_list("candidate_id", "pk"))
    return Batch(bulk, items, candidates, revisions, timezone.now())


def _change(batch: Batch) -> None:
    """Leave what can't be changed, with the reason, and change the others."""
    bulk = batch.bulk
    found = obstacles(
        BulkKind(bulk.kind),
        lead=bulk.actor,
        with_held=bool(bulk.asked.get("with_held")),
        now=batch.now,
    )
    reasons = why_not(Candidate.objects.filter(pk__in=list(batch.candidates)), found)
    for item in batch.items:
        if why := reasons[item.candidate_id]:
            item.outcome, item.why = BulkOutcome.LEFT, why
    batch.items = [item for item in batch.items if item.outcome == BulkOutcome.WAITING]
    if batch.items:
        change(batch)


def _finish(bulk: BulkAction) -> bool:
    """Note that nothing is left; what an undo came before is left alone."""
    if bulk.finished_at is None:
        if bulk.undo_asked_at:
            waiting = BulkItem.objects.filter(bulk=bulk, outcome=BulkOutcome.WAITING)
            waiting.update(outcome=BulkOutcome.LEFT, why=STOPPED)
        bulk.finished_at = timezone.now()
        bulk.save(update_fields=["finished_at"])
        action = "bulk.undone" if bulk.undo_asked_at else "bulk.done"
        audit.record(action, bulk, after=counts(bulk), detail=bulk.kind)
    return False


@transaction.atomic
def ask_for_undo(*, bulk: BulkAction, lead: User, now: datetime) -> BulkAction:
    """Stop what is left of an action and let ``run`` put back what was done; twice is once.

    Raises:
        CannotUndo: it changed nothing, or what it did can't be taken back.
    """
    fresh = BulkAction.objects.select_for_update().get(pk=bulk.pk)
    if fresh.undo_asked_at:
        return fresh
    if not can_undo(fresh):
        msg = "There is nothing to put back."
        raise CannotUndo(msg)
    fresh.undo_asked_at, fresh.undo_asked_by, fresh.finished_at = now, lead, None
    fresh.save(update_fields=["undo_asked_at", "undo_asked_by", "finished_at"])
    audit.record("bulk.undo_asked", fresh, actor=lead, detail=fresh.kind)
    return fresh
