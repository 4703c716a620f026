"""What is refused before any view or form looks at a request."""

from collections.abc import Callable
from http import HTTPStatus

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.utils import translation

from review.api.problems import is_api, plain_problem
from review.views.kept_text import session_ended

_UTF_8 = frozenset({"", "utf-8", "utf8"})


def utf8_forms_only(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Return a middleware that answers 400 to a form in another encoding than UTF-8.

    Django refuses such a form when it is first read, which is in its CSRF check; there the error
    page reads the form again and fails too.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", "")
        if charset.strip("\"' ").lower() not in _UTF_8:
            return _refused(request, f"The form is in {charset!r}; send UTF-8.")
        return get_response(request)

    return middleware


def no_nul_in_addresses(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Return a middleware that answers 400 to a NUL character in an address or a cookie.

    Nothing here has one, and PostgreSQL does not even look for it: it fails. A NUL in a typed
    text is another matter: it is stored as a mark.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
            return _refused(request, "The address holds a NUL character.")
        if any("\0" in value for value in request.COOKIES.values()):
            return _refused(request, "A cookie holds a NUL character.")
        return get_response(request)

    return middleware


def _refused(request: HttpRequest, words: str) -> HttpResponse:
    if is_api(request):
        return plain_problem(HTTPStatus.BAD_REQUEST, words)
    return HttpResponseBadRequest(words, content_type="text/plain; charset=utf-8")


class KeepingLoginRequired(LoginRequiredMiddleware):
    """Asks for a log-in where a view needs one, and keeps what was typed over it."""

    def handle_no_permission(  # type: ignore[override]  # a page where Django's is a redirect
        self, request: HttpRequest, view_func: object
    ) -> HttpResponse:
        """Return the login page, or a redirect to it where nothing was typed."""
        return session_ended(request)


def api_in_english(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Return a middleware that lets the API speak English, whatever language the caller prefers.

    Programs compare its words; half of them would come in another language otherwise.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if not is_api(request):
            return get_response(request)
        with translation.override("en"):
            response = get_response(request)
            response.headers["Content-Language"] = "en"
        return response

    return middleware
