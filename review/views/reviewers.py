"""The numbers of reviewers: everybody sees their own, leads see all. Advisory, in no order of merit."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from review.authentication import is_lead
from review.models import Measurement, Profile
from review.services.item_access import openable
from review.services.measurements import measurement
from review.services.votes import pseudonym
from review.views.access import require_lead
from review.views.measured import ask, show
from review.views.rendering import PageRequest, go_to, render_page
from review.views.reviewer_rows import Person, numbers_of, person_of
from review.views.tables import Column, Table

NAME = "reviewers"
_LISTS = ("missed", "against")
TABLE = Table(
    "reviewers",
    (
        Column(
            "reviewer", _("reviewer"), lambda row: row.name, in_file=lambda row: pseudonym(row.user)
        ),
        Column("reviews", _("reviews"), lambda row: row.reviews, is_number=True),
        Column("seconds", _("median active time"), lambda row: row.seconds, is_number=True),
        Column("blind", _("blind answer right"), lambda row: row.blind.value, is_number=True),
        Column("blind_n", "n", lambda row: row.blind.n, is_number=True),
        Column(
            "controls", _("control items right"), lambda row: row.controls.value, is_number=True
        ),
        Column("controls_n", "n", lambda row: row.controls.n, is_number=True),
        Column(
            "agreement", _("decided as others"), lambda row: row.agreement.value, is_number=True
        ),
        Column("agreement_n", "n", lambda row: row.agreement.n, is_number=True),
        Column(
            "overturned",
            _("lead decided otherwise"),
            lambda row: row.overturned.value,
            is_number=True,
        ),
        Column("overturned_n", "n", lambda row: row.overturned.n, is_number=True),
        Column("returned", _("edits returned"), lambda row: row.returned, is_number=True),
    ),
    anchor="reviewers-title",
)


@never_cache
@require_http_methods(["GET", "POST"])
def reviewers(request: PageRequest) -> HttpResponse | StreamingHttpResponse:
    """List everybody with their numbers, by name, or ask for new ones."""
    require_lead(request)
    if request.method == "POST":
        ask(request, NAME)
        return go_to(request, request.get_full_path())
    row = measurement(NAME)
    people = _people(row)
    if file := TABLE.file(request.GET, people):
        return file
    context = {"table": TABLE.shown(request.GET, people)}
    return show(request, "review/reviewers.html", row, context)


def _people(row: Measurement) -> list[Person]:
    """Return the people of a result who are members now, by name."""
    found = row.data.get("people", {})
    profiles = dict(Profile.objects.filter(user__in=list(found)).values_list("user_id", "pk"))
    return [
        person_of(profiles[int(user)], int(user), own)
        for user, own in found.items()
        if int(user) in profiles
    ]


@never_cache
@require_http_methods(["GET", "POST"])
def reviewer(request: PageRequest, pk: int) -> HttpResponse:
    """Show a person's numbers to themselves or to a lead, or ask for new ones."""
    profile = _profile(request, pk)
    if request.method == "POST":
        ask(request, NAME)
        messages.info(request, gettext("The numbers are counted anew; many reviews take a while."))
        return go_to(request, request.get_full_path())
    row, for_lead = measurement(NAME), is_lead(request.user)
    own = row.data.get("people", {}).get(str(profile.user_id))
    context: dict[str, Any] = {
        "profile": profile,
        "is_you": profile.user_id == request.user.pk,
        "for_lead": for_lead,
        "items_of": _items_of(profile),
        "has_own": own is not None,
    }
    if own is not None:
        context |= numbers_of(own, for_lead=for_lead) | _listed(request, profile, own)
    if for_lead:
        return show(request, "review/reviewer.html", row, context)
    return render_page(request, "review/reviewer.html", {**context, "row": row}, part="state")


def _items_of(profile: Profile) -> str:
    """Return the address of the real items that the person has reviewed, for leads."""
    asked = {"reviewer": profile.user.get_username(), "control": "no"}
    return f"{reverse('items')}?{urlencode(asked)}"


def _profile(request: PageRequest, pk: int) -> Profile:
    """Return the profile whose page is asked for.

    Raises:
        Http404: there is none, or the person is neither it nor a lead.
    """
    profile = Profile.objects.select_related("user").filter(pk=pk).first()
    if profile is None or not (profile.user_id == request.user.pk or is_lead(request.user)):
        raise Http404
    return profile


def _listed(request: PageRequest, profile: Profile, own: dict[str, Any]) -> dict[str, Any]:
    """Return the turns to look at again: the person's own, or items that the lead may open."""
    if profile.user_id == request.user.pk:
        return {name: own[name] for name in _LISTS}
    keys = [candidate for name in _LISTS for _turn, candidate, _subtask in own[name]]
    opened = set(openable(request.user).filter(pk__in=keys).values_list("pk", flat=True))
    return {name: [row for row in own[name] if row[1] in opened] for name in _LISTS}
