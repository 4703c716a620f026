"""The OpenAPI document: made once a process from the views, with the refusals that all share."""

from collections.abc import Callable
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.serializers import Serializer

from review.api.problems import PROBLEM_TYPE
from review.api.serializers.records import ProblemSerializer

_WORDS = {
    400: "The request can't be read.",
    401: "No token, or one that is unknown, revoked or expired.",
    403: "Your role or your token's scopes do not allow it.",
    404: "There is no such thing, or it is not yours.",
    406: "Only JSON is served.",
    409: "It conflicts with what is stored; `code` says how.",
    410: "The turn is over.",
    413: "The request is too large.",
    415: "Send the body as the type that is described.",
    422: "Fields break a rule; `errors` names them.",
    429: "Too many unknown tokens from your address.",
}
_ALWAYS = (400, 401, 403, 406, 429)
Success = type[Serializer[Any]] | OpenApiResponse | None


def documented(
    name: str,
    success: Success,
    *refusals: int,
    body: type[Serializer[Any]] | dict[str, Any] | None = None,
    parameters: Any = (),
    tag: str,
    status: int = 200,
    content_type: str = "application/json",
) -> Callable[[Any], Any]:
    """Return the decorator that describes an operation: what it answers, and which refusals.

    ``refusals`` come besides those that every operation has; a body adds its own. A body that is
    no JSON maps its media type to what it is.
    """
    wanted = {*_ALWAYS, *refusals, *((413, 415, 422) if body else ())}
    responses: dict[Any, Any] = {(int(status), content_type): success}
    for code in sorted(wanted):
        responses[code, PROBLEM_TYPE] = OpenApiResponse(ProblemSerializer, _WORDS[code])
    return extend_schema(
        operation_id=name,
        request=body,
        responses=responses,
        parameters=list(parameters),
        tags=[tag],
    )


def id_in_path(what: str) -> OpenApiParameter:
    """Return the description of an id in the path."""
    bounds = {"type": "integer", "minimum": 1, "maximum": 2**63 - 1}
    return OpenApiParameter("id", bounds, OpenApiParameter.PATH, description=f"The {what}'s id.")


def text_parameter(name: str, words: str, enum: list[str] | None = None) -> OpenApiParameter:
    """Return the description of a text in the query."""
    return OpenApiParameter(name, OpenApiTypes.STR, description=words, enum=enum)


@cache
def openapi() -> dict[str, Any]:
    """Return the OpenAPI document of the API; the same for everyone."""
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return document


def only_known_fields(result: dict[str, Any], **_unused: Any) -> dict[str, Any]:
    """Say of every request's body that it takes no other fields: the API refuses them."""
    for name, component in result.get("components", {}).get("schemas", {}).items():
        if name.endswith("Request"):
            component["additionalProperties"] = False
    return result
