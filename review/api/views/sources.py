"""Sources and their steps, for leads."""

from collections.abc import Iterable
from http import HTTPStatus

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.response import Response

from generation.models import Source, Step
from review.api.filters import SourceFilter, filtered, parameters_of
from review.api.pages import DOCUMENTED, PARAMETERS, page_of, refuse_unknown
from review.api.problems import Problem
from review.api.schema import documented, id_in_path
from review.api.serializers.records import SourceDetailSerializer, SourcePage, StepPage
from review.api.view import LeadView, MemberCall, ok
from review.services.item_access import OwnTurnOpen
from review.services.source_looks import EVERYTHING, note_look

TAG = "sources"
_FIELDS = (
    "form",
    "kind",
    "external_id",
    "digest",
    "cluster",
    "language",
    "success",
    "model",
    "licence",
    "url",
    "place",
    "imported_at",
)


def _row(source: Source) -> dict[str, object]:
    return {"id": source.pk, **{name: getattr(source, name) for name in _FIELDS}}


def _rows(sources: Iterable[Source]) -> Iterable[dict[str, object]]:
    return map(_row, sources)


def _look(request: MemberCall, source: Source, *, up_to: int) -> None:
    """Note what is about to be read of a source; not while the lead has a turn at it."""
    try:
        note_look(reader=request.user, source=source, up_to=up_to, now=timezone.now())
    except OwnTurnOpen as error:
        words = "You have a turn at a question of this source: submit or skip it first."
        raise Problem(HTTPStatus.CONFLICT, words, code="own_turn_open") from error


class Sources(LeadView):
    """All sources."""

    @documented(
        "sources",
        SourcePage,
        422,
        parameters=[*parameters_of(SourceFilter), *DOCUMENTED],
        tag=TAG,
    )
    def get(self, request: MemberCall) -> Response:
        """List imported records, without their texts."""
        return page_of(
            request, filtered(request, SourceFilter, Source.objects.only(*_FIELDS)), _rows
        )


class OneSource(LeadView):
    """A source."""

    @documented(
        "source", SourceDetailSerializer, 404, 409, parameters=[id_in_path("source")], tag=TAG
    )
    def get(self, request: MemberCall, pk: int) -> Response:
        """Read a source: its task, tools, and how it ended; its steps stand apart.

        You are given no question of it to review any more.
        """
        source = get_object_or_404(Source.objects.select_related("task", "system"), pk=pk)
        _look(request, source, up_to=EVERYTHING)
        more = {
            "task": source.task.body,
            "system": source.system.body if source.system else "",
            "tools": source.tools,
            "outcome": source.outcome,
            "notes": source.notes,
            "steps": source.steps.count(),
        }
        return ok(_row(source) | more)


class Steps(LeadView):
    """The steps of a source."""

    @documented(
        "steps",
        StepPage,
        404,
        409,
        422,
        parameters=[id_in_path("source"), *DOCUMENTED],
        tag=TAG,
    )
    def get(self, request: MemberCall, pk: int) -> Response:
        """List a run's steps by number; `after` is a step's number.

        You are given no question to review any more that asks for one of them.
        """
        refuse_unknown(request, PARAMETERS)
        source = get_object_or_404(Source, pk=pk)

        def read(rows: list[Step]) -> Iterable[dict[str, object]]:
            _look(request, source, up_to=max((row.number for row in rows), default=0))
            return map(_step, rows)

        return page_of(request, source.steps.select_related("observation"), read, key="number")


def _step(step: Step) -> dict[str, object]:
    return {
        "number": step.number,
        "thought": step.thought,
        "tool": step.tool,
        "action": step.action,
        "observation": step.observation.body,
        "arguments": step.arguments,
    }
