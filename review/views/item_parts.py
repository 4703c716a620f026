"""Parts of an item's source that its page loads on demand."""

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404

from generation.models import Revision
from review.services.item_access import may_open_item
from review.views.access import own_turn_before_look, require_lead
from review.views.rendering import PageRequest
from review.views.source_pieces import SourceParts


def _revision(request: PageRequest, pk: int) -> Revision:
    """Return the current revision of an item that the lead may open."""
    require_lead(request)
    revision = get_object_or_404(Revision.objects.current().with_content(), candidate=pk)
    if not may_open_item(lead=request.user, candidate=revision.candidate):
        raise Http404
    if own_turn_before_look(request, revision):
        raise PermissionDenied
    return revision


PARTS = SourceParts("item", _revision)
