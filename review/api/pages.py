"""Pages of long lists by key: each page costs the same, however far it is, and none is counted."""

from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import Model, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from review.api.problems import invalid

MOST = 200
USUAL = 50
_LARGEST = 2**63 - 1
PARAMETERS = ("limit", "after", "order")
DOCUMENTED = [
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL},
        description=f"Rows a page, up to {MOST}.",
    ),
    OpenApiParameter(
        "after",
        {"type": "integer", "minimum": 0, "maximum": _LARGEST},
        description="Where the page begins: taken from `next`, not made up.",
    ),
    OpenApiParameter(
        "order",
        {"type": "string", "enum": ["oldest", "newest"], "default": "oldest"},
        description="Oldest or newest rows first.",
    ),
]


def whole_number(request: Request, name: str, *, usual: int | None, low: int, high: int) -> Any:
    """Return a number of the address.

    Raises:
        Problem: it is no whole number from ``low`` to ``high`` (422).
    """
    given = request.query_params.get(name)
    if given is None:
        return usual
    if not (given.isascii() and given.isdigit() and len(given) < 20 and low <= int(given) <= high):
        raise invalid({name: f"Not a whole number from {low} to {high}."})
    return int(given)


def refuse_unknown(request: Request, known: Iterable[str]) -> None:
    """Refuse parameters that there are not: one misspelled would filter nothing.

    Raises:
        Problem: naming them (422).
    """
    unknown = sorted(set(request.query_params) - set(known))
    if unknown:
        there_are = ", ".join(sorted(known)) or "none"
        raise invalid(dict.fromkeys(unknown, f"No such parameter; there are: {there_are}."))


def page_of(
    request: Request,
    rows: QuerySet[Any],
    to_json: Callable[[list[Any]], Iterable[Any]],
    *,
    key: str = "pk",
) -> Response:
    """Return one page of ``rows`` by the unique whole number ``key``, with the next one's address.

    ``to_json`` turns the page's rows into JSON together.

    Raises:
        Problem: a parameter of the page is wrong (422).
    """
    limit = whole_number(request, "limit", usual=USUAL, low=1, high=MOST)
    after = whole_number(request, "after", usual=None, low=0, high=_LARGEST)
    order = request.query_params.get("order", "oldest")
    if order not in {"oldest", "newest"}:
        raise invalid({"order": "Either oldest or newest."})
    is_newest = order == "newest"
    if after is not None:
        rows = rows.filter(**{f"{key}__lt" if is_newest else f"{key}__gt": after})
    found = list(rows.order_by(f"-{key}" if is_newest else key)[: limit + 1])
    following = None
    if len(found) > limit:
        found.pop()
        address = request.build_absolute_uri()
        following = replace_query_param(address, "after", _key_of(found[-1], key))
    headers = {"Link": f'<{following}>; rel="next"'} if following else {}
    return Response({"results": list(to_json(found)), "next": following}, headers=headers)


def _key_of(row: Model, key: str) -> int:
    value: int = getattr(row, key)
    return value
