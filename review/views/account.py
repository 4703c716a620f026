"""One's own account: password, languages, signing out everywhere."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from review.models import Profile, Role
from review.services import members
from review.views.people import skill_words
from review.views.people_forms import (
    ROLES,
    LanguagesForm,
    OwnPasswordForm,
    language_choices,
)
from review.views.rendering import PageRequest, go_to


@never_cache
@require_http_methods(["GET"])
def account(request: PageRequest) -> HttpResponse:
    """Show one's own account."""
    return _show(request)


@sensitive_post_parameters("old", "password", "repeated")
@require_http_methods(["POST"])
def password(request: PageRequest) -> HttpResponse:
    """Change one's own password; other browsers are logged out, this one stays."""
    form = OwnPasswordForm(request.POST, user=request.user)
    if not form.is_valid():
        return _show(request, form=form, status=422)
    members.change_password(user=request.user, password=form.cleaned_data["password"])
    update_session_auth_hash(request, request.user)
    messages.success(request, gettext("Your password is changed. Other browsers are logged out."))
    return go_to(request, reverse("account"))


@require_http_methods(["POST"])
def languages(request: PageRequest) -> HttpResponse:
    """Store which languages one can judge; what else one can judge is for leads to say."""
    profile = Profile.objects.filter(user=request.user).first()
    if profile is None:
        raise Http404
    form = LanguagesForm(request.POST)
    if not form.is_valid():
        return _show(request, form=form, status=422)
    members.change_skills(
        member=profile,
        languages=form.cleaned_data["languages"],
        scenarios=profile.scenarios,
        actor=request.user,
    )
    messages.success(request, gettext("Stored."))
    return go_to(request, reverse("account"))


@require_http_methods(["POST"])
def sign_out_everywhere(request: PageRequest) -> HttpResponse:
    """Log the person out in every browser, this one too."""
    members.sign_out_everywhere(user=request.user, now=timezone.now())
    logout(request)
    messages.success(request, gettext("You are logged out everywhere."))
    return go_to(request, reverse("login"))


def _show(request: PageRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    profile = Profile.objects.filter(user=request.user).first()
    context = {
        "profile": profile,
        "role": ROLES[Role(profile.role)] if profile else "",
        "languages": language_choices(),
        "words": skill_words(),
        **more,
    }
    return render(request, "people/account.html", context, status=status)
