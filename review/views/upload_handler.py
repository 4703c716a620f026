"""Takes the files of a form from leads, on the page for them, and only so many bytes.

Django reads a form's files before any view runs, whoever sends them and wherever to.
"""

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.core.files.uploadhandler import SkipFile, StopUpload, TemporaryFileUploadHandler
from django.http import HttpRequest
from django.urls import reverse

from generation.services.uploads import most_bytes
from review.authentication import is_lead

TOO_LARGE = "apt.upload_too_large"
"""Set in a request's META where its files were more than are taken; none of them is there then."""
_FIELDS_BESIDE = 1024 * 1024


class LeadsUploads(TemporaryFileUploadHandler):
    """Writes files into the folder of uploads; those of anybody else, or elsewhere, are dropped."""

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self._bytes = 0
        self._sent = 0

    def handle_raw_input(
        self,
        input_data: IO[bytes],
        META: Mapping[str, Any],
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> None:
        """Note how much is sent."""
        self._sent = content_length

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin a file.

        Raises:
            SkipFile: nobody asked for it, or the person may not.
            StopUpload: more is sent than is taken.
        """
        if not _may_upload(self.request):
            raise SkipFile
        if self._sent > most_bytes() + _FIELDS_BESIDE:
            self._stop()
        settings.UPLOADS_DIR.mkdir(parents=True, exist_ok=True)
        super().new_file(*args, **kwargs)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Write a piece.

        Raises:
            StopUpload: more comes than is taken.
        """
        self._bytes += len(raw_data)
        if self._bytes > most_bytes():
            self._stop()
        return super().receive_data_chunk(raw_data, start)

    def _stop(self) -> None:
        if self.request is not None:
            self.request.META[TOO_LARGE] = True
        # Read to its end where that is near: a browser shows no answer before it has sent all.
        raise StopUpload(connection_reset=self._sent > 4 * most_bytes())


def _may_upload(request: HttpRequest | None) -> bool:
    if request is None or request.path_info != reverse("imports"):
        return False
    return request.user.is_authenticated and is_lead(request.user)
