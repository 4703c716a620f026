"""Control items: leads make and retire them; the queue mixes them in; their results are counted."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from generation.models import Candidate, CandidateState, Revision
from generation.services import audit
from generation.services.texts import storable
from review.core.scorer.intervals import wilson_interval
from review.models import (
    Assignment,
    Control,
    ControlUse,
    Decision,
    Purpose,
    RejectReason,
    ReleaseItem,
    Review,
)
from review.services.refusals import FieldsRefused
from review.services.settlement import move
from review.services.waiting import subtasks_for

_MAY_BECOME = frozenset(
    {
        CandidateState.CHECKED,
        CandidateState.IN_REVIEW,
        CandidateState.APPROVED,
        CandidateState.REJECTED,
    }
)


class ControlRefused(FieldsRefused):
    """What can't be a control item; ``problems`` has a sentence by field."""


@transaction.atomic
def make_control(
    *,
    lead: User,
    candidate: Candidate,
    use: str,
    decision: str,
    why: str,
    reject_reason: str = "",
    now: datetime,
) -> Control:
    """Make a candidate a control item whose right review is known; it stays one for good.

    ``use`` is ``queue`` or ``qualification``, ``decision`` approve or reject (then with its
    ``reject_reason``), ``why`` what the guidelines say of it. Reviews that it has stay and
    settle nothing.

    Raises:
        ControlRefused: it is one already, somebody is at it, it is in a release or stands where
            nothing can be known of it, or a field is wrong.
    """
    fresh = Candidate.objects.select_for_update(of=("self",)).get(pk=candidate.pk)
    found = _problems(use=use, decision=decision, reject_reason=reject_reason, why=why)
    if obstacle := _obstacle(fresh, now=now):
        found["candidate"] = obstacle
    if found:
        raise ControlRefused(found)
    fresh.is_control = True
    fresh.save(update_fields=["is_control"])
    if fresh.state != CandidateState.IN_REVIEW:
        move(fresh, CandidateState.IN_REVIEW, action="candidate.made_control", why=use, actor=lead)
    control = Control.objects.create(
        candidate=fresh,
        use=use,
        decision=decision,
        reject_reason=reject_reason,
        why=storable(why.strip()),
        made_by=lead,
    )
    audit.record(
        "control.made", control, actor=lead, after=[use, decision, reject_reason, why], detail=use
    )
    return control


def _problems(*, use: str, decision: str, reject_reason: str, why: str) -> dict[str, str]:
    found: dict[str, str] = {}
    if use not in ControlUse.values:
        found["use"] = "Say where it is given: in the queue or in the qualification round."
    if decision not in {Decision.APPROVE, Decision.REJECT}:
        found["decision"] = "Give the right decision: approve or reject."
    if decision == Decision.REJECT and reject_reason not in RejectReason.values:
        found["reject_reason"] = "Choose the reason."
    if decision != Decision.REJECT and reject_reason:
        found["reject_reason"] = "Only what is rejected has a reason to reject."
    if not why.strip():
        found["why"] = "Say why, in the guidelines' words: reviewers read it after their answer."
    return found


def _obstacle(candidate: Candidate, *, now: datetime) -> str:
    """Return why the candidate, whose lock is held, can't be a control item; empty where it can."""
    if candidate.is_control:
        return "It is a control item already."
    if candidate.state not in _MAY_BECOME:
        return "Only an item that is checked, in review or settled can be a control item."
    turns = Assignment.objects.filter(
        revision__candidate=candidate, submitted_at=None, skipped_at=None
    )
    if turns.filter(Q(leased_until__gt=now) | Q(parked_at__isnull=False)).exists():
        return "Somebody is reviewing it right now."
    if ReleaseItem.objects.filter(revision__candidate=candidate).exists():
        return "It is in a release."
    return ""


@transaction.atomic
def retire_control(*, lead: User, control: Control, now: datetime) -> None:
    """Give the control item to nobody any more; whoever is at it may finish. Twice is once."""
    fresh = Control.objects.select_for_update().get(pk=control.pk)
    if fresh.retired_at is None:
        fresh.retired_at = now
        fresh.save(update_fields=["retired_at"])
        audit.record("control.retired", fresh, actor=lead, before=None, after=now)


def controls_for(reviewer: User, use: ControlUse) -> QuerySet[Revision]:
    """Return the control items that may be given to a person, in the order they were made.

    Left out are those they can't judge, those that they made, and those of which they had a
    turn, at whatever revision and for whatever purpose, or that they wrote.
    """
    had = Assignment.objects.filter(revision__candidate=OuterRef("candidate"), reviewer=reviewer)
    wrote = Revision.objects.filter(candidate=OuterRef("candidate"), author=reviewer)
    return (
        Revision.objects.current()
        .filter(
            ~Exists(had),
            ~Exists(wrote),
            candidate__state=CandidateState.IN_REVIEW,
            candidate__is_control=True,
            candidate__control__use=use,
            candidate__control__retired_at=None,
            candidate__subtask__in=sorted(subtasks_for(reviewer)),
        )
        .exclude(candidate__control__made_by=reviewer)
        .order_by("candidate__control")
    )


@dataclass(frozen=True, slots=True)
class ControlResult:
    """How a reviewer did on control items of one purpose.

    Of ``items`` reviews ``right`` had the known decision, and before gold was shown ``knew``
    answered as gold says.
    """

    reviewer: str
    purpose: str
    items: int
    right: int
    knew: int

    @property
    def share(self) -> float:
        """The share of right decisions, 0 to 1."""
        return self.right / self.items

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the share of right decisions."""
        return wilson_interval(self.share, self.items)


def control_results() -> list[ControlResult]:
    """Return everybody's results by name and purpose, in one query; for leads only."""
    is_right = Q(decision=F("assignment__revision__candidate__control__decision"))
    rows = (
        Review.objects.filter(
            assignment__purpose__in=(Purpose.CONTROL, Purpose.QUALIFICATION),
            assignment__revision__superseded_at=None,
            undone_at=None,
        )
        .values_list("assignment__reviewer__username", "assignment__purpose")
        .annotate(
            items=Count("pk"),
            right=Count("pk", filter=is_right),
            knew=Count("pk", filter=Q(assignment__blind_answer__matches_gold=True)),
        )
    )
    ordered = rows.order_by("assignment__reviewer__username", "assignment__purpose")
    return [ControlResult(*row) for row in ordered]
