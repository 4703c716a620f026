"""Edits: of the item of one's own turn, and by leads."""

from http import HTTPStatus

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.response import Response

from generation.models import Candidate
from review.api.access import require_openable
from review.api.edits import EDIT_PROBLEMS, edit_problem, read_edit
from review.api.item import own_turn
from review.api.problems import Problem, invalid
from review.api.schema import documented
from review.api.serializers.records import EditedSerializer
from review.api.serializers.requests import EditRequest, TurnEditRequest, read
from review.api.view import LeadView, MemberCall, ReviewerView, ok
from review.api.views.assignments import TAG, TURN
from review.api.views.candidates import CANDIDATE
from review.services.edit_reviews import Judged, edit_turn, sent_before, why_no_edit
from review.services.editing import NotEditable, edit_item


class TurnEdit(ReviewerView):
    """The edit of a turn's item."""

    @documented(
        "edit_own_item",
        EditedSerializer,
        404,
        409,
        body=TurnEditRequest,
        parameters=TURN,
        tag=TAG,
        status=HTTPStatus.CREATED,
    )
    def post(self, request: MemberCall, pk: int) -> Response:
        """Edit the item that you answered blind: your review is the edit.

        The next revision goes to other people. Labels are those that you see.
        """
        given = read(TurnEditRequest, request)
        turn = own_turn(request.user.pk, pk)
        try:
            stored = sent_before(turn, given["form_key"])
        except NotEditable as refused:
            raise Problem(HTTPStatus.CONFLICT, refused.why, code="not_editable") from refused
        if stored:
            return ok({"review": stored.pk, "revision": None}, HTTPStatus.CREATED)
        # Before anything is read: refusals of an edit tell of gold.
        if why := why_no_edit(turn):
            raise Problem(HTTPStatus.CONFLICT, why, code="not_editable")
        if given["revision"] != turn.revision.number:
            raise invalid({"revision": f"Your turn is at revision {turn.revision.number}."})
        sent = read_edit(turn.revision.candidate_id, given, reader=request.user.pk)
        try:
            review = edit_turn(
                assignment=turn,
                editing=sent.editing,
                edit=sent.edit,
                judged=Judged(
                    given["well_specified"], given["gold_quality"], given["active_seconds"]
                ),
                form_key=given["form_key"],
                now=timezone.now(),
            )
        except EDIT_PROBLEMS as error:
            raise edit_problem(error, sent) from error
        return ok({"review": review.pk, "revision": None}, HTTPStatus.CREATED)


class CandidateEdit(LeadView):
    """A lead's edit."""

    @documented(
        "edit_candidate",
        EditedSerializer,
        404,
        409,
        body=EditRequest,
        parameters=CANDIDATE,
        tag="candidates",
        status=HTTPStatus.CREATED,
    )
    def post(self, request: MemberCall, pk: int) -> Response:
        """Edit an item that you may read whole; what it had settled is in review again."""
        given = read(EditRequest, request)
        get_object_or_404(Candidate, pk=pk)
        require_openable(request.user, pk)
        sent = read_edit(pk, given, reader=request.user.pk)
        try:
            new = edit_item(
                lead=request.user, editing=sent.editing, edit=sent.edit, now=timezone.now()
            )
        except EDIT_PROBLEMS as error:
            raise edit_problem(error, sent) from error
        return ok({"review": None, "revision": new.number}, HTTPStatus.CREATED)
