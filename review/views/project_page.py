"""The project's settings and its control items: for leads and admins."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from generation.core.registry import SUBTASKS
from generation.models import AuditEvent, Candidate
from review.forms import REASONS
from review.models import Control, ControlUse, Decision, Project, Purpose
from review.services.controls import (
    ControlRefused,
    control_results,
    make_control,
    retire_control,
)
from review.services.project import (
    ProjectRefused,
    change_project,
    project,
    wanted_by_default,
)
from review.views.access import require_lead
from review.views.project_form import KNOWN, OVERLAP, USES, ControlForm, ProjectForm
from review.views.rendering import PageRequest, go_to
from review.views.told import told

_CHANGES_SHOWN = 10


@never_cache
@require_http_methods(["GET", "POST"])
def project_page(request: PageRequest) -> HttpResponse:
    """Show the settings with what each does, or store them; 422 names what can't hold."""
    require_lead(request)
    now = project()
    if request.method == "GET":
        return _settings(request, now, ProjectForm(initial=_initial(now)))
    form = ProjectForm(request.POST)
    if form.is_valid():
        try:
            change_project(actor=request.user, **form.given())
        except ProjectRefused as refused:
            for name, why in refused.problems.items():
                form.add_error(name if name in form.fields else None, told(why))
        else:
            messages.success(request, gettext("The settings are stored."))
            return go_to(request, reverse("project"))
    return _settings(request, now, form, status=422)


@never_cache
@require_http_methods(["GET", "POST"])
def controls(request: PageRequest) -> HttpResponse:
    """List the control items with what they are for and how people did, or make one."""
    require_lead(request)
    if request.method == "GET":
        asked = request.GET.get("candidate", "")
        initial = {"candidate": asked if asked.isdecimal() else "", "use": ControlUse.QUEUE}
        return _controls(request, ControlForm(initial=initial))
    form = ControlForm(request.POST)
    if form.is_valid():
        given = dict(form.cleaned_data)
        candidate = Candidate.objects.filter(pk=given.pop("candidate")).first()
        if candidate is None:
            form.add_error("candidate", gettext("There is no item of this number."))
        elif _is_made(form, candidate, given, request):
            messages.success(request, gettext("The control item is made."))
            return go_to(request, reverse("controls"))
    return _controls(request, form, status=422)


def _is_made(
    form: ControlForm, candidate: Candidate, given: dict[str, Any], request: PageRequest
) -> bool:
    if given["decision"] == Decision.APPROVE:
        given["reject_reason"] = ""
    try:
        make_control(lead=request.user, candidate=candidate, now=timezone.now(), **given)
    except ControlRefused as refused:
        for name, why in refused.problems.items():
            form.add_error(name if name in form.fields else None, told(why))
        return False
    return True


@require_http_methods(["POST"])
def retire(request: PageRequest, pk: int) -> HttpResponse:
    """Give a control item to nobody any more."""
    require_lead(request)
    control = get_object_or_404(Control, pk=pk)
    retire_control(lead=request.user, control=control, now=timezone.now())
    messages.success(request, gettext("The control item is given to nobody any more."))
    return go_to(request, reverse("controls"))


def _initial(now: Project) -> dict[str, Any]:
    overlap = {OVERLAP + name: wanted for name, wanted in now.overlap.items()}
    return overlap | {
        "reviews_wanted": now.reviews_wanted,
        "control_percent": now.control_percent,
        "qualification_items": now.qualification_items,
        "qualification_bar": now.qualification_bar,
    }


def _settings(
    request: PageRequest, now: Project, form: ProjectForm, *, status: int = 200
) -> HttpResponse:
    uses = list(Control.objects.filter(retired_at=None).values_list("use", flat=True))
    changes = AuditEvent.objects.filter(action="project.changed").select_related("actor")
    context = {
        "form": form,
        "overlap": [(name, form[OVERLAP + name]) for name in SUBTASKS],
        "by_default": wanted_by_default(now),
        "n_queue": uses.count(ControlUse.QUEUE),
        "n_qualification": uses.count(ControlUse.QUALIFICATION),
        "changes": changes[:_CHANGES_SHOWN],
    }
    return render(request, "project/project.html", context, status=status)


def _controls(request: PageRequest, form: ControlForm, *, status: int = 200) -> HttpResponse:
    rows = Control.objects.select_related("candidate", "made_by").order_by("retired_at", "-pk")
    reasons = {reason.value: word for reason, word in REASONS}
    context = {
        "form": form,
        "rows": [
            (
                control,
                USES[ControlUse(control.use)],
                KNOWN[Decision(control.decision)],
                reasons.get(control.reject_reason, ""),
            )
            for control in rows
        ],
        "uses": list(USES.items()),
        "known": list(KNOWN.items()),
        "reasons": REASONS,
        "results": [
            (
                result,
                result.purpose == Purpose.QUALIFICATION,
                *(round(100 * share) for share in (result.share, *result.interval)),
            )
            for result in control_results()
        ],
    }
    return render(request, "project/controls.html", context, status=status)
