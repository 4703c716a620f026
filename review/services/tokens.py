"""Tokens of the API: made once, shown once, kept as digests only."""

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet

from generation.services import audit
from generation.services.texts import storable
from review.authentication import is_lead
from review.models import ApiToken, Scope
from review.services.refusals import FieldsRefused

MOST_DAYS = 366
MOST_TOKENS = 20
_PREFIX = "apt_"
_SHOWN = 12
_USE_NOTED_EVERY = timedelta(minutes=1)


class TokenRefused(FieldsRefused):
    """A token that breaks rules; ``problems`` has a sentence by field."""


def scopes_for(user: User) -> tuple[Scope, ...]:
    """Return the scopes that a token of this person may have."""
    return tuple(Scope) if is_lead(user) else (Scope.READ, Scope.REVIEW)


def live_tokens(user: User, *, now: datetime) -> QuerySet[ApiToken]:
    """Return the person's tokens that can be used, newest first."""
    return ApiToken.objects.filter(user=user, revoked_at=None, expires_at__gt=now).order_by("-pk")


def past_tokens(user: User, *, now: datetime) -> QuerySet[ApiToken]:
    """Return the person's tokens that can't be used any more, newest first."""
    is_past = Q(revoked_at__isnull=False) | Q(expires_at__lte=now)
    return ApiToken.objects.filter(is_past, user=user).order_by("-pk")


@transaction.atomic
def make_token(
    *, user: User, name: str, scopes: Collection[str], days: int, now: datetime
) -> tuple[ApiToken, str]:
    """Store a new token that expires in ``days`` and return it with its secret.

    The secret is 256 random bits and can't be had again.

    Raises:
        TokenRefused: no name or that of another live token, no scope or one that the role does not have, too long a time, or
            too many tokens.
    """
    User.objects.select_for_update().get(pk=user.pk)
    if found := _problems(user, name, scopes, days, now=now):
        raise TokenRefused(found)
    secret = f"{_PREFIX}{secrets.token_urlsafe(32)}"
    token = ApiToken.objects.create(
        user=user,
        name=storable(name.strip()),
        digest=_digest(secret),
        prefix=secret[:_SHOWN],
        scopes=[str(scope) for scope in Scope if scope in scopes],
        expires_at=now + timedelta(days=days),
    )
    audit.record(
        "api_token.made",
        token,
        actor=user,
        after=[token.name, token.scopes, token.expires_at],
        detail=", ".join(token.scopes),
    )
    return token, secret


def _problems(
    user: User, name: str, scopes: Collection[str], days: int, *, now: datetime
) -> dict[str, str]:
    found: dict[str, str] = {}
    if not 1 <= len(name.strip()) <= 100:
        found["name"] = "Name the token, in up to 100 characters."
    if not scopes or not set(scopes) <= set(scopes_for(user)):
        found["scopes"] = "Choose what the token may do, within what you may."
    if not 1 <= days <= MOST_DAYS:
        found["days"] = "A token lasts from 1 to 366 days."
    names = list(live_tokens(user, now=now).values_list("name", flat=True))
    if storable(name.strip()) in names:
        found["name"] = "You have a token of that name: it was shown when it was made."
    if len(names) >= MOST_TOKENS:
        found["name"] = "You have 20 tokens: revoke one first."
    return found


@transaction.atomic
def revoke_token(*, token: ApiToken, actor: User | None, now: datetime) -> None:
    """End a token at once; one that was revoked before stays as it is."""
    fresh = ApiToken.objects.select_for_update().get(pk=token.pk)
    if fresh.revoked_at is None:
        fresh.revoked_at = now
        fresh.save(update_fields=["revoked_at"])
        audit.record("api_token.revoked", fresh, actor=actor, detail=fresh.name)


def find_token(*, secret: str, now: datetime) -> ApiToken | None:
    """Return the live token of an active person with that secret, its owner's profile loaded."""
    if not secret.startswith(_PREFIX):
        return None
    tokens = ApiToken.objects.select_related("user__profile").filter(revoked_at=None)
    try:
        token = tokens.get(digest=_digest(secret))
    except ApiToken.DoesNotExist:
        return None
    return token if token.expires_at > now and token.user.is_active else None


def note_use(*, token: ApiToken, now: datetime) -> None:
    """Write down that the token was used, once a minute at most: it is no state of anything."""
    if token.last_used_at is None or token.last_used_at < now - _USE_NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
