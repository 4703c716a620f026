"""The people of a project: who they are, what they can judge, when they leave."""

from collections.abc import Collection
from datetime import datetime

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import Q

from generation.core.records import Language
from generation.core.subtask import Scenario
from generation.services import audit
from review.models import ApiToken, Assignment, Profile, Role
from review.services.tokens import revoke_token

LANGUAGES = tuple(language.value for language in Language)
SCENARIOS = tuple(scenario.value for scenario in Scenario)
_LAST = "the only active admin stays: make somebody else an admin first"


class NameTaken(Exception):
    """There is a user of that name already."""


class LastAdmin(Exception):
    """Without this person nobody could manage people any more."""


@transaction.atomic
def create_member(
    *,
    username: str,
    password: str,
    role: Role,
    languages: Collection[str] = (),
    scenarios: Collection[str] = (),
    actor: User | None = None,
) -> User:
    """Create a user with a role; an empty password is one that nobody can log in with.

    ``languages`` and ``scenarios`` say what they can judge; none given means all.

    Raises:
        NameTaken: there is a user of that name.
        ValueError: a language or a scenario is unknown.
    """
    skills = _skills(languages, scenarios)
    try:
        with transaction.atomic():
            user = User.objects.create_user(username=username, password=password or None)
    except IntegrityError as error:
        msg = f"there is a user {username!r} already"
        raise NameTaken(msg) from error
    Profile.objects.create(user=user, role=role, **skills)
    audit.record("member.created", user, actor=actor, after=[role, skills], detail=role)
    return user


def _skills(languages: Collection[str], scenarios: Collection[str]) -> dict[str, list[str]]:
    """Return what a profile stores, in a fixed order.

    Raises:
        ValueError: a language or a scenario is unknown.
    """
    for given, known, what in (
        (languages, LANGUAGES, "language"),
        (scenarios, SCENARIOS, "scenario"),
    ):
        if unknown := sorted(set(given) - set(known)):
            msg = f"unknown {what} {unknown[0]!r}: choose from {', '.join(known)}"
            raise ValueError(msg)
    return {
        "languages": [language for language in LANGUAGES if language in languages],
        "scenarios": [scenario for scenario in SCENARIOS if scenario in scenarios],
    }


@transaction.atomic
def change_role(*, member: Profile, role: Role, actor: User) -> None:
    """Give a member another role.

    Raises:
        LastAdmin: they are the only active admin and would be none any more.
    """
    profile, is_last_admin = _locked_with_admins(member)
    before = profile.role
    if before == role:
        return
    if is_last_admin:
        raise LastAdmin(_LAST)
    profile.role = role
    profile.save(update_fields=["role"])
    audit.record(
        "member.role_changed", profile.user, actor=actor, before=before, after=role, detail=role
    )


@transaction.atomic
def change_skills(
    *, member: Profile, languages: Collection[str], scenarios: Collection[str], actor: User
) -> None:
    """Say which languages and scenarios a member can judge; none given means all.

    Raises:
        ValueError: a language or a scenario is unknown.
    """
    skills = _skills(languages, scenarios)
    profile = _locked(member)
    before = {name: getattr(profile, name) for name in skills}
    if before == skills:
        return
    profile.languages, profile.scenarios = skills["languages"], skills["scenarios"]
    profile.save(update_fields=["languages", "scenarios"])
    words = ", ".join([*profile.languages, *profile.scenarios]) or "all"
    audit.record(
        "member.skills_changed",
        profile.user,
        actor=actor,
        before=before,
        after=skills,
        detail=words,
    )


@transaction.atomic
def vouch(*, member: Profile, actor: User, now: datetime) -> None:
    """Let a member work without the qualification round; one who has passed stays as they are."""
    profile = _locked(member)
    if profile.qualified_at is not None:
        return
    profile.qualified_at = now
    profile.save(update_fields=["qualified_at"])
    audit.record(
        "member.qualified", profile.user, actor=actor, after=now, detail="a lead vouched for them"
    )


@transaction.atomic
def deactivate(*, member: Profile, actor: User | None, now: datetime) -> int:
    """Let a member log in no more and return how many running turns of theirs ended.

    The places of these turns are free at once. Reviews and decisions stay, drafts too.

    Raises:
        LastAdmin: they are the only active admin.
    """
    profile, is_last_admin = _locked_with_admins(member)
    if not profile.user.is_active:
        return 0
    if is_last_admin:
        raise LastAdmin(_LAST)
    profile.user.is_active = False
    profile.user.save(update_fields=["is_active"])
    audit.record("member.deactivated", profile.user, actor=actor, before=True, after=False)
    end_access(user=profile.user, actor=actor, now=now)
    return end_turns(user=profile.user, actor=actor, now=now)


@transaction.atomic
def reactivate(*, member: Profile, actor: User) -> None:
    """Let a member log in again with the password they had; a withdrawn person has none."""
    profile = _locked(member)
    if profile.user.is_active:
        return
    profile.user.is_active = True
    profile.user.save(update_fields=["is_active"])
    audit.record("member.reactivated", profile.user, actor=actor, before=False, after=True)


def end_turns(*, user: User, actor: User | None, now: datetime) -> int:
    """End the person's running and parked turns and return how many; in the caller's transaction."""
    turns = Assignment.objects.select_for_update().filter(
        reviewer=user, submitted_at=None, skipped_at=None
    )
    ended = 0
    for turn in turns.order_by("pk"):
        if turn.parked_at is None and turn.leased_until <= now:
            continue
        before = turn.leased_until
        turn.leased_until, turn.parked_at = min(before, now), None
        turn.expired_at = turn.leased_until
        turn.save(update_fields=["leased_until", "parked_at", "expired_at"])
        audit.record(
            "assignment.expired", turn, actor=actor, before=before, detail="the reviewer left"
        )
        ended += 1
    return ended


def end_access(*, user: User, actor: User | None, now: datetime) -> int:
    """End all sessions and API tokens of a person and return how many sessions there were."""
    for token in ApiToken.objects.filter(user=user, revoked_at=None).order_by("pk"):
        revoke_token(token=token, actor=actor, now=now)
    return end_sessions(user=user, now=now)


def end_sessions(*, user: User, now: datetime) -> int:
    """Log a person out in every browser and return in how many.

    A session does not say whose it is but in its data, so all that run are read.
    """
    theirs = [
        session.pk
        for session in Session.objects.filter(expire_date__gt=now).iterator()
        if session.get_decoded().get(SESSION_KEY) == str(user.pk)
    ]
    Session.objects.filter(pk__in=theirs).delete()
    return len(theirs)


@transaction.atomic
def sign_out_everywhere(*, user: User, now: datetime) -> int:
    """Log a person out in every browser, this one too, and return in how many."""
    ended = end_sessions(user=user, now=now)
    audit.record("member.signed_out_everywhere", user, actor=user, detail=str(ended))
    return ended


@transaction.atomic
def change_password(*, user: User, password: str) -> None:
    """Set a person's own password; their other sessions end, since they hold the old one's hash."""
    user.set_password(password)
    user.save(update_fields=["password"])
    audit.record("member.password_changed", user, actor=user)


@transaction.atomic
def change_email(*, user: User, email: str, actor: User) -> None:
    """Set or clear a person's e-mail address."""
    locked = User.objects.select_for_update().get(pk=user.pk)
    before, locked.email = locked.email, email
    locked.save(update_fields=["email"])
    audit.record("member.email_changed", locked, actor=actor, before=before, after=email)


def _locked(member: Profile) -> Profile:
    """Return the profile as it is now, locked, with its user.

    Taking a turn locks the profile too: who is just deactivated is given nothing meanwhile.
    """
    return Profile.objects.select_for_update(of=("self",)).select_related("user").get(pk=member.pk)


def _locked_with_admins(member: Profile) -> tuple[Profile, bool]:
    """Return the profile, locked, and whether it is the only active admin's.

    All admins are locked with it, in one order: two of them can't leave at once, nor wait for
    each other.
    """
    rows = (
        Profile.objects.select_for_update(of=("self",))
        .select_related("user")
        .filter(Q(role=Role.ADMIN) | Q(pk=member.pk))
        .order_by("pk")
    )
    by_key = {profile.pk: profile for profile in rows}
    active = {pk for pk, each in by_key.items() if each.role == Role.ADMIN and each.user.is_active}
    return by_key[member.pk], active == {member.pk}
