"""What leads are told of actions on many items: foreseen, how far they are, what became of each."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from generation.models import Candidate, CandidateState
from review.models import BulkAction, BulkItem, BulkKind, BulkOutcome
from review.services.bulk_giving import people_meant, plan
from review.services.bulk_obstacles import Foreseen, foresee, obstacles

_SILENCE = timedelta(minutes=2)


def can_undo(bulk: BulkAction) -> bool:
    """Return whether an undo could put something back or stop something; in one query."""
    if bulk.kind == BulkKind.CHECK or bulk.undo_asked_at:
        return False
    done_or_waiting = (BulkOutcome.CHANGED, BulkOutcome.WAITING)
    return BulkItem.objects.filter(bulk=bulk, outcome__in=done_or_waiting).exists()


def counts(bulk: BulkAction) -> dict[str, int]:
    """Return how many items of the action there are by what became of them; in one query."""
    rows = BulkItem.objects.filter(bulk=bulk).order_by().values_list("outcome")
    return dict(rows.annotate(n=Count("pk")))


def whys(bulk: BulkAction, outcome: BulkOutcome) -> list[tuple[str, int]]:
    """Return why items were left or kept and how many, the most frequent first; in one query."""
    rows = BulkItem.objects.filter(bulk=bulk, outcome=outcome).order_by().values_list("why")
    return list(rows.annotate(n=Count("pk")).order_by("-n", "why"))


def recent() -> QuerySet[BulkAction]:
    """Return all actions, the newest first, with who asked; ``n_items``, ``n_changed`` of each."""
    own = BulkItem.objects.filter(bulk=OuterRef("pk")).order_by()
    return BulkAction.objects.select_related("actor", "undo_asked_by").annotate(
        n_items=_counted(own), n_changed=_counted(own.filter(outcome=BulkOutcome.CHANGED))
    )


def _counted(rows: QuerySet[BulkItem]) -> Coalesce:
    counted = rows.values("bulk").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted), Value(0))


def unfinished(*, now: datetime) -> list[int]:
    """Return the actions that nobody has worked on for a while: what a sweep takes up."""
    waiting = BulkAction.objects.filter(finished_at=None, created_at__lte=now - _SILENCE)
    silent = waiting.exclude(worked_at__gt=now - _SILENCE)
    return list(silent.order_by("pk").values_list("pk", flat=True))


def foreseen(
    *,
    lead: User,
    kind: BulkKind,
    rows: QuerySet[Candidate],
    asked: Mapping[str, Any],
    now: datetime,
) -> Foreseen:
    """Return what an action would do to the items, and why not to others; nothing is done.

    In one query; what is given to people who are named takes more, a fixed number too.
    """
    with_held = bool(asked.get("with_held"))
    found = foresee(rows, obstacles(kind, lead=lead, with_held=with_held, now=now))
    profiles = list(people_meant(str(asked.get("to", "")))) if kind == BulkKind.GIVE else []
    if not profiles:
        return found
    free = rows.filter(state=CandidateState.IN_REVIEW, is_control=False)
    planned = plan(free, profiles, now=now)
    left = Counter(found.left) + Counter(planned.left.values())
    return Foreseen(len(planned.given), dict(left.most_common()))
