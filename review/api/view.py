"""What every view of the API has: who may call it, and what its answers carry."""

from typing import Any, ClassVar

from django.contrib.auth.models import User
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from review.models import ApiToken, Scope


class MemberCall(Request):
    """A call of a member, as every view but the schema gets it."""

    user: User
    auth: ApiToken | None


class ApiView(APIView):
    """A view for members; ``reads`` and ``writes`` are the scopes of which a token needs one."""

    reads: ClassVar[tuple[Scope, ...]] = (Scope.READ,)
    writes: ClassVar[tuple[Scope, ...]] = (Scope.REVIEW,)
    leads_only: ClassVar[bool] = False
    http_method_names = ["get", "head", "post", "put"]

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Return the headers of every answer: it is of one person, and of one moment."""
        return {
            "Allow": ", ".join(self.allowed_methods),
            "Cache-Control": "no-store",
            "Vary": "Accept, Authorization, Cookie",
        }


class ReviewerView(ApiView):
    """A view of one's own turns: a token that may review may read them too."""

    reads = (Scope.READ, Scope.REVIEW)


class LeadView(ApiView):
    """A view for leads: reading needs the scope to read, changing that of leads."""

    writes = (Scope.LEAD,)
    leads_only = True


def ok(data: Any, status: int = 200) -> Response:
    """Return an answer."""
    return Response(data, status=status)
