"""Imports and builds, which the worker does: asked for, watched, stopped and resumed by leads."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response

from generation.core.importers.catalogue import IMPORTERS
from generation.models import Job, JobKind, JobLeftOut
from generation.services import jobs, uploads
from generation.services.builds import build_order
from generation.tasks import run_job, send
from review.api.pages import DOCUMENTED, PARAMETERS, page_of, refuse_unknown
from review.api.problems import Problem, invalid
from review.api.raw_body import RawParser
from review.api.schema import documented, id_in_path
from review.api.serializers.jobs import BuildRequest, JobPage, JobSerializer, LeftOutPage
from review.api.serializers.requests import read
from review.api.view import LeadView, MemberCall, ok

TAG = "imports"
JOB = [id_in_path("job")]
_COLUMNS = (
    "kind",
    "state",
    "order",
    "result",
    "failure",
    "failure_detail",
    "asked_at",
    "finished_at",
)
_NAME = OpenApiParameter(
    "name",
    {"type": "string", "minLength": 1, "maxLength": 200},
    required=True,
    description="The file's name; its ending says what it is, and whether it is unpacked.",
)
_WORDS = {
    "empty": "The body is empty.",
    "disk_full": "The server's disk has no room for the file.",
    "unsafe_name": "Not the name of a file",
}


def _row(job: Job) -> dict[str, Any]:
    progress = jobs.progress_of(job, now=timezone.now())
    return {
        "id": job.pk,
        **{name: getattr(job, name) for name in _COLUMNS},
        "done": progress.done,
        "total": progress.total,
        "percent": progress.percent,
        "per_second": progress.per_second,
        "ends_at": progress.ends_at,
        "can_go_on": jobs.can_go_on(job),
    }


def _rows(found: Iterable[Job]) -> Iterable[dict[str, Any]]:
    return map(_row, found)


def _accepted(job: Job) -> Response:
    """Tell the worker, and answer where the job may be watched."""
    send(run_job, job.pk)
    response = ok(_row(job), HTTPStatus.ACCEPTED)
    response["Location"] = reverse("api:job", args=[job.pk])
    return response


class Imports(LeadView):
    """Imports of files."""

    parser_classes = [RawParser]

    @documented(
        "import_file",
        JobSerializer,
        413,
        415,
        422,
        body={"application/octet-stream": OpenApiTypes.BINARY},
        parameters=[
            OpenApiParameter(
                "kind",
                OpenApiTypes.STR,
                required=True,
                enum=sorted(IMPORTERS),
                description="What the file holds.",
            ),
            _NAME,
        ],
        tag=TAG,
        status=HTTPStatus.ACCEPTED,
    )
    def post(self, request: MemberCall) -> Response:
        """Import a file, or an archive of files: the body is its bytes.

        The worker imports it; watch the job that this answers with. What was imported before is
        not taken twice.
        """
        refuse_unknown(request, ("kind", "name"))
        kind, name = request.query_params.get("kind"), request.query_params.get("name", "")
        if kind not in IMPORTERS:
            raise invalid({"kind": f"One of {', '.join(sorted(IMPORTERS))}."})
        if len(name) > 200:
            raise invalid({"name": "Not longer than 200 characters."})
        try:
            pieces: Any = request.data
            folder, kept = uploads.keep([(name, pieces)])
        except uploads.UploadRefused as refused:
            raise _refused(refused) from refused
        order = {"kind": kind, "files": kept}
        return _accepted(
            jobs.ask_for(kind=JobKind.IMPORT, order=order, folder=folder, actor=request.user)
        )


def _refused(refused: uploads.UploadRefused) -> Problem:
    if refused.kind == "too_large":
        words = f"The file is larger than {settings.UPLOAD_MB} MB."
        return Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, words, code="too_large")
    if refused.kind == "unsafe_name":
        return invalid({"name": f"{_WORDS['unsafe_name']}: {refused.detail}."})
    return invalid({"": _WORDS[refused.kind]})


class Builds(LeadView):
    """Builds of candidates."""

    @documented(
        "build_candidates",
        JobSerializer,
        body=BuildRequest,
        tag=TAG,
        status=HTTPStatus.ACCEPTED,
    )
    def post(self, request: MemberCall) -> Response:
        """Build candidates from the stored sources; those that are there already stay."""
        given = read(BuildRequest, request)
        try:
            order = build_order(**given)
        except ValueError as error:
            raise invalid({"subtasks": str(error)}) from error
        return _accepted(jobs.ask_for(kind=JobKind.BUILD, order=order, actor=request.user))


class Jobs(LeadView):
    """All imports and builds."""

    @documented("jobs", JobPage, 422, parameters=DOCUMENTED, tag=TAG)
    def get(self, request: MemberCall) -> Response:
        """List imports and builds."""
        refuse_unknown(request, PARAMETERS)
        return page_of(request, Job.objects.all(), _rows)


class OneJob(LeadView):
    """An import or a build."""

    @documented("job", JobSerializer, 404, parameters=JOB, tag=TAG)
    def get(self, _request: MemberCall, pk: int) -> Response:
        """Read how far an import or a build is, and what came of it."""
        return ok(_row(get_object_or_404(Job, pk=pk)))


class LeftOut(LeadView):
    """What an import left out."""

    @documented("job_left_out", LeftOutPage, 404, 422, parameters=[*JOB, *DOCUMENTED], tag=TAG)
    def get(self, request: MemberCall, pk: int) -> Response:
        """List what an import refused, passed over or did not read; `after` is a row's number."""
        refuse_unknown(request, PARAMETERS)
        rows = JobLeftOut.objects.filter(job=get_object_or_404(Job, pk=pk))
        return page_of(request, rows, lambda found: map(_left_out, found), key="number")


def _left_out(row: JobLeftOut) -> dict[str, Any]:
    return {
        name: getattr(row, name) for name in ("number", "outcome", "file", "line", "field", "why")
    }


class Stop(LeadView):
    """Stopping."""

    @documented("stop_job", JobSerializer, 404, parameters=JOB, tag=TAG)
    def post(self, request: MemberCall, pk: int) -> Response:
        """Stop an import or a build: what is stored stays, whole. One that is over stays as it is."""
        get_object_or_404(Job, pk=pk)
        return ok(_row(jobs.stop(job_pk=pk, actor=request.user)))


class Resume(LeadView):
    """Going on."""

    @documented(
        "resume_job", JobSerializer, 404, 409, parameters=JOB, tag=TAG, status=HTTPStatus.ACCEPTED
    )
    def post(self, request: MemberCall, pk: int) -> Response:
        """Let an import or a build go on that was stopped, or whose workers ended.

        409 where it runs or is over (`state`), or its files were removed after a week (`files`).
        """
        get_object_or_404(Job, pk=pk)
        try:
            return _accepted(jobs.resume(job_pk=pk, actor=request.user))
        except jobs.CannotResume as refused:
            words = "It can't go on: it runs, is over, or its files are gone."
            raise Problem(HTTPStatus.CONFLICT, words, code=refused.kind) from refused
