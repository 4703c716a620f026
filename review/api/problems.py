"""Errors of the API, all of one form: a problem document after RFC 9457."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

import orjson
from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.views import defaults
from rest_framework import exceptions
from rest_framework.response import Response

PROBLEM_TYPE = "application/problem+json"
API_ROOT = "/api/"


class Problem(exceptions.APIException):
    """An error for the caller: status, a sentence, a fixed code, sentences by field."""

    def __init__(
        self,
        status: HTTPStatus,
        detail: str,
        *,
        code: str = "",
        errors: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(detail)
        self.status_code = int(status)
        self.sentence = detail
        self.code = code
        self.errors = dict(errors or {})
        self.headers = dict(headers or {})
        self.more = more


def body_of(
    status: int,
    detail: str,
    *,
    code: str = "",
    errors: Mapping[str, str] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return a problem document: type, title, status and detail; code and errors where given."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if code:
        body["code"] = code
    if errors:
        body["errors"] = [{"field": name, "detail": why} for name, why in errors.items()]
    return body | more


def plain_problem(status: HTTPStatus, detail: str) -> HttpResponse:
    """Return a problem for what is refused outside of any view of the API."""
    return HttpResponse(
        orjson.dumps(body_of(status, detail)),
        status=status,
        content_type=PROBLEM_TYPE,
        headers={"Cache-Control": "no-store"},
    )


def handle(error: Exception, _context: Mapping[str, Any]) -> Response | None:
    """Return the problem that an exception in a view is; None for a fault of our own."""
    problem = _as_problem(error)
    if problem is None:
        return None
    body = body_of(
        problem.status_code,
        problem.sentence,
        code=problem.code,
        errors=problem.errors,
        **problem.more,
    )
    return Response(
        body, status=problem.status_code, headers=problem.headers, content_type=PROBLEM_TYPE
    )


def _as_problem(error: Exception) -> Problem | None:
    match error:
        case Problem():
            return error
        case Http404() | exceptions.NotFound():
            return Problem(HTTPStatus.NOT_FOUND, "There is no such thing, or it is not yours.")
        case exceptions.ValidationError():
            return invalid(dict(_flat(error.detail)))
        case exceptions.APIException():
            return _of_framework(error)
        case PermissionDenied():
            return Problem(HTTPStatus.FORBIDDEN, str(error) or "You may not do this.")
        case RequestDataTooBig():
            return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The request is too large.")
        case SuspiciousOperation() | MultiPartParserError():
            return Problem(HTTPStatus.BAD_REQUEST, "The request can't be read.")
        case OperationalError():
            words = "The database is busy: nothing was stored, send it again."
            return Problem(HTTPStatus.SERVICE_UNAVAILABLE, words, headers={"Retry-After": "1"})
    return None


def _of_framework(error: exceptions.APIException) -> Problem:
    """Return REST framework's own refusal: no token, wrong method, type or accepted type."""
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = str(challenge)
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait))
    return Problem(HTTPStatus(error.status_code), str(error.detail), headers=headers)


def invalid(errors: Mapping[str, str]) -> Problem:
    """Return the refusal of a request that can be read but breaks rules, by field."""
    return Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY, "Some fields break a rule.", code="invalid", errors=errors
    )


def _flat(detail: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield nested errors as (dotted field, sentence); what is said of the whole has no field."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            own = "" if name == "non_field_errors" else str(name)
            yield from _flat(inner, ".".join(filter(None, (path, own))))
    elif isinstance(detail, list) and any(isinstance(one, Mapping | list) for one in detail):
        for number, inner in enumerate(detail):
            if inner:
                yield from _flat(inner, f"{path}.{number}" if path else str(number))
    elif isinstance(detail, list):
        yield path, " ".join(map(str, detail))
    else:
        yield path, str(detail)


def is_api(request: HttpRequest) -> bool:
    """Return whether a request is for the API: its errors are problems, not pages."""
    return request.path_info.startswith(API_ROOT)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what Django refuses before any view: a problem in the API, else the page."""
    if is_api(request):
        return plain_problem(HTTPStatus.BAD_REQUEST, "The request can't be read.")
    return defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a fault of our own: a problem in the API, else the page."""
    if is_api(request):
        words = "Something broke on the server; it has been written down."
        return plain_problem(HTTPStatus.INTERNAL_SERVER_ERROR, words)
    return defaults.server_error(request)
