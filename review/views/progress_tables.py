"""The columns of the progress page's tables, from the stored result, and their files."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import QueryDict, StreamingHttpResponse
from django.utils.translation import gettext_lazy as _

from review.forms import VERDICTS
from review.models import Profile
from review.services.votes import pseudonym
from review.views.item_words import STATES
from review.views.tables import FILE, Column, Table


def _of(name: str) -> Callable[[Any], Any]:
    return lambda row: row[name]


def _in(outer: str, name: str) -> Callable[[Any], Any]:
    return lambda row: row[outer].get(name, 0)


CANDIDATES = Table(
    "candidates",
    (
        Column("subtask", _("subtask"), _of("subtask")),
        Column("language", _("language"), _of("language")),
        *(
            Column(str(state), word, _in("states", str(state)), is_number=True)
            for state, word in STATES.items()
        ),
        Column("all", _("all"), _of("all"), is_number=True),
    ),
    anchor="states-title",
)
_NUMBERS_OF_PEOPLE = (
    Column("reviews", _("reviews"), _of("reviews"), is_number=True),
    Column("week", _("last 7 days"), _of("week"), is_number=True),
    Column("open", _("open turns"), _of("open"), is_number=True),
    Column("seconds", _("median active time"), _of("seconds"), is_number=True),
    Column(
        "flags",
        _("to look at (advisory)"),
        lambda person: [flag["flag"] for flag in person["flags"]],
        is_sortable=False,
    ),
)
REVIEWERS = Table(
    "reviewers",
    (Column("name", _("reviewer"), _of("name")), *_NUMBERS_OF_PEOPLE),
    anchor="people-title",
)
OPERATORS = Table(
    "operators",
    (
        Column("operator", _("operator"), _of("operator")),
        Column("model", _("model"), _of("model")),
        Column("all", _("verdicts (n)"), _of("all"), is_number=True),
        *(
            Column(value, word, _in("verdicts", value), is_number=True)
            for value, word, _key, _meaning in VERDICTS
        ),
    ),
    anchor="operators-title",
)
COST = Table(
    "cost",
    (
        Column("model", _("model"), _of("model")),
        Column("operator", _("operator"), _of("operator")),
        Column("calls", _("calls"), _of("calls"), is_number=True),
        Column("failed", _("failed"), _of("failed"), is_number=True),
        Column("prompt_tokens", _("prompt tokens"), _of("prompt_tokens"), is_number=True),
        Column("completion_tokens", _("answer tokens"), _of("completion_tokens"), is_number=True),
        Column("usd", "USD", _of("usd"), is_number=True),
    ),
    anchor="cost-title",
)


def progress_file(asked: QueryDict, data: Mapping[str, Any]) -> StreamingHttpResponse | None:
    """Return the file that an address asks for, None where it asks for none."""
    return (
        CANDIDATES.file(asked, data["states"])
        or _file_of_reviewers(asked, data["people"])
        or OPERATORS.file(asked, data["operators"])
        or COST.file(asked, data["cost"])
    )


def _file_of_reviewers(
    asked: QueryDict, people: list[dict[str, Any]]
) -> StreamingHttpResponse | None:
    """Return the table of people with pseudonyms for names; nothing where a key is not known."""
    if FILE + REVIEWERS.name not in asked:
        return None
    keys = dict(Profile.objects.values_list("user__username", "user_id"))
    name = Column(
        "name",
        _("reviewer"),
        _of("name"),
        in_file=lambda person: pseudonym(keys[person["name"]]) if person["name"] in keys else None,
    )
    return Table(REVIEWERS.name, (name, *_NUMBERS_OF_PEOPLE)).file(asked, people)
