"""How often leads decided against a reviewer, over the disputes that they settled."""

from dataclasses import dataclass

from django.db.models import Count, Q

from review.core.scorer.intervals import wilson_interval
from review.models import Adjudication, Decision, Outcome
from review.services.places import counting_reviews


def _decided(*outcomes: Outcome) -> Q:
    """Return what finds the reviews of revisions that a lead decided so."""
    decided = Adjudication.objects.filter(outcome__in=outcomes)
    return Q(assignment__revision__in=decided.values("revision"))


_UPHELD = (_decided(Outcome.APPROVE) & Q(decision=Decision.APPROVE)) | (
    _decided(Outcome.REJECT) & Q(decision=Decision.REJECT)
)


@dataclass(frozen=True, slots=True)
class Overturned:
    """A reviewer's part in settled disputes: in ``against`` of ``settled`` a lead decided otherwise.

    ``person`` is the reviewer's key.

    A returned dispute is not settled, and its reviews were neither right nor wrong.
    """

    reviewer: str
    person: int
    settled: int
    against: int

    @property
    def share(self) -> float:
        """The share of settled disputes in which the lead decided otherwise, 0 to 1."""
        return self.against / self.settled

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the share."""
        return wilson_interval(self.share, self.settled)


def overturned_reviewers() -> list[Overturned]:
    """Return everybody who had a part in a settled dispute, by name; in one query."""
    # By key, so that databases begin with the few settled revisions and not with all turns.
    rows = (
        counting_reviews()
        .filter(_decided(Outcome.APPROVE, Outcome.REJECT))
        .values_list("assignment__reviewer__username", "assignment__reviewer")
        .annotate(settled=Count("pk"), against=Count("pk", filter=~_UPHELD))
    )
    return [Overturned(*row) for row in rows.order_by("assignment__reviewer__username")]
