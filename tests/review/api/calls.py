"""Calls the API as a program does: with a token, JSON in and out."""

from collections.abc import Collection, Mapping
from itertools import count
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.http.response import HttpResponseBase
from django.test import Client
from django.utils import timezone

from generation.core.labels import label_of
from review.models import Assignment
from review.services.gold import gold_positions
from review.services.labels import labels_of
from review.services.reviews import asked_of
from review.services.tokens import make_token, scopes_for

ROOT = "/api/v1"
_serial = count(1)


class Caller:
    """A program with a token of ``user``; without one where ``secret`` is empty."""

    def __init__(self, user: User | None, scopes: Collection[str] | None = None) -> None:
        self.client = Client(raise_request_exception=True)
        self.secret = ""
        if user:
            _token, self.secret = make_token(
                user=user,
                name=f"tests {next(_serial)}",
                scopes=scopes or scopes_for(user),
                days=1,
                now=timezone.now(),
            )

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        content_type: str = "application/json",
    ) -> HttpResponseBase:
        """Send a request; a body that is no bytes goes as JSON."""
        own = {"authorization": f"Bearer {self.secret}"} if self.secret else {}
        data: Any = body if body is not None else b""
        if isinstance(data, bytes):
            address = path if path.startswith("/") else f"{ROOT}/{path}"
            return self.client.generic(
                method.upper(), address, data, content_type, headers=own | dict(headers or {})
            )
        answer: HttpResponseBase = getattr(self.client, method)(
            path if path.startswith("/") else f"{ROOT}/{path}",
            data,
            content_type=content_type,
            headers=own | dict(headers or {}),
        )
        return answer

    def get(self, path: str, **more: Any) -> Any:
        own = {"authorization": f"Bearer {self.secret}"} if self.secret else {}
        headers = own | dict(more.pop("headers", {}))
        address = path if path.startswith("/") else f"{ROOT}/{path}"
        return self.client.get(address, more or None, headers=headers)

    def post(self, path: str, body: Any = None, **more: Any) -> Any:
        return self.send("post", path, body, **more)

    def put(self, path: str, body: Any = None, **more: Any) -> Any:
        return self.send("put", path, body, **more)


def label_at(turn: Assignment, position: int) -> str:
    """The label under which the turn's reviewer sees the option at a given-order position."""
    return labels_of(turn, turn.revision.options.count()).label_at(position)


def blind_body(turn: Assignment, *, right: bool = True, **changes: Any) -> dict[str, Any]:
    """The body of a blind answer to a choice item."""
    gold = gold_positions(turn.revision)[0]
    position = gold if right else (gold + 1) % turn.revision.options.count()
    return {"labels": [label_at(turn, position)], "confidence": 4, "active_seconds": 9} | changes


def review_body(turn: Assignment, **changes: Any) -> dict[str, Any]:
    """The body of a review that approves and dismisses every finding."""
    asked = asked_of(turn.revision)
    return {
        "form_key": str(uuid4()),
        "decision": "approve",
        "well_specified": 0,
        "gold_quality": 0,
        "options": {label_at(turn, position): "valid" for position in asked.distractors},
        "findings": [
            {"finding": pk, "verdict": "dismissed", "word": "harmless"} for pk in asked.findings
        ],
        "active_seconds": 30.5,
    } | changes


def both_body(turn: Assignment, *, right: bool = True, **changes: Any) -> dict[str, Any]:
    """The body of a blind answer and a review stated together: all options are judged."""
    options = {label_of(index): "valid" for index in range(turn.revision.options.count())}
    review = review_body(turn, options=options, findings=[], **changes)
    return {"blind": blind_body(turn, right=right), "review": review}
