"""The tables of disputes as files: those that wait, and how often reviewers were overturned."""

from collections.abc import Sequence

from django.http import QueryDict, StreamingHttpResponse

from review.services.dispute_list import Dispute, disputed_since
from review.services.overturned import overturned_reviewers
from review.views.lead_tables import DISPUTES, OVERTURNED
from review.views.tables import FILE


def dispute_file(asked: QueryDict, found: Sequence[Dispute]) -> StreamingHttpResponse | None:
    """Return the file that an address asks for, None where it asks for none."""
    if FILE + DISPUTES.name in asked:
        since = disputed_since(found)
        return DISPUTES.file(asked, [(dispute, since.get(dispute.revision)) for dispute in found])
    if FILE + OVERTURNED.name in asked:
        return OVERTURNED.file(asked, overturned_reviewers())
    return None
