"""The administration site: every table can be read and searched, by admins of the project alone."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from django.contrib.admin import AdminSite
from django.contrib.auth import logout
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from review.authentication import is_admin

View = TypeVar("View", bound=Callable[..., Any])


class Administration(AdminSite):
    """Django's administration behind the project's own roles, log-in and account page."""

    site_title = site_header = _("APT Annotate administration")
    index_title = _("Tables")

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the person is an admin of the project; Django's flags don't matter."""
        user = request.user
        return user.is_authenticated and user.is_active and is_admin(user)

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Return the view; it answers 403 to people who are no admins."""
        guarded = super().admin_view(view, cacheable)

        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not self.has_permission(request):
                raise PermissionDenied
            answer: HttpResponse = guarded(request, *args, **kwargs)
            return answer

        return cast(View, inner)

    def login(self, request: HttpRequest, extra_context: object = None) -> HttpResponse:
        """Lead to the project's own login page."""
        return redirect("login")

    def logout(self, request: HttpRequest, extra_context: object = None) -> Any:
        """Log the person out as the project's own button does."""
        return _log_out(request)

    def password_change(self, request: HttpRequest, extra_context: object = None) -> Any:
        """Lead to the account page: there the change leaves a trace."""
        return redirect("account")


@require_http_methods(["POST"])
def _log_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("login")
