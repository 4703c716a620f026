"""Parts of a disputed item's source that its page loads on demand."""

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse

from generation.models import Revision
from review.views.dispute_access import open_case
from review.views.rendering import PageRequest
from review.views.source_pieces import SourceParts


def _revision(request: PageRequest, pk: int) -> Revision:
    case = open_case(request, pk)
    if isinstance(case, HttpResponse):
        raise PermissionDenied
    return case.revision


PARTS = SourceParts("dispute", _revision)
