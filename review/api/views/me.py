"""Who the caller is, and the OpenAPI document."""

from typing import Any

from django.http import Http404
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from review.api.schema import documented, openapi
from review.api.serializers.records import MeSerializer
from review.api.view import ApiView, MemberCall, ReviewerView, ok
from review.services.tokens import scopes_for
from review.services.votes import pseudonym


class Me(ReviewerView):
    """The caller."""

    @documented("me", MeSerializer, tag="about")
    def get(self, request: MemberCall) -> Response:
        """Say who you are here, and what this token may do."""
        user, token = request.user, request.auth
        return ok(
            {
                "name": user.username,
                "reviewer": pseudonym(user.pk),
                "role": user.profile.role,
                "scopes": token.scopes if token else scopes_for(user),
                "token_expires_at": token.expires_at if token else None,
            }
        )


@extend_schema(exclude=True)
class Schema(ApiView):
    """The OpenAPI document, for everyone: it holds nothing of the project's data."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    renderer_classes = (OpenApiJsonRenderer, OpenApiYamlRenderer)

    def get(self, _request: Request) -> Response:
        """Return the document, as JSON or by Accept as YAML."""
        return ok(openapi())


@extend_schema(exclude=True)
class NoSuchAddress(ApiView):
    """What is not there, said as a problem."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse whatever the method.

        Raises:
            Http404: always.
        """
        super().initial(request, *args, **kwargs)
        raise Http404
