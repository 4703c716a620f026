"""Notes on an item, and questions to a lead, in one's own turn."""

from http import HTTPStatus
from typing import Any

from django.utils import timezone
from rest_framework.response import Response

from review.api.item import own_turn
from review.api.problems import Problem
from review.api.schema import documented
from review.api.serializers.records import (
    NoteListSerializer,
    NoteSerializer,
    QuestionListSerializer,
    QuestionSerializer,
)
from review.api.serializers.requests import TextRequest, read
from review.api.view import MemberCall, ReviewerView, ok
from review.api.views.assignments import TAG, TURN
from review.models import Note, Question
from review.services.remarks import (
    RemarkRefused,
    add_note,
    ask_lead,
    note_answers_seen,
    own_notes,
    questions_of,
)


def _note(note: Note) -> dict[str, Any]:
    return {"id": note.pk, "text": note.text, "created_at": note.created_at}


def _question(question: Question) -> dict[str, Any]:
    return {
        "id": question.pk,
        "text": question.text,
        "asked_at": question.asked_at,
        "answer": question.answer,
        "answered_at": question.answered_at,
    }


class Notes(ReviewerView):
    """The caller's notes on an item."""

    @documented("notes", NoteListSerializer, 404, parameters=TURN, tag=TAG)
    def get(self, request: MemberCall, pk: int) -> Response:
        """List your own notes on the item."""
        turn = own_turn(request.user.pk, pk)
        notes = own_notes(turn.revision, request.user)
        return ok({"results": [_note(note) for note in notes]})

    @documented(
        "add_note",
        NoteSerializer,
        404,
        409,
        body=TextRequest,
        parameters=TURN,
        tag=TAG,
        status=HTTPStatus.CREATED,
    )
    def post(self, request: MemberCall, pk: int) -> Response:
        """Leave a note on the item: you and leads read it, other reviewers never do."""
        given = read(TextRequest, request)
        turn = own_turn(request.user.pk, pk)
        try:
            note = add_note(revision=turn.revision, author=request.user, text=given["text"])
        except RemarkRefused as refused:
            raise Problem(HTTPStatus.CONFLICT, refused.why, code="refused") from refused
        note.refresh_from_db()
        return ok(_note(note), HTTPStatus.CREATED)


class Questions(ReviewerView):
    """The caller's questions about an item."""

    @documented("questions", QuestionListSerializer, 404, parameters=TURN, tag=TAG)
    def get(self, request: MemberCall, pk: int) -> Response:
        """List what you asked about the item, with the answers."""
        turn = own_turn(request.user.pk, pk)
        questions = list(questions_of(turn))
        note_answers_seen(questions, now=timezone.now())
        return ok({"results": [_question(question) for question in questions]})

    @documented(
        "ask",
        QuestionSerializer,
        404,
        409,
        body=TextRequest,
        parameters=TURN,
        tag=TAG,
        status=HTTPStatus.CREATED,
    )
    def post(self, request: MemberCall, pk: int) -> Response:
        """Ask a lead: the item is parked, and held for you, until the answer."""
        given = read(TextRequest, request)
        turn = own_turn(request.user.pk, pk)
        try:
            question = ask_lead(assignment=turn, text=given["text"], now=timezone.now())
        except RemarkRefused as refused:
            raise Problem(HTTPStatus.CONFLICT, refused.why, code="refused") from refused
        question.refresh_from_db()
        return ok(_question(question), HTTPStatus.CREATED)
