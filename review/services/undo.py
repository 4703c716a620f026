"""Takes back a person's last review, for ten minutes and while nothing rests on it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import or_

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from generation.core.records import Success
from generation.models import AuditEvent, Candidate, CandidateState, Revision, Source
from generation.services import audit
from generation.services.revisions import take_back
from review.authentication import is_lead
from review.models import (
    Adjudication,
    Assignment,
    Note,
    Purpose,
    ReleaseItem,
    ReturnedEdit,
    Review,
)
from review.services.leases import lease_end
from review.services.places import taken_places
from review.services.project import reviews_wanted
from review.services.refusals import Refused
from review.services.review_draft import draft_of
from review.services.settlement import move

UNDO_MINUTES = 10
_SETTLED = frozenset(
    {CandidateState.APPROVED, CandidateState.REJECTED, CandidateState.DISPUTED},
)


class UndoRefused(Refused):
    """The review stands; ``why`` is a sentence for the reviewer."""


@dataclass(frozen=True, slots=True)
class OwnReview:
    """A review of one's own: ``why_not`` is empty where it may be undone, ``until`` when."""

    review: Review
    why_not: str
    until: datetime


def last_reviews(*, reviewer: User, now: datetime, most: int = 10) -> list[OwnReview]:
    """Return the person's standing reviews, newest first, each with its undo; in one query."""
    standing = Review.objects.filter(assignment__reviewer=reviewer, undone_at=None)
    return list(_own(standing.order_by("-pk")[:most], reviewer, now))


def may_undo(*, review: Review, reviewer: User, now: datetime) -> str:
    """Return an empty text where the person may take the review back, else why not; one query.

    Only their own, their last that stands, for 10 minutes from when it was sent, and while
    nothing rests on it: no newer text of the question, no decision of a lead, no release.
    A lead may not, once they could read what the others said.
    """
    own = own_review(review=review, reviewer=reviewer, now=now)
    return own.why_not if own else "Only the person who wrote a review can undo it."


def own_review(*, review: Review, reviewer: User, now: datetime) -> OwnReview | None:
    """Return the review as it is now with its undo, None where it is another's; one query."""
    found = Review.objects.filter(pk=review.pk, assignment__reviewer=reviewer)
    return next(_own(found, reviewer, now), None)


def _own(reviews: QuerySet[Review], reviewer: User, now: datetime) -> Iterator[OwnReview]:
    later = Review.objects.filter(
        assignment__reviewer=reviewer, undone_at=None, pk__gt=OuterRef("pk")
    )
    decided = Adjudication.objects.filter(
        revision=OuterRef("assignment__revision"), created_at__gte=OuterRef("created_at")
    )
    frozen = ReleaseItem.objects.filter(revision=OuterRef("assignment__revision"))
    others = Review.objects.filter(assignment__revision=OuterRef("assignment__revision")).exclude(
        assignment__reviewer=reviewer
    )
    rows = reviews.select_related("assignment__revision__candidate", "edited_revision").annotate(
        has_later=Exists(later),
        is_decided=Exists(decided),
        is_frozen=Exists(frozen),
        others_spoke=Exists(others),
        is_built_on=_anything_on(OuterRef("edited_revision")),
    )
    for review in rows:
        turn = review.assignment
        sent = turn.submitted_at or review.created_at
        until = sent + timedelta(minutes=UNDO_MINUTES)
        candidate = turn.revision.candidate
        reasons = [
            (review.undone_at is not None, "This review was taken back already."),
            (now >= until, f"A review can be undone for {UNDO_MINUTES} minutes; they are over."),
            (
                turn.purpose == Purpose.QUALIFICATION,
                "The known decision has been shown to you since.",
            ),
            (review.has_later, "Only your last review can be undone."),
            (
                _is_edited_by_another(review),
                "The question has been edited since; your review was of the text before.",
            ),
            (review.is_built_on, "Others are at the text that you wrote, or have judged it."),
            (review.is_decided, "A lead has decided on this item since."),
            (review.is_frozen, "The item has been frozen in a release since."),
            (
                review.is_counted and candidate.state not in _SETTLED | {CandidateState.IN_REVIEW},
                "The item has gone back to be changed since.",
            ),
            (
                is_lead(reviewer) and review.others_spoke,
                "As a lead you may have read what the others said of this item.",
            ),
        ]
        yield OwnReview(review, next((why for holds, why in reasons if holds), ""), until)


def _anything_on(revision: OuterRef) -> Q:
    """Return whether anything rests on the text that an edit made: a turn, a word, a release."""
    rests = [
        Q(Exists(model.objects.filter(revision=revision)))
        for model in (Assignment, Adjudication, ReleaseItem, ReturnedEdit, Note)
    ]
    return reduce(or_, rests)


def _is_edited_by_another(review: Review) -> bool:
    """Return whether the current text is neither what was reviewed nor what the review made."""
    made = review.edited_revision
    if made is not None:
        return made.superseded_at is not None
    return review.assignment.revision.superseded_at is not None


@transaction.atomic
def undo_review(*, review: Review, reviewer: User, now: datetime) -> Assignment:
    """Take a review back and return its turn, open again with all that was typed as its draft.

    What the review settled is in review again; the text that it edited is the current one again.
    The turn gets a fresh lease where a place is free; where none is, ``leased_until`` is not after
    ``now``. The blind answer stays.

    Raises:
        UndoRefused: the review stands, and why.
    """
    # The candidate first, then the turn: the order in which a submit locks them.
    candidate = Candidate.objects.select_for_update(of=("self",)).get(
        revisions__assignments__reviews=review.pk
    )
    turn = Assignment.objects.select_for_update(of=("self",)).get(reviews=review.pk)
    if why := may_undo(review=review, reviewer=reviewer, now=now):
        raise UndoRefused(why)
    fresh = Review.objects.select_related("assignment__revision", "edited_revision__candidate").get(
        pk=review.pk
    )
    fresh.undone_at = now
    fresh.save(update_fields=["undone_at"])
    audit.record(
        "review.undone",
        fresh,
        actor=reviewer,
        before=[fresh.decision, fresh.well_specified, fresh.gold_quality, fresh.comment],
        detail="counted" if fresh.is_counted else "extra",
    )
    if fresh.edited_revision is not None:
        new = fresh.edited_revision
        take_back(new=new, old=_edited_from(new), actor=reviewer, now=now)
    elif fresh.is_counted and candidate.state in _SETTLED:
        _take_settlement_back(candidate, fresh, actor=reviewer)
    _open_again(turn, candidate, now=now)
    turn.draft, turn.draft_saved_at = draft_of(fresh), now
    turn.save()
    return turn


def _edited_from(new: Revision) -> Revision:
    """Return what an edit was made from: the revision before it that no undo took back."""
    undone = Review.objects.filter(edited_revision=OuterRef("pk"), undone_at__isnull=False)
    before = Revision.objects.filter(~Exists(undone), candidate=new.candidate_id)
    return before.filter(number__lt=new.number).order_by("-number")[0]


def _take_settlement_back(candidate: Candidate, review: Review, *, actor: User) -> None:
    """Put a settled candidate in review again; what its approval said of the source goes too."""
    was_approved = candidate.state == CandidateState.APPROVED
    move(
        candidate,
        CandidateState.IN_REVIEW,
        action="candidate.reopened",
        why="a review was undone",
        actor=actor,
    )
    if was_approved:
        _take_confirmation_back(candidate, review, actor=actor)


def would_unconfirm(review: Review) -> bool:
    """Return whether to take the review back would make its run unconfirmed again."""
    candidate = review.assignment.revision.candidate
    if not review.is_counted or candidate.state != CandidateState.APPROVED:
        return False
    source = Source.objects.get(pk=candidate.source_id)
    return source.success == Success.CONFIRMED and _alone_confirmed(candidate, source)


def _alone_confirmed(candidate: Candidate, source: Source) -> bool:
    """Return whether the source is confirmed by this candidate's approval and no other."""
    others = Candidate.objects.filter(source=source, state=CandidateState.APPROVED)
    return not others.exclude(pk=candidate.pk).exists() and _has_confirmed(candidate, source)


def _take_confirmation_back(candidate: Candidate, review: Review, *, actor: User) -> None:
    """Make the source unconfirmed again where this approval alone had confirmed it."""
    source = Source.objects.select_for_update(of=("self",)).get(pk=candidate.source_id)
    if not _alone_confirmed(candidate, source):
        return
    source.success = Success.UNCONFIRMED
    source.save(update_fields=["success"])
    audit.record(
        "source.unconfirmed",
        source,
        actor=actor,
        before=Success.CONFIRMED,
        after=Success.UNCONFIRMED,
        detail=f"review {review.pk} was undone",
    )


def _has_confirmed(candidate: Candidate, source: Source) -> bool:
    """Return whether the source was confirmed by the settlement: right after it, by the trail."""
    settled = AuditEvent.objects.filter(
        action="candidate.settled", subject="candidate", subject_id=candidate.pk
    ).first()
    confirmed = AuditEvent.objects.filter(
        action="source.confirmed", subject="source", subject_id=source.pk
    ).first()
    return bool(settled and confirmed and confirmed.pk > settled.pk)


def _open_again(turn: Assignment, candidate: Candidate, *, now: datetime) -> None:
    """Open the turn: with a fresh lease where a place is free, else as one that has ended."""
    turn.submitted_at = None
    if turn.purpose != Purpose.WORK:
        turn.leased_until, turn.expired_at = lease_end(now), None
        return
    others = sum(held.turn != turn.pk for held in taken_places(turn.revision_id, now=now))
    if candidate.state == CandidateState.IN_REVIEW and others < reviews_wanted(candidate.subtask):
        turn.leased_until, turn.expired_at = lease_end(now), None
    else:
        turn.leased_until = min(turn.leased_until, now)
