"""What is refused before any view or form looks at a request."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest

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
            return HttpResponseBadRequest(
                f"The form is in {charset!r}; send UTF-8.", content_type="text/plain; charset=utf-8"
            )
        return get_response(request)

    return middleware
