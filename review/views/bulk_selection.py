"""Which items an action on many is for: those ticked, or all that the filter of an address finds."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import QueryDict

from generation.models import Candidate
from review.filters import FIELDS, NOT, WrongFilter, filtered

ALL, ITEM = "all", "item"
_MOST_TICKED = 2_000
_NAMES = frozenset([*FIELDS, *(NOT + name for name in FIELDS), "q", "since", "until"])


@dataclass(frozen=True, slots=True)
class Selection:
    """The rows chosen, and the fields that stand for them in a form."""

    rows: QuerySet[Candidate]
    is_all: bool
    fields: list[tuple[str, str]]
    query: str


def filters_of(asked: QueryDict) -> QueryDict:
    """Return an address's filters alone, without its page, order and what is ticked."""
    found = QueryDict(mutable=True)
    for name in asked:
        if name in _NAMES and any(asked.getlist(name)):
            found.setlist(name, [value for value in asked.getlist(name) if value])
    return found


def selection_of(asked: QueryDict, *, lead: User) -> Selection:
    """Return what an address or a form chooses; nothing is a choice too.

    Raises:
        WrongFilter: a filter that can't be used, or what is ticked is no number of an item.
    """
    filters = filters_of(asked)
    if asked.get(ALL):
        rows = filtered(Candidate.objects.all(), filters, lead=lead)
        fields = [(name, value) for name, values in filters.lists() for value in values]
        return Selection(rows, True, [(ALL, "1"), *fields], filters.urlencode())
    ticked = asked.getlist(ITEM)
    keys = [int(key) for key in ticked if key.isascii() and key.isdigit() and len(key) < 19]
    if len(keys) != len(ticked) or len(keys) > _MOST_TICKED:
        msg = f"{ITEM}: numbers of items, at most {_MOST_TICKED}"
        raise WrongFilter(msg)
    rows = Candidate.objects.filter(pk__in=keys)
    return Selection(rows, False, [(ITEM, str(key)) for key in keys], filters.urlencode())
