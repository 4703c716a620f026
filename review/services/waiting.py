"""Finds what waits for a person: revisions with a free place that they may take and can judge."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import (
    Case,
    Count,
    Exists,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from generation.core.registry import SUBTASKS
from generation.models import CandidateState, Revision
from review.authentication import is_lead
from review.core.skills import judgeable
from review.models import (
    Adjudication,
    Assignment,
    Outcome,
    Profile,
    Project,
    Question,
    Review,
)
from review.services.places import taken_places
from review.services.project import wanted_by_default


def open_assignments(reviewer: User) -> QuerySet[Assignment]:
    """Return the turns that a reviewer may go on with: neither submitted nor skipped.

    Parked ones, which wait for a lead's answer, are among them.
    """
    return Assignment.objects.filter(
        reviewer=reviewer,
        submitted_at=None,
        skipped_at=None,
        revision__superseded_at=None,
        revision__candidate__state=CandidateState.IN_REVIEW,
    )


def subtasks_for(reviewer: User) -> frozenset[str]:
    """Return the subtasks whose items the person can judge; none without a profile."""
    try:
        profile = reviewer.profile
    except Profile.DoesNotExist:
        return frozenset()
    return judgeable(SUBTASKS.values(), languages=profile.languages, scenarios=profile.scenarios)


def revisions_in_review() -> QuerySet[Revision]:
    """Return the current revisions that still want reviews or wait for some; no control items."""
    return Revision.objects.current().filter(
        candidate__state=CandidateState.IN_REVIEW, candidate__is_control=False
    )


def revisions_wanting_review(
    reviewer: User, *, settings: Project, now: datetime
) -> QuerySet[Revision]:
    """Return revisions with a place that this person may take or holds, oldest first.

    Left out are those they can't judge, those they had a turn at (submitted, skipped or parked),
    those they wrote, and for a lead those that came back from a dispute, by a decision or since
    one of several reviews was taken back: leads could read what others said of them.
    """
    can_judge = subtasks_for(reviewer)
    revisions = revisions_in_review()
    if len(can_judge) < len(SUBTASKS):
        revisions = revisions.filter(candidate__subtask__in=sorted(can_judge))
    revisions = unread_by(reviewer, revisions)
    had = Assignment.objects.filter(revision=OuterRef("pk"), reviewer=reviewer).exclude(
        submitted_at=None, skipped_at=None, parked_at=None
    )
    taken = (
        taken_places(OuterRef("pk"), now=now)
        .exclude(reviewer=reviewer)
        .order_by()
        .values("revision")
        .annotate(n=Count("pk"))
        .values("n")
    )
    return (
        revisions.filter(~Exists(had), ~Q(author=reviewer) | Q(author=None))
        .alias(taken=Coalesce(Subquery(taken, output_field=IntegerField()), Value(0)))
        .filter(taken__lt=_wanted(settings))
        .order_by("candidate_id")
    )


def _wanted(settings: Project) -> Case | Value:
    """Return the number of reviews that the candidate's subtask asks for, as an expression."""
    default = Value(wanted_by_default(settings))
    own = [
        When(candidate__subtask=subtask, then=Value(wanted))
        for subtask, wanted in settings.overlap.items()
    ]
    return Case(*own, default=default, output_field=IntegerField()) if own else default


def unread_by(person: User, revisions: QuerySet[Revision]) -> QuerySet[Revision]:
    """Leave out what the person, a lead, could read others' reviews of; who is none reads none.

    So is an item about which they answered a reviewer's question.
    """
    if not is_lead(person):
        return revisions
    answered = Question.objects.filter(
        assignment__revision__candidate=OuterRef("candidate"), answered_by=person
    )
    revisions = revisions.exclude(Exists(answered))
    returned = Adjudication.objects.filter(revision=OuterRef("pk"), outcome=Outcome.RETURN)
    of_it = Review.objects.filter(assignment__revision=OuterRef("pk"), is_counted=True)
    undone = of_it.filter(undone_at__isnull=False).exclude(assignment__reviewer=person)
    return revisions.exclude(Exists(returned)).exclude(
        Exists(undone) & Exists(of_it.filter(undone_at=None))
    )
