"""Frozen releases: their manifests, items and files, for leads."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import orjson
from django.db.models import QuerySet
from django.http import Http404, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.response import Response

from review.api.pages import DOCUMENTED, PARAMETERS, page_of, refuse_unknown
from review.api.schema import documented
from review.api.serializers.records import ItemPage, ReleaseDetailSerializer, ReleasePage
from review.api.view import LeadView, MemberCall, ok
from review.core.spool import unpack
from review.models import ItemRole, Release, ReleaseItem
from review.services.exports import file_parts

TAG = "releases"
VERSION = OpenApiParameter(
    "version", OpenApiTypes.STR, OpenApiParameter.PATH, description="The release's version."
)
_FIELDS = (
    "version",
    "name",
    "frozen_at",
    "validation",
    "shots",
    "code_version",
    "digest",
    "canary",
)


def _named(version: str, rows: QuerySet[Release]) -> Release:
    """Return the release of that version; one with NUL is none, and PostgreSQL takes no NUL."""
    if "\x00" in version:
        raise Http404
    return get_object_or_404(rows, version=version)


def _row(release: Release) -> dict[str, Any]:
    return {name: getattr(release, name) for name in _FIELDS}


class Releases(LeadView):
    """All releases."""

    @documented("releases", ReleasePage, 422, parameters=DOCUMENTED, tag=TAG)
    def get(self, request: MemberCall) -> Response:
        """List the frozen releases."""
        refuse_unknown(request, PARAMETERS)
        rows = Release.objects.only(*_FIELDS)
        return page_of(request, rows, lambda found: map(_row, found))


class OneRelease(LeadView):
    """A release."""

    @documented("release", ReleaseDetailSerializer, 404, parameters=[VERSION], tag=TAG)
    def get(self, _request: MemberCall, version: str) -> Response:
        """Read a release's manifest, what did not enter it and why, and where its files are."""
        release = _named(version, Release.objects.defer("files"))
        files = {
            entry["path"]: reverse("api:release-file", args=[version, entry["path"]])
            for entry in release.manifest.get("files", ())
        }
        more = {"manifest": release.manifest, "left_out": release.left_out, "files": files}
        return ok(_row(release) | more)


class Items(LeadView):
    """The items of a release."""

    @documented("release_items", ItemPage, 404, 422, parameters=[VERSION, *DOCUMENTED], tag=TAG)
    def get(self, request: MemberCall, version: str) -> Response:
        """List a release's test items, each as the export's line has it."""
        refuse_unknown(request, PARAMETERS)
        release = _named(version, Release.objects.only("pk"))
        rows = ReleaseItem.objects.filter(release=release, role=ItemRole.TEST).only("line")
        return page_of(request, rows, _items)


def _items(rows: Iterable[ReleaseItem]) -> Iterable[Any]:
    return (orjson.loads(unpack(row.line)) for row in rows)


class File(LeadView):
    """A file of a release's native export."""

    @documented(
        "release_file",
        OpenApiResponse(OpenApiTypes.BINARY, "The file, as the native export has it."),
        404,
        content_type="application/octet-stream",
        parameters=[
            VERSION,
            OpenApiParameter(
                "path", OpenApiTypes.STR, OpenApiParameter.PATH, description="The file's path."
            ),
        ],
        tag=TAG,
    )
    def get(self, _request: MemberCall, version: str, path: str) -> HttpResponseBase:
        """Download a file named in the manifest."""
        release = _named(version, Release.objects.all())
        named = {entry["path"]: entry for entry in release.manifest.get("files", ())}
        if path not in named:
            raise Http404
        name = quote(f"{version}-{path.replace('/', '-')}", safe="")
        return StreamingHttpResponse(
            file_parts(release, path),
            status=HTTPStatus.OK,
            content_type="application/octet-stream",
            headers={
                "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
                "Content-Length": str(named[path]["bytes"]),
                "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff",
            },
        )
