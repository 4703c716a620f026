"""Sources and their steps, for leads."""

from collections.abc import Iterable
from http import HTTPStatus

from django.shortcuts import get_object_or_404
from rest_framework.response import Response

from generation.models import Source, Step
from review.api.filters import SourceFilter, filtered, parameters_of
from review.api.pages import DOCUMENTED, PARAMETERS, page_of, refuse_unknown
from review.api.problems import Problem
from review.api.schema import documented, id_in_path
from review.api.serializers.records import SourceDetailSerializer, SourcePage, StepPage
from review.api.view import LeadView, MemberCall, ok
from review.services.item_access import open_turns

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


def _readable(request: MemberCall, pk: int) -> Source:
    """Return the source with its texts; not while the lead has a turn at a question of it."""
    source = get_object_or_404(Source.objects.select_related("task", "system"), pk=pk)
    if open_turns(request.user).filter(revision__candidate__source=source).exists():
        words = "You have a turn at a question of this source: submit or skip it first."
        raise Problem(HTTPStatus.CONFLICT, words, code="own_turn_open")
    return source


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
        """Read a source: its task, tools, and how it ended; its steps stand apart."""
        source = _readable(request, pk)
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
        """List a run's steps by number; `after` is a step's number."""
        refuse_unknown(request, PARAMETERS)
        steps = _readable(request, pk).steps.select_related("observation")
        return page_of(request, steps, lambda rows: map(_step, rows), key="number")


def _step(step: Step) -> dict[str, object]:
    return {
        "number": step.number,
        "thought": step.thought,
        "tool": step.tool,
        "action": step.action,
        "observation": step.observation.body,
        "arguments": step.arguments,
    }
