"""What a list of items can be filtered by: each field is, or is not, one of the values given."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import time

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import QueryDict

from generation.core.records import Language, Success
from generation.core.registry import SUBTASKS
from generation.core.subtask import Ability, Scenario
from generation.models import Candidate, CandidateState, Finding, Option, Revision
from review.filter_fields import (
    Field,
    is_right,
    last_in_week,
    moment_of,
    review_field,
    reviewed_on,
    reviews_of,
)
from review.filter_fields import (
    WrongFilter as WrongFilter,  # named here for those who ask for filters
)
from review.models import (
    BulkItem,
    BulkOutcome,
    Decision,
    Note,
    OptionVerdict,
    Question,
    RejectReason,
    ReleaseItem,
)
from review.services.item_access import openable

Rows = QuerySet[Candidate]
NOT = "not-"


def _current(**found: object) -> Exists:
    return Exists(Revision.objects.current().filter(candidate=OuterRef("pk"), **found))


def _findings(**found: object) -> Exists:
    rows = Finding.objects.filter(revision__candidate=OuterRef("pk"), revision__superseded_at=None)
    return Exists(rows.filter(**found))


def _options(**found: object) -> Exists:
    rows = Option.objects.filter(revision__candidate=OuterRef("pk"), revision__superseded_at=None)
    return Exists(rows.filter(**found))


def _verdicts(values: list[str]) -> Exists:
    rows = OptionVerdict.objects.filter(
        review__assignment__revision__candidate=OuterRef("pk"),
        review__assignment__revision__superseded_at=None,
        review__undone_at=None,
        verdict__in=values,
    )
    return Exists(rows)


def _subtasks(wanted: Callable[[str], bool]) -> Q:
    return Q(subtask__in=[name for name in SUBTASKS if wanted(name)])


def _yes(condition: Q | Exists) -> Callable[[list[str]], Q | Exists]:
    """Return the matching of a yes-or-no field; asked for both, everything matches."""

    def matching(values: list[str]) -> Q | Exists:
        if set(values) == {"yes", "no"}:
            return Q()
        return Q(condition) if "yes" in values else ~Q(condition)

    return matching


def _edited() -> Exists:
    return _current(number__gt=1)


def _actions(values: list[str]) -> Q:
    """Return whether an item is one of an action on many: ``7``, or of one outcome, ``7-left``."""
    found = Q()
    for value in values:
        number, _dash, outcome = value.partition("-")
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            msg = f"bulk: {value!r} is no number of an action such as 7 or 7-left"
            raise WrongFilter(msg)
        if outcome and outcome not in BulkOutcome.values:
            msg = f"bulk: {outcome!r} is none of {', '.join(BulkOutcome.values)}"
            raise WrongFilter(msg)
        items = BulkItem.objects.filter(bulk=int(number))
        found |= Q(pk__in=(items.filter(outcome=outcome) if outcome else items).values("candidate"))
    return found


FIELDS: Mapping[str, Field] = {
    "state": Field(lambda values: Q(state__in=values), lambda: list(CandidateState.values)),
    "subtask": Field(lambda values: Q(subtask__in=values), lambda: list(SUBTASKS)),
    "scenario": Field(
        lambda values: _subtasks(lambda name: SUBTASKS[name].scenario in values),
        lambda: list(Scenario),
    ),
    "ability": Field(
        lambda values: _subtasks(lambda name: SUBTASKS[name].ability in values),
        lambda: list(Ability),
    ),
    "language": Field(lambda values: Q(source__language__in=values), lambda: list(Language)),
    "source": Field(lambda values: Q(source__kind__in=values)),
    "cluster": Field(lambda values: Q(source__cluster__in=values)),
    "external_id": Field(lambda values: Q(source__external_id__in=values)),
    "model": Field(lambda values: Q(source__model__in=values)),
    "success": Field(lambda values: Q(source__success__in=values), lambda: list(Success)),
    "finding": Field(lambda values: _findings(kind__in=values), biases=True),
    "severity": Field(
        lambda values: _findings(severity__in=values), lambda: ["1", "2", "3"], biases=True
    ),
    "operator": Field(lambda values: _options(operator__in=values), biases=True),
    "option_model": Field(lambda values: _options(model__in=values), biases=True),
    "decision": review_field(lambda values: Q(decision__in=values), *Decision.values),
    "reason": review_field(lambda values: Q(reject_reason__in=values), *RejectReason.values),
    "verdict": Field(_verdicts, lambda: list(_verdict_values()), biases=True),
    "reviewer": review_field(
        lambda values: Q(assignment__reviewer__username__in=values),
    ),
    "also": Field(
        lambda values: reviews_of(Q(assignment__reviewer__username__in=values)), biases=True
    ),
    "right": review_field(is_right, "yes", "no"),
    "confidence": review_field(
        lambda values: Q(assignment__blind_answer__confidence__in=values), *range(1, 6)
    ),
    "well_specified": review_field(lambda values: Q(well_specified__in=values), *range(4)),
    "gold_quality": review_field(lambda values: Q(gold_quality__in=values), *range(4)),
    "on": review_field(reviewed_on),
    "week": Field(last_in_week, biases=True),
    "author": Field(lambda values: _current(author__username__in=values)),
    "reviewed": Field(_yes(reviews_of()), lambda: ["yes", "no"], biases=True),
    "edited": Field(_yes(_edited()), lambda: ["yes", "no"]),
    "control": Field(_yes(Q(is_control=True)), lambda: ["yes", "no"]),
    "note": Field(
        _yes(Exists(Note.objects.filter(revision__candidate=OuterRef("pk")))), lambda: ["yes", "no"]
    ),
    "question": Field(
        _yes(
            Exists(
                Question.objects.filter(
                    assignment__revision__candidate=OuterRef("pk"), answered_at=None
                )
            )
        ),
        lambda: ["yes", "no"],
    ),
    "release": Field(
        lambda values: Exists(
            ReleaseItem.objects.filter(
                revision__candidate=OuterRef("pk"), release__version__in=values
            )
        )
    ),
    "bulk": Field(_actions),
}
"""Every filter by its name in addresses; ``not-`` before a name turns it round."""


def _verdict_values() -> Iterator[str]:
    yield from ("valid", "also_correct", "too_easy", "malformed", "duplicate")


def leaves_out(asked: QueryDict) -> bool:
    """Return whether an address asks for what biases, so that some items are left out."""
    return any(
        field.biases and any(asked.getlist(name) + asked.getlist(NOT + name))
        for name, field in FIELDS.items()
    )


def filtered(rows: Rows, asked: QueryDict, *, lead: User) -> Rows:
    """Return the rows that match all filters of an address.

    Beside ``FIELDS`` there are ``q`` (words in the item's own texts), ``since`` and ``until``
    (ISO dates of when the item was made, both included). By what biases only those rows are
    looked for that ``lead`` may not review any more.

    Raises:
        WrongFilter: a value that its field can't have, a date that is none, or a NUL character.
    """
    _refuse_nul(asked)
    if leaves_out(asked):
        rows = rows.filter(pk__in=openable(lead).values("pk"))
    of_one_review: list[Q] = []
    for name, field in FIELDS.items():
        if values := _values(asked, name, field):
            if field.of_review:
                of_one_review.append(field.of_review(values))
            else:
                rows = rows.filter(field.matching(values))
        if values := _values(asked, NOT + name, field):
            rows = rows.exclude(field.matching(values))
    if of_one_review:
        rows = rows.filter(reviews_of(*of_one_review))
    if since := asked.get("since", "").strip():
        rows = rows.filter(created_at__gte=moment_of("since", since, time.min))
    if until := asked.get("until", "").strip():
        rows = rows.filter(created_at__lte=moment_of("until", until, time.max))
    if words := asked.get("q", "").strip():
        rows = rows.filter(_holds(words, lead))
    return rows


def _refuse_nul(asked: QueryDict) -> None:
    """Refuse what PostgreSQL fails at: forms may hold a NUL character, addresses never do."""
    for name, values in asked.lists():
        if any("\0" in value for value in values):
            msg = f"{name}: it holds a NUL character"
            raise WrongFilter(msg)


def _values(asked: QueryDict, name: str, field: Field) -> list[str]:
    values = [value for value in asked.getlist(name) if value]
    if field.known:
        known = field.known()
        for value in values:
            if value not in known:
                msg = f"{name}: {value!r} is none of {', '.join(known)}"
                raise WrongFilter(msg)
    return values


def _holds(words: str, lead: User) -> Q:
    """Return whether the words stand in the item's own texts, its options or its source's name.

    Slots and gold are stored as ASCII JSON, so the words are looked for in that form there; in
    gold only where the lead may read it.
    """
    written = json.dumps(words, ensure_ascii=True)[1:-1]
    gold = Q(_current(gold__icontains=written)) & Q(pk__in=openable(lead).values("pk"))
    own = Q(_current(slots__icontains=written)) | Q(_options(text__icontains=words))
    return gold | own | Q(source__external_id__icontains=words)
