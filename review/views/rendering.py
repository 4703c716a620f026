"""Answers with a whole page, or with its swapped part where htmx asks for that alone."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from review.authentication import MemberRequest

VARIES_BY = ("HX-Request", "HX-History-Restore-Request")


class PageRequest(MemberRequest):
    """A logged-in request, with what htmx says of itself."""

    htmx: HtmxDetails


def wants_part(request: PageRequest) -> bool:
    """Return whether only the swapped part is asked for; a restored history entry is a page."""
    return bool(request.htmx) and not request.htmx.history_restore_request


def render_page(
    request: PageRequest,
    template: str,
    context: Mapping[str, Any],
    *,
    part: str,
    status: int = 200,
) -> HttpResponse:
    """Return ``template``, or only its partial ``part``; caches are told that the two differ."""
    name = f"{template}#{part}" if wants_part(request) else template
    response = render(request, name, dict(context), status=status)
    patch_vary_headers(response, VARIES_BY)
    return response


def go_to(request: PageRequest, address: str) -> HttpResponse:
    """Return a redirect that loads the whole page, also where htmx sent the form."""
    if request.htmx:
        return HttpResponseClientRedirect(address)
    response = redirect(address)
    response.status_code = 303
    return response
