"""What keeps a turn of one's own: draft, lease, skip, undo, a look past the cut."""

from http import HTTPStatus

from django.utils import timezone
from rest_framework.response import Response

from review.api.item import item_json, own_item, own_turn, phase_of, steps_json
from review.api.problems import Problem
from review.api.schema import documented
from review.api.serializers.items import AssignmentSerializer, FollowingSerializer, LeaseSerializer
from review.api.serializers.requests import DraftRequest, SkipRequest, UndoRequest, read
from review.api.view import MemberCall, ReviewerView, ok
from review.api.views.assignments import TAG, TURN
from review.models import Assignment, Review
from review.services.drafts import record_look, save_draft
from review.services.leases import NotYours, renew_lease, skip
from review.services.shown_texts import is_run, read_steps
from review.services.undo import UndoRefused, undo_review


def over(turn: Assignment) -> Problem:
    """Return the refusal of what comes after the turn's end."""
    words = "You gave this item back." if turn.skipped_at else "You submitted this item."
    return Problem(HTTPStatus.GONE, words, code="skipped" if turn.skipped_at else "submitted")


class Draft(ReviewerView):
    """Unsent work."""

    @documented(
        "save_draft",
        LeaseSerializer,
        404,
        409,
        410,
        body=DraftRequest,
        parameters=TURN,
        tag=TAG,
    )
    def put(self, request: MemberCall, pk: int) -> Response:
        """Keep unsent work and renew a running lease; the review page shows it too."""
        given = read(DraftRequest, request)
        turn = own_turn(request.user.pk, pk)
        phase = phase_of(turn)
        if phase not in {"blind", "open"}:
            raise over(turn)
        if given["phase"] != phase:
            words = f"The item is in its {phase} phase: the draft is of the other."
            raise Problem(HTTPStatus.CONFLICT, words, code="phase")
        draft = {"phase": phase, "fields": given["fields"]}
        until = save_draft(assignment=turn, draft=draft, now=timezone.now())
        return ok({"leased_until": until})


class Lease(ReviewerView):
    """The lease."""

    @documented("renew_lease", LeaseSerializer, 404, 410, parameters=TURN, tag=TAG)
    def post(self, request: MemberCall, pk: int) -> Response:
        """Renew a running lease and say when it ends; one that has ended stays ended."""
        turn = own_turn(request.user.pk, pk)
        try:
            return ok({"leased_until": renew_lease(assignment=turn, now=timezone.now())})
        except NotYours as error:
            raise over(turn) from error


class Skip(ReviewerView):
    """Giving back."""

    @documented("skip", None, 404, 410, body=SkipRequest, parameters=TURN, tag=TAG, status=204)
    def post(self, request: MemberCall, pk: int) -> Response:
        """Give the item back with a reason; it goes to somebody else, and not to you again."""
        given = read(SkipRequest, request)
        turn = own_turn(request.user.pk, pk)
        try:
            skip(assignment=turn, reason=given["reason"], now=timezone.now())
        except NotYours as error:
            raise over(turn) from error
        return Response(status=HTTPStatus.NO_CONTENT)


class Undo(ReviewerView):
    """Taking a review back."""

    @documented("undo", AssignmentSerializer, 404, 409, body=UndoRequest, parameters=TURN, tag=TAG)
    def post(self, request: MemberCall, pk: int) -> Response:
        """Take your last review back, for ten minutes and while nothing rests on it."""
        given = read(UndoRequest, request)
        turn = own_turn(request.user.pk, pk)
        review = Review.objects.filter(assignment=turn, pk=given["review"]).first()
        if review is None:
            raise Problem(HTTPStatus.NOT_FOUND, "There is no such review of yours here.")
        try:
            undo_review(review=review, reviewer=request.user, now=timezone.now())
        except UndoRefused as refused:
            raise Problem(HTTPStatus.CONFLICT, refused.why, code="stands") from refused
        return ok(item_json(own_item(request.user.pk, pk)))


class WhatFollows(ReviewerView):
    """The look past the cut."""

    @documented("what_follows", FollowingSerializer, 404, 409, 410, parameters=TURN, tag=TAG)
    def post(self, request: MemberCall, pk: int) -> Response:
        """Read the asked step and all after it; the review will say that you looked."""
        turn = own_turn(request.user.pk, pk)
        phase = phase_of(turn)
        if phase == "blind":
            words = "Answer blind first, then look."
            raise Problem(HTTPStatus.CONFLICT, words, code="not_answered")
        if phase != "open":
            raise over(turn)
        if not is_run(turn.revision):
            raise Problem(HTTPStatus.NOT_FOUND, "Nothing follows: the source is no run.")
        record_look(assignment=turn)
        first = turn.revision.candidate.cut
        return ok(
            {"steps": steps_json(read_steps(turn.revision, first=first, last=None), first=first)}
        )
