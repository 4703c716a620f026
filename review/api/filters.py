"""Filters of the lists: every field, several at once; a wrong value is refused by name."""

from collections.abc import Iterable
from typing import Any, TypeVar

import django_filters as filters
from django import forms
from django.db.models import Exists, Model, OuterRef, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from generation.core.registry import SUBTASKS
from generation.core.subtask import Ability, Scenario
from generation.models import Candidate, CandidateState, Finding, Revision, Source, SourceForm
from generation.models.source import LANGUAGES, SUCCESSES
from review.api.pages import PARAMETERS, refuse_unknown
from review.api.problems import invalid
from review.models import Decision, Purpose, RejectReason, Review
from review.services.item_access import openable

M = TypeVar("M", bound=Model)
_LARGEST = 2**63 - 1
_SHAPES: dict[str, dict[str, Any]] = {
    "date": {"type": "string", "format": "date"},
    "bool": {"type": "string", "enum": ["true", "false"]},
    "number": {"type": "integer", "minimum": 0, "maximum": _LARGEST},
    "text": {"type": "string", "maxLength": 200, "minLength": 1},
}


class Whole(forms.IntegerField):
    """A whole number that both databases can compare with."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, max_value=_LARGEST, **options)


class WholeFilter(filters.Filter):
    """A filter by a whole number."""

    field_class = Whole


class YesNo(forms.TypedChoiceField):
    """``true`` or ``false``; any other word is refused, not taken for neither."""

    def __init__(self, **options: Any) -> None:
        options.pop("null_label", None)
        choices = [("true", "true"), ("false", "false")]
        super().__init__(choices=choices, coerce="true".__eq__, empty_value=None, **options)


class YesNoFilter(filters.Filter):
    """A filter by yes or no."""

    field_class = YesNo


class TextFilter(filters.CharFilter):
    """A filter by text of up to 200 characters."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, max_length=200, **options)


def one_of(values: Iterable[str], field: str, **options: Any) -> filters.Filter:
    """Return a filter by any of several words: the parameter may come more than once."""
    choices = [(value, value) for value in values]
    return filters.MultipleChoiceFilter(field_name=field, choices=choices, **options)


def _days(field: str) -> tuple[filters.Filter, filters.Filter]:
    return (
        filters.DateFilter(field_name=field, lookup_expr="date__gte"),
        filters.DateFilter(field_name=field, lookup_expr="date__lte"),
    )


def _subtasks_of(kind: str, values: list[str]) -> list[str]:
    return [name for name, one in SUBTASKS.items() if str(getattr(one, kind)) in values]


class SourceFilter(filters.FilterSet):
    """Sources by all that is known of them."""

    form = one_of(SourceForm.values, "form")
    kind = TextFilter()
    external_id = TextFilter()
    cluster = TextFilter()
    language = one_of([code for code, _name in LANGUAGES], "language")
    success = one_of([value for value, _name in SUCCESSES], "success")
    model = TextFilter()
    licence = TextFilter()
    imported_from, imported_to = _days("imported_at")

    class Meta:
        model = Source
        fields: list[str] = []


class CandidateFilter(filters.FilterSet):
    """Questions by their own fields, those of their source, and findings of the current text.

    Filters by findings leave out what the lead may still review: who matches would tell of them.
    """

    subtask = one_of(SUBTASKS, "subtask")
    scenario = one_of([str(s) for s in Scenario], "subtask", method="by_scenario")
    ability = one_of([str(a) for a in Ability], "subtask", method="by_ability")
    state = one_of(CandidateState.values, "state")
    language = one_of([code for code, _name in LANGUAGES], "source__language")
    source = WholeFilter(field_name="source_id")
    source_kind = TextFilter(field_name="source__kind")
    cluster = TextFilter(field_name="source__cluster")
    success = one_of([value for value, _name in SUCCESSES], "source__success")
    cut = WholeFilter()
    cut_from = WholeFilter(field_name="cut", lookup_expr="gte")
    cut_to = WholeFilter(field_name="cut", lookup_expr="lte")
    is_control = YesNoFilter()
    created_from, created_to = _days("created_at")
    revision_from = WholeFilter(method="by_revision")
    is_edited = YesNoFilter(method="by_author")
    finding = TextFilter(method="by_finding")
    severity_from = WholeFilter(method="by_severity")
    has_findings = YesNoFilter(method="by_findings")

    class Meta:
        model = Candidate
        fields: list[str] = []

    def by_scenario(self, rows: QuerySet[Candidate], _name: str, values: list[str]) -> Any:
        """Return those of the scenarios."""
        return rows.filter(subtask__in=_subtasks_of("scenario", values)) if values else rows

    def by_ability(self, rows: QuerySet[Candidate], _name: str, values: list[str]) -> Any:
        """Return those of the abilities."""
        return rows.filter(subtask__in=_subtasks_of("ability", values)) if values else rows

    def by_revision(self, rows: QuerySet[Candidate], _name: str, value: int) -> Any:
        """Return those whose current revision has that number at least."""
        return rows.filter(Exists(_current().filter(number__gte=value)))

    def by_author(self, rows: QuerySet[Candidate], _name: str, value: bool) -> Any:
        """Return those whose current text a person wrote, or did not."""
        found = Exists(_current().filter(author__isnull=False))
        return rows.filter(found if value else ~found)

    def by_finding(self, rows: QuerySet[Candidate], _name: str, value: str) -> Any:
        """Return those with a finding of that kind."""
        return self._opened(rows).filter(Exists(_findings().filter(kind=value)))

    def by_severity(self, rows: QuerySet[Candidate], _name: str, value: int) -> Any:
        """Return those with a finding of that severity at least."""
        return self._opened(rows).filter(Exists(_findings().filter(severity__gte=value)))

    def by_findings(self, rows: QuerySet[Candidate], _name: str, value: bool) -> Any:
        """Return those with any finding, or with none."""
        found = Exists(_findings())
        return self._opened(rows).filter(found if value else ~found)

    def _opened(self, rows: QuerySet[Candidate]) -> QuerySet[Candidate]:
        return rows.filter(pk__in=openable(self.request.user).values("pk"))


def _current() -> QuerySet[Revision]:
    return Revision.objects.filter(candidate=OuterRef("pk"), superseded_at=None)


def _findings() -> QuerySet[Finding]:
    return Finding.objects.order_by().filter(
        revision__candidate=OuterRef("pk"), revision__superseded_at=None
    )


class FindingFilter(filters.FilterSet):
    """Findings by what they say and what they are about."""

    kind = TextFilter()
    severity = WholeFilter()
    severity_from = WholeFilter(field_name="severity", lookup_expr="gte")
    field = TextFilter()
    candidate = WholeFilter(field_name="revision__candidate_id")
    subtask = one_of(SUBTASKS, "revision__candidate__subtask")
    is_current = YesNoFilter(method="by_current")

    class Meta:
        model = Finding
        fields: list[str] = []

    def by_current(self, rows: QuerySet[Finding], _name: str, value: bool) -> Any:
        """Return those of current revisions, or of superseded ones."""
        return rows.filter(revision__superseded_at__isnull=value)


class ReviewFilter(filters.FilterSet):
    """Reviews by what they say and what they are of."""

    candidate = WholeFilter(field_name="assignment__revision__candidate_id")
    subtask = one_of(SUBTASKS, "assignment__revision__candidate__subtask")
    language = one_of(
        [code for code, _name in LANGUAGES], "assignment__revision__candidate__source__language"
    )
    decision = one_of(Decision.values, "decision")
    reject_reason = one_of(RejectReason.values, "reject_reason")
    is_counted = YesNoFilter()
    is_undone = YesNoFilter(method="by_undone")
    matches_gold = YesNoFilter(field_name="assignment__blind_answer__matches_gold")
    created_from, created_to = _days("created_at")

    class Meta:
        model = Review
        fields: list[str] = []

    def by_undone(self, rows: QuerySet[Review], _name: str, value: bool) -> Any:
        """Return those taken back, or those that stand."""
        return rows.filter(undone_at__isnull=not value)


class LeadReviewFilter(ReviewFilter):
    """Reviews also by what their turn was for: a reviewer must not learn what is a control item."""

    purpose = one_of(Purpose.values, "assignment__purpose")


def filtered(request: Request, chosen: type[filters.FilterSet], rows: QuerySet[M]) -> QuerySet[M]:
    """Return the rows that the address asks for.

    Raises:
        Problem: a parameter that there is not, or a value that it can't have (422).
    """
    refuse_unknown(request, [*chosen.base_filters, *PARAMETERS])
    empty = [name for name, values in request.query_params.lists() if "" in values]
    if empty:
        raise invalid(dict.fromkeys(empty, "Give a value, or leave it out."))
    found = chosen(request.query_params, queryset=rows, request=request)
    if not found.is_valid():
        raise invalid({name: " ".join(map(str, why)) for name, why in found.errors.items()})
    result: QuerySet[M] = found.qs
    return result


def parameters_of(chosen: type[filters.FilterSet]) -> list[OpenApiParameter]:
    """Return the description of a list's filters."""
    return [_parameter(name, one) for name, one in chosen.base_filters.items()]


def _parameter(name: str, one: Any) -> OpenApiParameter:
    words = name.replace("_", " ").capitalize() + "."
    match one:
        case filters.MultipleChoiceFilter():
            values = [value for value, _word in one.extra["choices"]]
            return OpenApiParameter(name, str, many=True, enum=values, description=words)
        case filters.DateFilter():
            shape = _SHAPES["date"]
        case YesNoFilter():
            shape = _SHAPES["bool"]
        case WholeFilter():
            shape = _SHAPES["number"]
        case _:
            shape = _SHAPES["text"]
    return OpenApiParameter(name, shape, description=words)
