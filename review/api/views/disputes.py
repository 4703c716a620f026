"""Disputes: what waits for a lead, and the decision."""

from http import HTTPStatus
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.response import Response

from generation.models import CandidateState, Revision
from review.api.pages import refuse_unknown
from review.api.problems import Problem, invalid
from review.api.schema import documented, id_in_path
from review.api.serializers.records import (
    DecidedSerializer,
    DisputeDetailSerializer,
    DisputePageSerializer,
)
from review.api.serializers.requests import DecisionRequest, read
from review.api.view import LeadView, MemberCall, ok
from review.api.views.reviews import reviews_json, with_verdicts
from review.models import Review
from review.services.dispute_list import Dispute, disputed_since, open_disputes
from review.services.disputes import (
    AlreadyDecided,
    NotDisputed,
    ReviewsChanged,
    Ruling,
    RulingRefused,
    adjudicate,
    asked_of_lead,
    decisions_on,
    seen_digest,
)
from review.services.item_access import OwnTurnOpen, open_turn
from review.services.settlement import counted_reviews

TAG = "disputes"
DISPUTE = [id_in_path("revision in dispute")]


def _row(dispute: Dispute, since: Any) -> dict[str, Any]:
    return {
        "id": dispute.revision,
        "candidate": dispute.candidate,
        "subtask": dispute.subtask,
        "language": dispute.language,
        "kind": dispute.kind,
        "about": dispute.about.template % dispute.about.values,
        "returned": dispute.returned,
        "since": since,
    }


class Disputes(LeadView):
    """All open disputes."""

    @documented("disputes", DisputePageSerializer, 422, tag=TAG)
    def get(self, request: MemberCall) -> Response:
        """List the disputes that wait for a lead, oldest first."""
        refuse_unknown(request, ())
        found = open_disputes()
        since = disputed_since(found)
        return ok({"results": [_row(one, since.get(one.revision)) for one in found]})


class OneDispute(LeadView):
    """An open dispute."""

    @documented("dispute", DisputeDetailSerializer, 404, 409, parameters=DISPUTE, tag=TAG)
    def get(self, request: MemberCall, pk: int) -> Response:
        """Read an open dispute: the reviews that count, without names, and what to decide on."""
        revision = _disputed(request, pk)
        found = next((one for one in open_disputes() if one.revision == pk), None)
        if found is None:
            raise _decided_already(None)
        counted = counted_reviews([pk])[pk]
        asked = asked_of_lead(revision, counted)
        reviews = with_verdicts(Review.objects.filter(pk__in=[one.pk for one in counted]))
        more = {
            "seen": seen_digest(counted, len(decisions_on(revision))),
            "asked": {
                "blocking": sorted(asked.blocking),
                "unsettled": sorted(asked.unsettled),
                "source_is_unconfirmed": asked.source_is_unconfirmed,
            },
            "reviews": list(reviews_json(reviews.order_by("pk"), request, named=False)),
        }
        return ok(_row(found, disputed_since([found]).get(pk)) | more)


def _disputed(request: MemberCall, pk: int) -> Revision:
    """Return a disputed revision that the lead can't review any more."""
    disputed = Revision.objects.current().filter(candidate__state=CandidateState.DISPUTED)
    revision = get_object_or_404(disputed.select_related("candidate__source"), pk=pk)
    if open_turn(lead=request.user, candidate=revision.candidate):
        raise _own_turn_open()
    return revision


def _own_turn_open() -> Problem:
    words = "You have a turn at this item: submit or skip it first."
    return Problem(HTTPStatus.CONFLICT, words, code="own_turn_open")


class Decision(LeadView):
    """The decision on a dispute."""

    @documented(
        "decide",
        DecidedSerializer,
        404,
        409,
        body=DecisionRequest,
        parameters=DISPUTE,
        tag=TAG,
        status=HTTPStatus.CREATED,
    )
    def post(self, request: MemberCall, pk: int) -> Response:
        """Settle a dispute, or return its item to the queue; one decision settles it once."""
        given = read(DecisionRequest, request)
        revision = get_object_or_404(Revision, pk=pk)
        try:
            decided = adjudicate(
                revision=revision, lead=request.user, ruling=_ruling(given), seen=given["seen"]
            )
        except RulingRefused as refused:
            raise invalid(_by_shown_names(refused)) from refused
        except OwnTurnOpen as error:
            raise _own_turn_open() from error
        except ReviewsChanged as error:
            words = "The reviews have changed since you read them: read them again."
            raise Problem(HTTPStatus.CONFLICT, words, code="reviews_changed") from error
        except NotDisputed as error:
            words = "There is no such dispute."
            raise Problem(HTTPStatus.NOT_FOUND, words) from error
        except AlreadyDecided as error:
            raise _decided_already(error) from error
        revision.candidate.refresh_from_db()
        shown = {"id": decided.pk, "outcome": decided.outcome, "state": revision.candidate.state}
        return ok(shown, HTTPStatus.CREATED)


def _ruling(given: dict[str, Any]) -> Ruling:
    return Ruling(
        outcome=given["outcome"],
        note=given["note"],
        reject_reason=given["reject_reason"],
        finding_verdicts={
            one["finding"]: (one["verdict"], one["word"]) for one in given["findings"]
        },
        sees_success=given["sees_success"],
    )


def _by_shown_names(refused: RulingRefused) -> dict[str, str]:
    return {
        name.replace("finding_", "findings.", 1) if name.startswith("finding_") else name: why
        for name, why in refused.problems.items()
    }


def _decided_already(error: AlreadyDecided | None) -> Problem:
    outcome = f": {error.adjudication.outcome}" if error else ""
    words = f"Another decision came first{outcome}. Yours was not stored."
    return Problem(HTTPStatus.CONFLICT, words, code="decided")
