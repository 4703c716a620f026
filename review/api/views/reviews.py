"""Stored reviews: leads read all that can't bias them, everyone else their own."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Q, QuerySet
from rest_framework.response import Response

from generation.models import CandidateState
from review.api.filters import LeadReviewFilter, ReviewFilter, filtered, parameters_of
from review.api.item import answer_json
from review.api.pages import DOCUMENTED, page_of
from review.api.schema import documented
from review.api.serializers.records import ReviewPage
from review.api.view import MemberCall, ReviewerView
from review.authentication import is_lead
from review.core.question_view import Labels
from review.models import Review
from review.services.item_access import openable
from review.services.labels import labels_for
from review.services.votes import pseudonym

_FIELDS = (
    "decision",
    "well_specified",
    "well_specified_why",
    "gold_quality",
    "gold_quality_why",
    "same_meaning",
    "source_is_success",
    "reject_reason",
    "comment",
    "saw_what_follows",
    "is_counted",
    "active_seconds",
    "created_at",
    "undone_at",
)


class Reviews(ReviewerView):
    """Stored reviews."""

    @documented(
        "reviews",
        ReviewPage,
        422,
        parameters=[*parameters_of(LeadReviewFilter), *DOCUMENTED],
        tag="reviews",
    )
    def get(self, request: MemberCall) -> Response:
        """List reviews: your own; for leads also others' of items that they may read whole.

        Labels are always those under which the caller sees the options. Only leads see, and may
        filter by, `purpose`.
        """
        lead = is_lead(request.user)
        rows = filtered(
            request, LeadReviewFilter if lead else ReviewFilter, _readable(request, lead=lead)
        )
        return page_of(request, rows, lambda found: reviews_json(found, request))


def _readable(request: MemberCall, *, lead: bool) -> QuerySet[Review]:
    mine = Q(assignment__reviewer=request.user)
    if lead:
        mine |= Q(assignment__revision__candidate__in=openable(request.user).values("pk"))
    return with_verdicts(Review.objects.filter(mine))


def with_verdicts(reviews: QuerySet[Review]) -> QuerySet[Review]:
    """Return the reviews with all that is shown of them, in four queries."""
    loaded = reviews.select_related("assignment__blind_answer", "assignment__revision__candidate")
    return loaded.prefetch_related(
        "option_verdicts__option", "finding_verdicts", "assignment__revision__options"
    )


def reviews_json(
    reviews: Iterable[Review], request: MemberCall, *, named: bool = True
) -> Iterator[dict[str, Any]]:
    """Yield reviews as JSON; who wrote them only where ``named`` and no dispute is open."""
    for review in reviews:
        turn = review.assignment
        candidate = turn.revision.candidate
        is_own = turn.reviewer_id == request.user.pk
        shows_name = is_own or (named and candidate.state != CandidateState.DISPUTED)
        labels = _labels_for(review, request.user.pk)
        yield {
            "id": review.pk,
            "reviewer": pseudonym(turn.reviewer_id) if shows_name else None,
            "candidate": candidate.pk,
            "revision": turn.revision.number,
            "subtask": candidate.subtask,
            "purpose": turn.purpose if is_lead(request.user) else None,
            **{name: getattr(review, name) for name in _FIELDS},
            "answer": answer_json(turn, labels),
            "options": _verdicts(review, labels),
            "findings": [
                {"finding": one.finding_id, "verdict": one.verdict, "word": one.word}
                for one in review.finding_verdicts.all()
            ],
        }


def _labels_for(review: Review, reader: int) -> Labels:
    return labels_for(
        revision=review.assignment.revision_id,
        reader=reader,
        count=len(review.assignment.revision.options.all()),
    )


def _verdicts(review: Review, labels: Labels) -> list[dict[str, str]]:
    verdicts = [
        {"label": labels.label_at(said.option.position), "verdict": said.verdict}
        for said in review.option_verdicts.all()
    ]
    return sorted(verdicts, key=lambda one: one["label"])
