"""The people of the project: leads see them and what they can judge, admins manage them."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.authentication import is_admin
from review.models import Profile, Role
from review.services import members
from review.services.people import people
from review.services.withdrawal import AlreadyWithdrawn, withdraw
from review.views.access import require_lead
from review.views.lead_tables import PEOPLE
from review.views.people_forms import (
    ROLES,
    RoleForm,
    SkillsForm,
    language_choices,
    scenario_choices,
)
from review.views.rendering import PageRequest, go_to


def require_admin(request: PageRequest) -> None:
    """Refuse a person who is no admin.

    Raises:
        PermissionDenied: always where they are not; the answer is 403.
    """
    if not is_admin(request.user):
        raise PermissionDenied


@never_cache
@require_http_methods(["GET"])
def people_page(request: PageRequest) -> HttpResponseBase:
    """List everybody, with what they can judge and what they did; names in files are pseudonyms."""
    require_lead(request)
    everybody = people()
    if file := PEOPLE.file(request.GET, everybody):
        return file
    table = PEOPLE.shown(request.GET, everybody)
    context = {"people": table.rows, "table": table, "roles": ROLES, "words": skill_words()}
    return render(request, "people/people.html", context)


@never_cache
@require_http_methods(["GET"])
def person_page(request: PageRequest, pk: int) -> HttpResponse:
    """Show one member, and what may be changed of them."""
    require_lead(request)
    return _show(request, pk)


@require_http_methods(["POST"])
def skills(request: PageRequest, pk: int) -> HttpResponse:
    """Store which languages and scenarios a member can judge."""
    require_lead(request)
    member = get_object_or_404(Profile, pk=pk)
    form = SkillsForm(request.POST)
    if not form.is_valid():
        return _show(request, pk, form=form, status=422)
    members.change_skills(member=member, actor=request.user, **form.cleaned_data)
    messages.success(request, gettext("Stored."))
    return go_to(request, _address(pk))


@require_http_methods(["POST"])
def vouch(request: PageRequest, pk: int) -> HttpResponse:
    """Let a member work without the qualification round."""
    require_lead(request)
    member = get_object_or_404(Profile, pk=pk)
    members.vouch(member=member, actor=request.user, now=timezone.now())
    messages.success(request, gettext("They need no qualification round now."))
    return go_to(request, _address(pk))


@require_http_methods(["POST"])
def role(request: PageRequest, pk: int) -> HttpResponse:
    """Give a member another role."""
    require_admin(request)
    member = get_object_or_404(Profile, pk=pk)
    form = RoleForm(request.POST)
    if not form.is_valid():
        return _show(request, pk, form=form, status=422)
    new = Role(form.cleaned_data["role"])
    try:
        members.change_role(member=member, role=new, actor=request.user)
    except members.LastAdmin:
        return _only_admin(request, pk)
    messages.success(request, gettext("Stored."))
    return go_to(request, _address(pk))


@require_http_methods(["POST"])
def deactivate(request: PageRequest, pk: int) -> HttpResponse:
    """Let a member log in no more; the places of their running turns are free."""
    require_admin(request)
    member = get_object_or_404(Profile, pk=pk)
    try:
        ended = members.deactivate(member=member, actor=request.user, now=timezone.now())
    except members.LastAdmin:
        return _only_admin(request, pk)
    words = gettext("They can't log in any more. Places that are free again: %(n)s.")
    messages.success(request, words % {"n": ended})
    return go_to(request, _address(pk))


@require_http_methods(["POST"])
def reactivate(request: PageRequest, pk: int) -> HttpResponse:
    """Let a member log in again."""
    require_admin(request)
    (person,) = people(pk) or _none()
    if not person.is_withdrawn:
        members.reactivate(member=person.profile, actor=request.user)
        messages.success(request, gettext("They can log in again."))
    return go_to(request, _address(pk))


@require_http_methods(["POST"])
def withdraw_person(request: PageRequest, pk: int) -> HttpResponse:
    """Replace what names a person, where their name was typed to confirm it; 422 where not."""
    require_admin(request)
    member = get_object_or_404(Profile.objects.select_related("user"), pk=pk)
    if request.POST.get("word", "").strip() != member.user.username:
        problem = gettext("Type the name exactly as it stands above. Nothing was done.")
        return _show(request, pk, word_problem=problem, status=422)
    try:
        name = withdraw(member=member, actor=request.user, now=timezone.now())
    except members.LastAdmin:
        return _only_admin(request, pk)
    except AlreadyWithdrawn:
        return go_to(request, _address(pk))
    words = gettext("What named this person is gone. They are %(name)s from now on.")
    messages.success(request, words % {"name": name})
    return go_to(request, reverse("people"))


def skill_words() -> dict[str, Any]:
    """Return the words for languages and scenarios, by value."""
    return dict([*language_choices(), *scenario_choices()])


def _show(request: PageRequest, pk: int, *, status: int = 200, **more: Any) -> HttpResponse:
    (person,) = people(pk) or _none()
    context = {
        "person": person,
        "is_admin": is_admin(request.user),
        "roles": list(ROLES.items()),
        "role_word": ROLES[Role(person.profile.role)],
        "languages": language_choices(),
        "scenarios": scenario_choices(),
        **more,
    }
    return render(request, "people/person.html", context, status=status)


def _none() -> Any:
    raise Http404


def _address(pk: int) -> str:
    return reverse("person", args=[pk])


def _only_admin(request: PageRequest, pk: int) -> HttpResponse:
    messages.warning(
        request, gettext("Nothing was changed: the only active admin stays. Name another first.")
    )
    return go_to(request, _address(pk))
