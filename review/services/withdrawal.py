"""The withdrawal of a person: what names them goes, what they decided stays."""

from datetime import datetime

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.models import User
from django.db import transaction

from generation.services import audit
from review.models import Assignment, Invitation, Profile
from review.services.members import deactivate, end_access

_LOGIN_RECORDS = (AccessAttempt, AccessFailureLog, AccessLog)


class AlreadyWithdrawn(Exception):
    """Nothing names this person any more."""


@transaction.atomic
def withdraw(*, member: Profile, actor: User | None, now: datetime) -> str:
    """Replace what names a person and return the pseudonym that stands for them from now on.

    Name and e-mail address are replaced, the password is gone, sessions and API tokens end,
    records of log-ins and unsent drafts are deleted, their open invitations are revoked. Their
    reviews, decisions, notes and edits stay, under the pseudonym: releases rest on them. It
    can't be undone.

    Raises:
        AlreadyWithdrawn: the person is withdrawn.
        LastAdmin: they are the only active admin.
    """
    deactivate(member=member, actor=actor, now=now)
    user = User.objects.select_for_update().get(pk=member.user_id)
    name, before = user.username, [user.username, user.email, user.first_name, user.last_name]
    if is_withdrawn(user):
        raise AlreadyWithdrawn
    user.username = _free_name(user)
    user.first_name = user.last_name = user.email = ""
    user.last_login = None
    user.is_staff = user.is_superuser = False
    user.set_unusable_password()
    user.save()
    end_access(user=user, actor=actor, now=now)
    for records in _LOGIN_RECORDS:
        records.objects.filter(username=name).delete()
    Assignment.objects.filter(reviewer=user, submitted_at=None).update(
        draft={}, draft_saved_at=None
    )
    Invitation.objects.filter(used_by=user).update(note="")
    for made in Invitation.objects.filter(invited_by=user, used_at=None, revoked_at=None):
        made.revoked_at = now
        made.save(update_fields=["revoked_at"])
        audit.record("invitation.revoked", made, actor=actor, after=now, detail="inviter withdrew")
    audit.record("member.withdrawn", user, actor=actor, before=before, after=user.username)
    return user.username


def is_withdrawn(user: User) -> bool:
    """Return whether the person has withdrawn: no log-in, no password, a pseudonym for a name."""
    return (
        not user.is_active
        and not user.has_usable_password()
        and user.username.startswith(f"withdrawn-{user.pk}")
    )


def _free_name(user: User) -> str:
    """Return a pseudonym that nobody has: by the id alone, so that it says nothing of the name."""
    name = f"withdrawn-{user.pk}"
    while User.objects.filter(username=name).exclude(pk=user.pk).exists():
        name += "-x"
    return name
