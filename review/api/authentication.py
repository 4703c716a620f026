"""Who calls: a bearer token, or the session of a logged-in page (then with its CSRF token)."""

from http import HTTPStatus
from typing import Any

from axes.helpers import get_client_ip_address
from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import authentication, exceptions
from rest_framework.request import Request

from review.api.problems import Problem
from review.models import ApiToken
from review.services.tokens import find_token, note_use

MOST_FAILURES = 20
WINDOW_SECONDS = 60


class BearerAuthentication(authentication.BaseAuthentication):
    """Reads ``Authorization: Bearer apt_...``; too many unknown tokens from an address wait."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the token's owner and the token; None where there is no such header.

        Raises:
            AuthenticationFailed: the token is unknown, revoked or expired.
            Problem: the address sent too many of them (429).
        """
        header: str = request.META.get("HTTP_AUTHORIZATION", "")
        if not header:
            return None
        scheme, _, secret = header.partition(" ")
        if scheme.lower() != "bearer":
            msg = "Send the token as 'Authorization: Bearer TOKEN'."
            raise exceptions.AuthenticationFailed(msg)
        counter = f"api-unknown-tokens:{get_client_ip_address(request._request)}"
        _refuse_after(cache.get(counter, 0))
        now = timezone.now()
        token = find_token(secret=secret.strip(), now=now)
        if token is None:
            cache.add(counter, 0, WINDOW_SECONDS)
            cache.incr(counter)
            msg = "The token is unknown, revoked or expired."
            raise exceptions.AuthenticationFailed(msg)
        note_use(token=token, now=now)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return what a request without a token is told to send."""
        return 'Bearer realm="APT Annotate"'


def _refuse_after(failures: int) -> None:
    """Refuse every token of an address that sent too many unknown ones within the minute.

    Known ones too: else guessing would go on. The count is of one web process.
    """
    if failures >= MOST_FAILURES:
        raise Problem(
            HTTPStatus.TOO_MANY_REQUESTS,
            f"Too many unknown tokens from your address: wait {WINDOW_SECONDS} seconds.",
            headers={"Retry-After": str(WINDOW_SECONDS)},
        )


class SessionAuthentication(authentication.SessionAuthentication):
    """The login of the pages; whatever changes something needs the page's CSRF token."""


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Tells the OpenAPI document of bearer tokens."""

    target_class = BearerAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Return the scheme."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from the page of your tokens; its scopes limit it.",
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Tells the OpenAPI document of the pages' session."""

    target_class = SessionAuthentication
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Return the scheme."""
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "The login of the pages; send X-CSRFToken with whatever changes things.",
        }
