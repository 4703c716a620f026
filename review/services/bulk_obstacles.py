"""Says of each item why an action on many can't change it; the same before it and under its lock."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Case, CharField, Count, Exists, OuterRef, Q, QuerySet, Value, When

from generation.models import Candidate, CandidateState
from review.models import (
    Adjudication,
    Assignment,
    BulkKind,
    Outcome,
    ReleaseItem,
    ReturnedEdit,
)
from review.services.assigning import NotInReview
from review.services.item_access import open_turns

CONTROL = "It is a control item."
NOT_IN_REVIEW = "It is not in review."
HELD = "Somebody is reviewing it right now."
NOT_OUTSIDE = "It does not wait outside the queue."
WITH_ITS_AUTHOR = "It was given back to its author, who is at it."
NOT_SETTLED = "It is neither settled nor in dispute."
DECIDED = "A lead has decided on this text already: edit it instead."
RELEASED = "It is in a release: edit it instead."
OWN_TURN = "You have a turn at it: submit or skip it first."
REJECTED = "It is rejected already."
DRAFT = "It is a draft that is not built whole."

Obstacles = Mapping[str, Q]
_SETTLED = (CandidateState.APPROVED, CandidateState.REJECTED, CandidateState.DISPUTED)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """How many items an action changes, and how many it leaves as they are, by the reason why."""

    changes: int
    left: Mapping[str, int]

    @property
    def items(self) -> int:
        """How many items are chosen."""
        return self.changes + sum(self.left.values())


def obstacles(kind: BulkKind, *, lead: User, with_held: bool, now: datetime) -> Obstacles:
    """Return what forbids the action on an item, by a sentence; the first that holds is said.

    Items that somebody is reviewing are left alone unless ``with_held``: then a review that comes
    in later is kept as an extra one.
    """
    found = {CONTROL: Q(is_control=True), **_of_kind(kind, lead)}
    if kind in (BulkKind.WITHDRAW, BulkKind.REJECT) and not with_held:
        found[HELD] = Q(state=CandidateState.IN_REVIEW) & Q(_held(now))
    return found


def _of_kind(kind: BulkKind, lead: User) -> Obstacles:
    own_turn = Q(Exists(open_turns(lead).filter(revision__candidate=OuterRef("pk"))))
    author = Q(Exists(_current(ReturnedEdit).filter(closed_at=None)))
    match kind:
        case BulkKind.WITHDRAW:
            return {NOT_IN_REVIEW: ~Q(state=CandidateState.IN_REVIEW)}
        case BulkKind.QUEUE:
            return {NOT_OUTSIDE: ~Q(state=CandidateState.CHECKED), WITH_ITS_AUTHOR: author}
        case BulkKind.RETURN:
            decided = _current(Adjudication).exclude(outcome=Outcome.RETURN)
            return {
                NOT_SETTLED: ~Q(state__in=_SETTLED),
                DECIDED: Q(Exists(decided)),
                RELEASED: Q(Exists(_current(ReleaseItem))),
                OWN_TURN: own_turn,
            }
        case BulkKind.REJECT:
            return {
                REJECTED: Q(state=CandidateState.REJECTED),
                DRAFT: Q(state=CandidateState.DRAFT),
                WITH_ITS_AUTHOR: Q(state=CandidateState.CHECKED) & author,
                OWN_TURN: own_turn,
            }
        case BulkKind.GIVE:
            return {NotInReview.why: ~Q(state=CandidateState.IN_REVIEW)}
        case BulkKind.CHECK:
            return {DRAFT: Q(state=CandidateState.DRAFT)}


def _current(
    model: type[Adjudication | ReleaseItem | ReturnedEdit],
) -> QuerySet[Adjudication | ReleaseItem | ReturnedEdit]:
    """Return what is said of the current revision of the item outside."""
    return model.objects.filter(revision__candidate=OuterRef("pk"), revision__superseded_at=None)


def _held(now: datetime) -> Exists:
    """Return whether somebody is at the item: their lease runs, or they wait for an answer."""
    turns = Assignment.objects.filter(
        Q(leased_until__gt=now) | Q(parked_at__isnull=False),
        revision__candidate=OuterRef("pk"),
        revision__superseded_at=None,
        submitted_at=None,
        skipped_at=None,
    )
    return Exists(turns)


def why_not(rows: QuerySet[Candidate], found: Obstacles) -> dict[int, str]:
    """Return by the item's key the first obstacle that holds, "" where none does; in one query."""
    return dict(rows.order_by().values_list("pk", _first(found)))


def foresee(rows: QuerySet[Candidate], found: Obstacles) -> Foreseen:
    """Return what the action would do to the rows, counted in one query."""
    counted = rows.order_by().values_list(_first(found)).annotate(n=Count("pk"))
    left = dict(sorted(counted, key=lambda row: (-row[1], row[0])))
    return Foreseen(left.pop("", 0), left)


def _first(found: Obstacles) -> Case:
    cases = [When(condition, then=Value(why)) for why, condition in found.items()]
    return Case(*cases, default=Value(""), output_field=CharField())
