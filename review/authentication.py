"""Loads the logged-in user together with their role, in one query."""

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.http import HttpRequest

from review.models import Profile, Role


class MemberBackend(ModelBackend):
    """Django's own password check; the profile comes with the user."""

    def get_user(self, user_id: int) -> User | None:
        """Return the active user with that id and their profile, None where there is none."""
        user = User.objects.select_related("profile").filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None


class MemberRequest(HttpRequest):
    """A request whose user is logged in, as every view but the login page gets it."""

    user: User


def is_lead(user: User) -> bool:
    """Return whether the user is a lead or an admin; a user without a profile is neither."""
    try:
        return user.profile.is_lead
    except Profile.DoesNotExist:
        return False


def is_admin(user: User) -> bool:
    """Return whether the user is an admin; a user without a profile is none."""
    try:
        return user.profile.role == Role.ADMIN
    except Profile.DoesNotExist:
        return False
