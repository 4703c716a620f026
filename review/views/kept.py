"""What is kept of a form that could not be taken: its fields, its address, whose it was.

It travels signed with the login page, so that an anonymous request stores nothing on the server;
after the log-in it lies in the person's session until they send or discard it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils.http import url_has_allowed_host_and_scheme

from review.models import Assignment

LONGEST = 300_000
_MOST_FIELDS = 400
_LASTS = 7 * 24 * 3600
_SALT = "review.kept-text"
_PERSON_COOKIE = "apt-person"
_PERSON_LASTS = 60 * 24 * 3600
_NEVER_KEPT = frozenset({"csrfmiddlewaretoken", "kept", "kept-text"})
_SECRETS = ("password", "secret", "token")
# Forms that hold secrets, or nothing that anybody typed.
_FORMS_NOT_KEPT = frozenset({"login", "logout", "language", "account-password", "invitation"})


@dataclass(frozen=True, slots=True)
class Kept:
    """A form's fields in order and its own address; ``owner`` is a user's id, None if unknown."""

    path: str
    fields: tuple[tuple[str, str], ...]
    owner: int | None

    def as_json(self) -> list[Any]:
        """Return what a session can hold."""
        return [self.path, [list(pair) for pair in self.fields], self.owner]

    @property
    def is_too_long(self) -> bool:
        """Whether there is more than can be kept."""
        size = sum(len(name) + len(value) for name, value in self.fields)
        return size > LONGEST or len(self.fields) > _MOST_FIELDS


def from_json(stored: Any) -> Kept:
    """Return what ``as_json`` gave."""
    path, fields, owner = stored
    return Kept(path, tuple((name, value) for name, value in fields), owner)


def kept_of(request: HttpRequest) -> Kept | None:
    """Return what a refused POST held; None where nothing was typed or it may not be kept."""
    name = getattr(request.resolver_match, "url_name", None)
    if request.method != "POST" or request.resolver_match is None or name in _FORMS_NOT_KEPT:
        return None
    fields = tuple(
        (field, value)
        for field, values in request.POST.lists()
        if field not in _NEVER_KEPT and not any(word in field.lower() for word in _SECRETS)
        for value in values
    )
    if not any(value.strip() for _name, value in fields):
        return None
    return Kept(request.get_full_path(), fields, _owner(request))


def sign(kept: Kept) -> str:
    """Return a kept form as text that only this server can have made."""
    return signing.dumps(kept.as_json(), salt=_SALT, compress=True)


def unsign(text: str) -> Kept | None:
    """Return the kept form of a signed text; None where it is forged, broken or a week old."""
    try:
        return from_json(signing.loads(text, salt=_SALT, max_age=_LASTS))
    except signing.BadSignature:
        return None


def may_see(kept: Kept, user: User) -> bool:
    """Return whether the typed text is this person's.

    Where nobody knows whose it was, it is theirs if it belongs to a turn of theirs.
    """
    if not _is_own_path(kept.path):
        return False
    if kept.owner is not None:
        return kept.owner == user.pk
    match = resolve(kept.path.partition("?")[0])
    is_of_a_turn = match.route.startswith("review/<int:pk>/")
    turns = Assignment.objects.filter(reviewer=user)
    return is_of_a_turn and turns.filter(pk=match.kwargs["pk"]).exists()


def remember_person(response: HttpResponse, user: User) -> None:
    """Note in the browser, signed, who logged in: it outlives the session and grants nothing."""
    response.set_signed_cookie(
        _PERSON_COOKIE,
        str(user.pk),
        salt=_SALT,
        max_age=_PERSON_LASTS,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def long_texts(fields: Iterable[tuple[str, str]]) -> list[str]:
    """Return the values that somebody typed, as far as one can tell: long ones, or with lines."""
    return [value for _name, value in fields if len(value) > 20 or "\n" in value]


def _owner(request: HttpRequest) -> int | None:
    """Return whose request it is: by the session, by one that has ended, by the browser's note."""
    if request.user.is_authenticated:
        return int(request.user.pk)
    ended = Session.objects.filter(pk=request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")).first()
    noted = ended.get_decoded().get(SESSION_KEY) if ended else None
    if noted is None:
        noted = request.get_signed_cookie(_PERSON_COOKIE, None, salt=_SALT, max_age=_PERSON_LASTS)
    return int(noted) if noted else None


def _is_own_path(path: str) -> bool:
    """Return whether a path is a page of this site, so that nothing is sent elsewhere."""
    if not path.startswith("/") or not url_has_allowed_host_and_scheme(path, allowed_hosts=None):
        return False
    try:
        resolve(path.partition("?")[0])
    except Resolver404:
        return False
    return True
