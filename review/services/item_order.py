"""Sorts the items of a list by a column, for leads: as keys, of which a page is read at a time."""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db.models import Count, F, OuterRef, QuerySet, Subquery

from generation.models import Candidate, Finding, Revision
from review.models import Review
from review.services.item_access import openable

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "number": ("pk",),
    "subtask": ("subtask", "pk"),
    "state": ("state", "pk"),
    "source": ("source__kind", "source__external_id", "cut", "pk"),
    "step": ("cut", "pk"),
    "language": ("source__language", "pk"),
    "revision": ("revision_number", "pk"),
}


def keys_in_order(
    rows: QuerySet[Candidate], order: str, *, lead: User, at_once: bool = False
) -> QuerySet[Candidate, int] | list[int]:
    """Return the keys of items sorted by a column, downwards where ``order`` begins with a minus.

    By number where there is no such column. What the lead may not know of an item has no part in
    the order: by reviews or findings such items come last. ``at_once`` reads all keys in one query,
    where the items are found so slowly that none should be looked for twice.
    """
    name, is_down = order.removeprefix("-"), order.startswith("-")
    if name in ("reviews", "findings"):
        counts = _reviews() if name == "reviews" else _findings()
        return _by_counts(rows, counts, is_down=is_down, lead=lead)
    if name == "revision":
        current = Revision.objects.current().filter(candidate=OuterRef("pk"))
        rows = rows.annotate(revision_number=Subquery(current.values("number")))
    fields = [F(field) for field in _FIELDS.get(name, _FIELDS["number"])]
    ways = [each.desc(nulls_last=True) if is_down else each.asc(nulls_last=True) for each in fields]
    keys = rows.order_by(*ways).values_list("pk", flat=True)
    return list(keys) if at_once else keys


def _by_counts(
    rows: QuerySet[Candidate], counts: Mapping[int, int], *, is_down: bool, lead: User
) -> list[int]:
    """Return the keys by counts; here, since databases would count for every item by itself."""
    known = set(openable(lead).values_list("pk", flat=True))
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    told = [key for key in keys if key in known]
    told.sort(key=lambda key: counts.get(key, 0), reverse=is_down)
    return told + [key for key in keys if key not in known]


def _reviews() -> dict[int, int]:
    """Return the number of standing reviews of the current revision, by item that has some."""
    rows = Review.objects.filter(assignment__revision__superseded_at=None, undone_at=None)
    counted = rows.order_by().values_list("assignment__revision__candidate")
    return dict(counted.annotate(n=Count("pk")))


def _findings() -> dict[int, int]:
    """Return the number of findings of the current revision, by item that has some."""
    rows = Finding.objects.filter(revision__superseded_at=None)
    return dict(rows.order_by().values_list("revision__candidate").annotate(n=Count("pk")))
