"""The switch between the interface's languages, kept in a cookie."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.views.decorators.http import require_http_methods
from django.views.i18n import set_language


@login_not_required
@require_http_methods(["POST"])
def choose_language(request: HttpRequest) -> HttpResponse:
    """Remember the language and go back to the page; 400 for one that there is no interface in."""
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        known = ", ".join(code for code, _ in settings.LANGUAGES)
        return HttpResponseBadRequest(
            f"The interface is not in {language[:20]!r}; there is {known}.",
            content_type="text/plain; charset=utf-8",
        )
    return set_language(request)
