"""Creates the people of a project."""

from django.contrib.auth.models import User
from django.db import transaction

from generation.services import audit
from review.models import Profile, Role


@transaction.atomic
def create_member(*, username: str, password: str, role: Role, actor: User | None = None) -> User:
    """Create a user with a role.

    Raises:
        IntegrityError: the name is taken.
    """
    user = User.objects.create_user(username=username, password=password)
    Profile.objects.create(user=user, role=role)
    audit.record("member.created", user, actor=actor, after=role, detail=role)
    return user
