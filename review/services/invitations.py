"""Invitations: a link that makes one member, once, before it expires.

The link's secret is given once and never stored; its SHA-256 is. A secret of 256 random bits
needs no salt and no slow hash.
"""

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction

from generation.services import audit
from generation.services.texts import storable
from review.models import Invitation, Profile, Role
from review.services.members import LANGUAGES, SCENARIOS, create_member

MOST_DAYS = 90
DEFAULT_DAYS = 14
_LONGEST_NOTE = 200


class InvitationRefused(Exception):
    """The invitation can't be made."""


class InvitationOver(Exception):
    """The link makes nobody a member any more: used, revoked or expired."""


class InvitationUnknown(Exception):
    """No invitation has this link."""


def digest_of(secret: str) -> str:
    """Return the SHA-256 of a link's secret, in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def state_of(invitation: Invitation, *, now: datetime) -> str:
    """Return ``used``, ``revoked``, ``expired`` or ``open``.

    Revoked is also what nobody may give any more: who invited has left, or has a lesser role.
    """
    if invitation.used_at is not None:
        return "used"
    if invitation.revoked_at is not None or not _is_theirs_to_give(invitation):
        return "revoked"
    return "expired" if invitation.expires_at <= now else "open"


def _is_theirs_to_give(invitation: Invitation) -> bool:
    inviter = invitation.invited_by
    try:
        role = inviter.profile.role
    except Profile.DoesNotExist:
        return False
    return inviter.is_active and invitation.role in roles_to_invite(role)


def roles_to_invite(inviter_role: str) -> list[Role]:
    """Return the roles that somebody of ``inviter_role`` may invite people to."""
    if inviter_role == Role.ADMIN:
        return list(Role)
    return [Role.ANNOTATOR] if inviter_role == Role.LEAD else []


@transaction.atomic
def invite(
    *,
    actor: User,
    role: Role,
    languages: Collection[str] = (),
    scenarios: Collection[str] = (),
    note: str = "",
    days: int = DEFAULT_DAYS,
    now: datetime,
) -> tuple[Invitation, str]:
    """Make an invitation and return it with its secret, which can't be read again.

    Raises:
        InvitationRefused: the role is not the inviter's to give, or a value is out of range.
    """
    profile = Profile.objects.filter(user=actor, user__is_active=True).first()
    if profile is None or role not in roles_to_invite(profile.role):
        msg = f"{actor.username} may not invite anybody as {role}"
        raise InvitationRefused(msg)
    if not 1 <= days <= MOST_DAYS:
        msg = f"{days} days: an invitation lasts from 1 to {MOST_DAYS} days"
        raise InvitationRefused(msg)
    for given, known in ((languages, LANGUAGES), (scenarios, SCENARIOS)):
        if unknown := sorted(set(given) - set(known)):
            msg = f"unknown skill {unknown[0]!r}: choose from {', '.join(known)}"
            raise InvitationRefused(msg)
    secret = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        digest=digest_of(secret),
        role=role,
        languages=[language for language in LANGUAGES if language in languages],
        scenarios=[scenario for scenario in SCENARIOS if scenario in scenarios],
        note=storable(note.strip())[:_LONGEST_NOTE],
        invited_by=actor,
        expires_at=now + timedelta(days=days),
    )
    audit.record(
        "invitation.made",
        invitation,
        actor=actor,
        after=[role, invitation.languages, invitation.scenarios, invitation.expires_at],
        detail=role,
    )
    return invitation, secret


@transaction.atomic
def revoke(*, invitation: Invitation, actor: User, now: datetime) -> None:
    """Make an invitation's link worthless; one that is revoked already stays as it is.

    Raises:
        InvitationOver: somebody used it already.
    """
    locked = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if locked.used_at is not None:
        raise InvitationOver
    if locked.revoked_at is None:
        locked.revoked_at = now
        locked.save(update_fields=["revoked_at"])
        audit.record("invitation.revoked", locked, actor=actor, after=now)


def open_invitation(secret: str, *, now: datetime) -> Invitation:
    """Return the invitation of a link.

    Raises:
        InvitationUnknown: no invitation has this link.
        InvitationOver: it is used, revoked or expired.
    """
    invitation = Invitation.objects.filter(digest=digest_of(secret)).first()
    if invitation is None:
        raise InvitationUnknown
    if state_of(invitation, now=now) != "open":
        raise InvitationOver
    return invitation


@transaction.atomic
def accept(*, secret: str, username: str, password: str, now: datetime) -> User:
    """Make the link's member and return them; of two at once, one succeeds.

    Raises:
        InvitationUnknown: no invitation has this link.
        InvitationOver: it is used, revoked or expired.
        NameTaken: there is a user of that name; the link stays good.
    """
    locked = Invitation.objects.select_for_update().filter(digest=digest_of(secret)).first()
    if locked is None:
        raise InvitationUnknown
    if state_of(locked, now=now) != "open":
        raise InvitationOver
    user = create_member(
        username=username,
        password=password,
        role=Role(locked.role),
        languages=locked.languages,
        scenarios=locked.scenarios,
        actor=locked.invited_by,
    )
    locked.used_by, locked.used_at = user, now
    locked.save(update_fields=["used_by", "used_at"])
    audit.record("invitation.used", locked, actor=user, after=user.pk)
    return user
