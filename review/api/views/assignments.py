"""One's own turns: take the next item, answer blind, review, and what goes with it."""

from http import HTTPStatus

from django.utils import timezone
from rest_framework.response import Response

from review.api.item import item_json, own_item, own_turn, phase_of
from review.api.pages import DOCUMENTED, page_of, refuse_unknown
from review.api.pages import PARAMETERS as PAGE
from review.api.reviewing import labels_for, store_blind, store_both, store_review, stored_json
from review.api.schema import documented, id_in_path
from review.api.serializers.items import AssignmentSerializer, NextSerializer, StoredSerializer
from review.api.serializers.records import AssignmentPage
from review.api.serializers.requests import BlindRequest, ReviewRequest, SubmitRequest, read
from review.api.view import MemberCall, ReviewerView, ok
from review.models import Assignment
from review.services.empty_queue import why_empty
from review.services.queue import claim_next

TAG = "reviewing"
TURN = [id_in_path("assignment")]


class Next(ReviewerView):
    """Gives the caller their next item."""

    @documented("next", NextSerializer, tag=TAG)
    def post(self, request: MemberCall) -> Response:
        """Take the next item; a running one of yours comes again.

        With none left, `item` is null and `empty` says why.
        """
        now = timezone.now()
        turn = claim_next(reviewer=request.user, now=now)
        if turn is None:
            why = why_empty(reviewer=request.user, now=now)
            return ok({"item": None, "empty": {"reason": why.reason, "until": why.until}})
        return ok({"item": item_json(own_item(request.user.pk, turn.pk)), "empty": None})


class Assignments(ReviewerView):
    """Lists the caller's turns."""

    @documented("assignments", AssignmentPage, 422, parameters=DOCUMENTED, tag=TAG)
    def get(self, request: MemberCall) -> Response:
        """List your turns, the submitted and skipped ones too."""
        refuse_unknown(request, PAGE)
        turns = Assignment.objects.filter(reviewer=request.user).select_related(
            "blind_answer", "revision__candidate__source"
        )
        only = turns.only(
            "given_at",
            "leased_until",
            "submitted_at",
            "skipped_at",
            "revision__candidate__subtask",
            "revision__candidate__source__language",
            "blind_answer__assignment",
        )
        return page_of(request, only, lambda rows: map(_row, rows))


def _row(turn: Assignment) -> dict[str, object]:
    return {
        "id": turn.pk,
        "phase": phase_of(turn),
        "subtask": turn.revision.candidate.subtask,
        "language": turn.revision.candidate.source.language,
        "given_at": turn.given_at,
        "leased_until": turn.leased_until,
        "submitted_at": turn.submitted_at,
    }


class OneAssignment(ReviewerView):
    """A turn of the caller's."""

    @documented("assignment", AssignmentSerializer, 404, parameters=TURN, tag=TAG)
    def get(self, request: MemberCall, pk: int) -> Response:
        """Read a turn of yours: its item in the phase it is in."""
        return ok(item_json(own_item(request.user.pk, pk)))


class Blind(ReviewerView):
    """The blind phase."""

    @documented(
        "answer_blind",
        AssignmentSerializer,
        404,
        409,
        410,
        body=BlindRequest,
        parameters=TURN,
        tag=TAG,
    )
    def post(self, request: MemberCall, pk: int) -> Response:
        """Store the blind answer and read the item in its open phase.

        The answer never changes afterwards: the same one again is taken, another answers 409.
        """
        given = read(BlindRequest, request)
        turn = own_turn(request.user.pk, pk)
        store_blind(turn, given, labels_for(turn))
        return ok(item_json(own_item(request.user.pk, pk)))


class OneReview(ReviewerView):
    """The open phase."""

    @documented(
        "submit_review",
        StoredSerializer,
        404,
        409,
        body=ReviewRequest,
        parameters=TURN,
        tag=TAG,
        status=HTTPStatus.CREATED,
    )
    def post(self, request: MemberCall, pk: int) -> Response:
        """Store the review of an item that you answered blind before.

        The same `form_key` stores one review however often it is sent.
        """
        given = read(ReviewRequest, request)
        turn = own_turn(request.user.pk, pk)
        review = store_review(turn, given, labels_for(turn))
        shown = stored_json(review, matches_gold=turn.blind_answer.matches_gold)
        return ok(shown, HTTPStatus.CREATED)


class Submit(ReviewerView):
    """Both phases at once, for programs."""

    @documented(
        "submit_both",
        StoredSerializer,
        404,
        409,
        410,
        body=SubmitRequest,
        parameters=TURN,
        tag=TAG,
        status=HTTPStatus.CREATED,
    )
    def post(self, request: MemberCall, pk: int) -> Response:
        """Store a blind answer and a review that you state without having seen gold.

        Judge every option as if it were a distractor: the verdict on what turns out to be gold
        is dropped. An approval holds only where your answer is gold; where it is not
        (`gold_differs`), or where the review breaks a rule, the blind answer is stored all the
        same, the open phase is on, and the review is sent alone.
        """
        given = read(SubmitRequest, request)
        turn = own_turn(request.user.pk, pk)
        stored = store_both(turn, given, labels_for(turn))
        assert stored.review is not None
        shown = stored_json(stored.review, matches_gold=stored.answer.matches_gold)
        return ok(shown, HTTPStatus.CREATED)
