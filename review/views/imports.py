"""Imports for leads: files are uploaded, the worker imports them, and candidates are built of them."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRefresh

from generation.models import Job, JobKind, JobLeftOut, JobState
from generation.services import jobs, uploads
from generation.services.builds import build_order, sources_by_subtask
from generation.tasks import run_job, send
from review.views.access import require_lead
from review.views.downloads import table_file
from review.views.import_forms import BuildForm, KindForm
from review.views.import_page import job_context, job_words
from review.views.import_words import KINDS, REFUSALS
from review.views.rendering import PageRequest, go_to, render_page, wants_part
from review.views.upload_handler import TOO_LARGE

_JOBS_A_PAGE = 50
_LEFT_OUT = ("outcome", "file", "line", "field", "why")


@never_cache
@require_http_methods(["GET", "POST"])
def imports(request: PageRequest) -> HttpResponse:
    """Show what may be imported and what was, or keep an upload; 422 names what is wrong."""
    require_lead(request)
    if request.method == "GET":
        return _imports(request, KindForm(), BuildForm())
    form = KindForm(request.POST)
    try:
        if request.META.get(TOO_LARGE):
            raise uploads.UploadRefused("too_large")
        if form.is_valid():
            return go_to(request, reverse("import", args=[_kept(request, form).pk]))
    except uploads.UploadRefused as refused:
        form.add_error(None, _why(refused))
    return _imports(request, form, BuildForm(), status=422)


def _kept(request: PageRequest, form: KindForm) -> Job:
    files = request.FILES.getlist("files")
    folder, kept = uploads.keep((str(file.name), file.chunks()) for file in files)
    order = {"kind": form.cleaned_data["kind"], "files": kept}
    job = jobs.ask_for(kind=JobKind.IMPORT, order=order, folder=folder, actor=request.user)
    send(run_job, job.pk)
    return job


def _why(refused: uploads.UploadRefused) -> str:
    words = str(REFUSALS[refused.kind])
    return f"{words} ({refused.name})" if refused.name else words


def _imports(
    request: PageRequest, form: KindForm, build: BuildForm, *, status: int = 200
) -> HttpResponse:
    rows = Job.objects.select_related("asked_by")
    page = Paginator(rows, _JOBS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "kinds": KINDS.items(),
        "most_mb": settings.UPLOAD_MB,
        "most_files": uploads.MOST_FILES,
        "unpacked_mb": uploads.limits().total_bytes // 1024**2,
        "build": build,
        "there_are": sources_by_subtask().items(),
        "page": page,
        "rows": [(job, job_words(job)) for job in page],
    }
    return render(request, "generation/imports.html", context, status=status)


@never_cache
@require_http_methods(["GET"])
def import_page(request: PageRequest, pk: int) -> HttpResponse:
    """Show a job: how far it is, what came of it, what was left out, and what comes next."""
    require_lead(request)
    job = get_object_or_404(Job.objects.select_related("asked_by"), pk=pk)
    if wants_part(request) and job.state not in {JobState.QUEUED, JobState.RUNNING}:
        return HttpResponseClientRefresh()  # what was left out and what comes next stand beside it
    context = job_context(job)
    if job.kind == JobKind.IMPORT and job.state == JobState.DONE:
        context |= {"build": BuildForm(), "there_are": sources_by_subtask().items()}
    return render_page(request, "generation/import.html", context, part="progress")


@require_http_methods(["POST"])
def stop_import(request: PageRequest, pk: int) -> HttpResponse:
    """Stop a job; what is stored stays, whole."""
    require_lead(request)
    get_object_or_404(Job, pk=pk)
    jobs.stop(job_pk=pk, actor=request.user)
    return go_to(request, reverse("import", args=[pk]))


@require_http_methods(["POST"])
def resume_import(request: PageRequest, pk: int) -> HttpResponse:
    """Let a job go on; a message says why where it can't."""
    require_lead(request)
    get_object_or_404(Job, pk=pk)
    try:
        send(run_job, jobs.resume(job_pk=pk, actor=request.user).pk)
    except jobs.CannotResume as refused:
        gone = gettext("Its files were removed after a week: upload them again.")
        over = gettext("It runs, or is over.")
        messages.warning(request, gone if refused.kind == "files" else over)
    return go_to(request, reverse("import", args=[pk]))


@require_http_methods(["GET"])
def left_out_file(
    request: PageRequest, pk: int, suffix: str
) -> HttpResponse | StreamingHttpResponse:
    """Send the list of what an import left out, as CSV or JSON lines."""
    require_lead(request)
    job = get_object_or_404(Job, pk=pk)
    return table_file(_rows(job), list(_LEFT_OUT), name=f"import-{pk}-left-out", suffix=suffix)


def _rows(job: Job) -> Iterator[dict[str, Any]]:
    rows = JobLeftOut.objects.filter(job=job).values(*_LEFT_OUT)
    yield from rows.iterator(chunk_size=500)


@require_http_methods(["POST"])
def build(request: PageRequest) -> HttpResponse:
    """Ask for a build of candidates; 422 names what is wrong."""
    require_lead(request)
    form = BuildForm(request.POST)
    if not form.is_valid():
        return _imports(request, KindForm(), form, status=422)
    given = form.cleaned_data
    order = build_order(subtasks=given["subtasks"], seed=given["seed"], limit=given["limit"])
    job = jobs.ask_for(kind=JobKind.BUILD, order=order, actor=request.user)
    send(run_job, job.pk)
    return go_to(request, reverse("import", args=[job.pk]))
