"""What a caller may do: the role decides, and a token's scopes limit it further."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from review.authentication import is_lead
from review.models import ApiToken, Profile, Scope

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Allowed(BasePermission):
    """Members only; leads only where the view says so; a token needs a scope of the view's.

    A view's ``reads`` are the scopes of which one is needed to look, ``writes`` those to change.
    """

    message = ""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return whether the caller may; ``message`` then says why not."""
        user = request.user
        if not user.is_authenticated:
            return False
        try:
            user.profile  # noqa: B018  it is looked up, and may be missing
        except Profile.DoesNotExist:
            self.message = "You are no member of this project."
            return False
        if view.leads_only and not is_lead(user):
            self.message = "Only leads may do this."
            return False
        if not isinstance(request.auth, ApiToken):
            return True
        wanted: tuple[Scope, ...] = view.reads if request.method in _SAFE else view.writes
        if set(wanted) & set(request.auth.scopes):
            return True
        self.message = f"The token lacks the scope {' or '.join(wanted)}."
        return False
