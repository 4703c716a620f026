"""The words of actions on many items."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from review.models import BulkKind, BulkOutcome

KINDS = {
    BulkKind.WITHDRAW: _("withdraw from review"),
    BulkKind.QUEUE: _("send to review"),
    BulkKind.RETURN: _("return for a new round of reviews"),
    BulkKind.REJECT: _("reject with a reason"),
    BulkKind.GIVE: _("give to people"),
    BulkKind.CHECK: _("check again"),
}
MEANINGS = {
    BulkKind.WITHDRAW: _(
        "The items wait outside the queue until somebody sends them to review again. Reviews that they have stay and count."
    ),
    BulkKind.QUEUE: _(
        "Items that are checked and wait outside the queue are given to reviewers from now on."
    ),
    BulkKind.RETURN: _(
        "Settled and disputed items go to other reviewers, with all places free. What was said before stays to be read and settles nothing any more."
    ),
    BulkKind.REJECT: _(
        "The items enter no release from now on. It says something of the items alone: no reviewer is counted as overturned."
    ),
    BulkKind.GIVE: _(
        "The items come first in these people's queues and hold a place for them for some days."
    ),
    BulkKind.CHECK: _(
        "The automatic checks of each item by itself run anew, in the worker. Repeated rows, which need all items, stay as they were found."
    ),
}
OUTCOMES = {
    BulkOutcome.WAITING: pgettext_lazy("bulk item", "to be done"),
    BulkOutcome.CHANGED: pgettext_lazy("bulk item", "changed"),
    BulkOutcome.LEFT: pgettext_lazy("bulk item", "left as they were"),
    BulkOutcome.UNDONE: pgettext_lazy("bulk item", "put back"),
    BulkOutcome.KEPT: pgettext_lazy("bulk item", "not put back"),
}
