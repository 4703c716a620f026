"""Invitations: leads make links, and somebody who follows one becomes a member."""

from typing import Any

from axes.handlers.proxy import AxesProxyHandler
from axes.helpers import get_lockout_response
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from review.models import Invitation, Role
from review.services.invitations import (
    InvitationOver,
    InvitationUnknown,
    accept,
    invite,
    open_invitation,
    revoke,
    roles_to_invite,
    state_of,
)
from review.services.members import NameTaken
from review.views.access import require_lead
from review.views.kept import remember_person
from review.views.people import skill_words
from review.views.people_forms import (
    ROLES,
    AcceptForm,
    InvitationForm,
    language_choices,
    scenario_choices,
)
from review.views.rendering import PageRequest, go_to

# The throttle of log-ins counts tries by name and address; no user can have this name.
_TRIES_AT_LINKS = {"username": "invitation link"}
_MOST_SHOWN = 200


@never_cache
@require_http_methods(["GET", "POST"])
def invitations(request: PageRequest) -> HttpResponse:
    """List invitations, or make one and show its link, this once."""
    require_lead(request)
    roles = roles_to_invite(request.user.profile.role)
    if request.method == "GET":
        return _list(request, InvitationForm(roles=roles))
    form = InvitationForm(request.POST, roles=roles)
    if not form.is_valid():
        return _list(request, form, status=422)
    given = form.cleaned_data | {"role": Role(form.cleaned_data["role"])}
    invitation, secret = invite(actor=request.user, now=timezone.now(), **given)
    link = request.build_absolute_uri(reverse("invitation", args=[secret]))
    made = {"link": link, "invitation": invitation}
    return _list(request, InvitationForm(roles=roles), made=made, status=201)


@require_http_methods(["POST"])
def revoke_invitation(request: PageRequest, pk: int) -> HttpResponse:
    """Make an invitation's link worthless."""
    require_lead(request)
    invitation = get_object_or_404(Invitation, pk=pk)
    try:
        revoke(invitation=invitation, actor=request.user, now=timezone.now())
    except InvitationOver:
        messages.info(request, gettext("Somebody used this invitation already."))
    else:
        messages.success(request, gettext("The link works no more."))
    return go_to(request, reverse("invitations"))


@sensitive_post_parameters("password", "repeated")
@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Ask somebody who follows a link for a name and a password, then let them in."""
    if not AxesProxyHandler.is_allowed(request, _TRIES_AT_LINKS):
        response: HttpResponse = get_lockout_response(request, credentials=_TRIES_AT_LINKS)
        return response
    form = AcceptForm(request.POST if request.method == "POST" else None)
    try:
        found = open_invitation(secret, now=timezone.now())
        if request.user.is_authenticated:
            return render(request, "people/invited_member.html", {"invitation": found})
        if request.method == "POST" and form.is_valid():
            return _accept(request, secret, form)
    except InvitationUnknown:
        AxesProxyHandler.user_login_failed(invitation, _TRIES_AT_LINKS, request)
        return render(request, "people/invitation_over.html", status=404)
    except InvitationOver:
        return render(request, "people/invitation_over.html", status=410)
    except NameTaken:
        form.add_error("username", gettext("Somebody has this name already. Choose another."))
    context = {"form": form, "invitation": found, "role": ROLES[Role(found.role)]}
    return render(request, "people/accept.html", context, status=422 if form.errors else 200)


def _accept(request: HttpRequest, secret: str, form: AcceptForm) -> HttpResponse:
    user = accept(
        secret=secret,
        username=form.cleaned_data["username"],
        password=form.cleaned_data["password"],
        now=timezone.now(),
    )
    login(request, user, backend="review.authentication.MemberBackend")
    words = gettext("Welcome, %(name)s. Read these guidelines first; they are all you need.")
    messages.success(request, words % {"name": user.username})
    response = redirect("guidelines")
    response.status_code = 303
    remember_person(response, user)
    return response


def _list(
    request: PageRequest, form: InvitationForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    now = timezone.now()
    rows = Invitation.objects.select_related("invited_by__profile", "used_by").order_by("-pk")
    shown = [(row, state_of(row, now=now), ROLES[Role(row.role)]) for row in rows[:_MOST_SHOWN]]
    context = {
        "form": form,
        "rows": shown,
        "words": skill_words(),
        "languages": language_choices(),
        "scenarios": scenario_choices(),
        "most_shown": _MOST_SHOWN,
        **more,
    }
    return render(request, "people/invitations.html", context, status=status)
