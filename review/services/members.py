"""Creates the people of a project."""

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from generation.services import audit
from review.models import Profile, Role


class NameTaken(Exception):
    """There is a user of that name already."""


@transaction.atomic
def create_member(*, username: str, password: str, role: Role, actor: User | None = None) -> User:
    """Create a user with a role; an empty password is one that nobody can log in with.

    Raises:
        NameTaken: there is a user of that name.
    """
    try:
        with transaction.atomic():
            user = User.objects.create_user(username=username, password=password or None)
    except IntegrityError as error:
        msg = f"there is a user {username!r} already"
        raise NameTaken(msg) from error
    Profile.objects.create(user=user, role=role)
    audit.record("member.created", user, actor=actor, after=role, detail=role)
    return user
