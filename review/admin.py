"""The tables of people, reviews and releases in the administration; e-mail addresses can be changed."""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.forms import ModelForm
from django.http import HttpRequest

from generation.admin import ReadOnly, readable
from review.models import ApiToken, Invitation
from review.services.members import change_email

# Who had these could look for the link or the token that they belong to.
_SECRET = {Invitation: ("digest",), ApiToken: ("digest",)}

for each in apps.get_app_config("review").get_models():
    admin.site.register(each, readable(each, secret=_SECRET.get(each, ())))

admin.site.unregister(Group)
admin.site.unregister(User)


@admin.register(User)
class UserAdmin(ReadOnly):
    """People's accounts: the e-mail address alone can be changed; the password's hash is not shown."""

    secret = ("password",)
    fields = ("username", "email", "role", "is_active", "last_login", "date_joined")
    readonly_fields = ("username", "role", "is_active", "last_login", "date_joined")
    list_display = ("username", "email", "role", "is_active", "last_login", "date_joined")
    list_filter = ("is_active", "profile__role")
    list_select_related = ("profile",)
    search_fields = ("username", "email", "=pk")
    ordering = ("username",)

    @admin.display(description="role", ordering="profile__role")
    def role(self, user: User) -> str:
        """Return the person's role, a dash for one who is no member."""
        return user.profile.role if hasattr(user, "profile") else "—"

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Return whether the site lets the person in: they may change e-mail addresses."""
        return self.admin_site.has_permission(request)

    def save_model(
        self, request: HttpRequest, obj: User, form: ModelForm[User], change: bool
    ) -> None:
        """Store the e-mail address by its service, which leaves a trace."""
        assert isinstance(request.user, User)
        change_email(user=obj, email=form.cleaned_data["email"], actor=request.user)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Write no second trail beside the audit trail: it would keep names after a withdrawal."""
