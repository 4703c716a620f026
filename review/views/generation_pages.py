"""Runs of generation for leads: started, watched, stopped, resumed, and every call read."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from generation.core.registry import SUBTASKS
from generation.models import CallState, GenerationRun, LLMCall, ModelEndpoint, RunState
from generation.services.generation_runs import (
    CannotRun,
    first_calls,
    resume_run,
    start_run,
    stop_run,
)
from generation.services.model_endpoints import usable_endpoints
from generation.services.run_progress import progress_of
from generation.tasks import make_call, send
from review.views.access import require_lead
from review.views.generation_forms import BudgetForm, RunForm
from review.views.generation_words import CALL_STATES, FAILURES, REFUSALS, RUN_STATES
from review.views.lead_tables import RUNS
from review.views.rendering import PageRequest, go_to, render_page

_RUNS_SHOWN = 50
_CALLS_A_PAGE = 50


@never_cache
@require_http_methods(["GET", "POST"])
def runs(request: PageRequest) -> HttpResponseBase:
    """Show the runs and what a new one asks for, or start one; 422 names what is wrong."""
    require_lead(request)
    if request.method == "GET":
        every = GenerationRun.objects.select_related("started_by")
        return RUNS.file(request.GET, every) or _runs(request, RunForm())
    form = RunForm(request.POST)
    if form.is_valid():
        try:
            run = _start(request, form.cleaned_data)
        except CannotRun as refused:
            form.add_error(None, REFUSALS[refused.kind])
        else:
            return go_to(request, reverse("generation-run", args=[run.pk]))
    return _runs(request, form, status=422)


def _start(request: PageRequest, given: dict[str, Any]) -> GenerationRun:
    run = start_run(
        subtasks=[SUBTASKS[name] for name in given["subtasks"]],
        endpoints=usable_endpoints(given["endpoints"]),
        budget_usd=given["budget"],
        seed=given["seed"],
        limit=given["limit"],
        actor=request.user,
    )
    _send(run)
    return run


def _send(run: GenerationRun) -> None:
    """Tell the worker of the first calls; of none after one that could not be sent."""
    all(send(make_call, call_pk) for call_pk in first_calls(run.pk))


def _runs(request: PageRequest, form: RunForm, *, status: int = 200) -> HttpResponse:
    latest = GenerationRun.objects.select_related("started_by")[:_RUNS_SHOWN]
    table = RUNS.shown(request.GET, latest)
    context = {
        "form": form,
        "table": table,
        "rows": [(run, RUN_STATES[RunState(run.state)]) for run in table.rows],
        "endpoints": ModelEndpoint.objects.all(),
    }
    return render(request, "generation/runs.html", context, status=status)


@never_cache
@require_http_methods(["GET"])
def run_page(request: PageRequest, pk: int) -> HttpResponse:
    """Show a run: how far it is, what it cost, and its calls a page at a time."""
    require_lead(request)
    run = get_object_or_404(GenerationRun.objects.select_related("started_by"), pk=pk)
    return _run(request, run)


def _run(
    request: PageRequest, run: GenerationRun, *, error: str = "", status: int = 200
) -> HttpResponse:
    state = request.GET.get("state", "")
    calls = run.calls.defer("request", "response").order_by("pk")
    chosen = calls.filter(state=state) if state in CallState.values else calls
    page = Paginator(chosen, _CALLS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "run": run,
        "state_word": RUN_STATES[RunState(run.state)],
        "progress": progress_of(run, now=timezone.now()),
        "error": error,
        "page": page,
        "state": state,
        "states": CALL_STATES.items(),
        "rows": [(c, CALL_STATES[CallState(c.state)], FAILURES.get(c.failure, "")) for c in page],
    }
    return render_page(request, "generation/run.html", context, part="progress", status=status)


@require_http_methods(["POST"])
def stop(request: PageRequest, pk: int) -> HttpResponse:
    """Stop a run; calls under way end, and no other begins."""
    require_lead(request)
    get_object_or_404(GenerationRun, pk=pk)
    stop_run(run_pk=pk, actor=request.user)
    messages.success(request, gettext("The run is stopped. Calls under way come to their end."))
    return go_to(request, reverse("generation-run", args=[pk]))


@require_http_methods(["POST"])
def resume(request: PageRequest, pk: int) -> HttpResponse:
    """Let a run go on with the given budget; 422 says why it can't."""
    require_lead(request)
    run = get_object_or_404(GenerationRun.objects.select_related("started_by"), pk=pk)
    form = BudgetForm(request.POST)
    if not form.is_valid():
        return _run(request, run, error=str(REFUSALS["budget"]), status=422)
    try:
        _send(resume_run(run_pk=pk, actor=request.user, budget_usd=form.cleaned_data["budget"]))
    except CannotRun as refused:
        return _run(request, run, error=str(REFUSALS[refused.kind]), status=422)
    return go_to(request, reverse("generation-run", args=[pk]))


@never_cache
@require_http_methods(["GET"])
def call_page(request: PageRequest, pk: int) -> HttpResponse:
    """Show one call: what was asked and what came back, as text."""
    require_lead(request)
    call = get_object_or_404(LLMCall.objects.select_related("run", "endpoint"), pk=pk)
    context = {
        "call": call,
        "state_word": CALL_STATES[CallState(call.state)],
        "failure_word": FAILURES.get(call.failure, ""),
        "asked": call.request.get("messages", []),
        "came": (call.response or {}).get("body", ""),
        "options": call.options.select_related("revision").order_by("revision", "position"),
    }
    return render(request, "generation/call.html", context)
