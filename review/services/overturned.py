"""How often leads decided against a reviewer, over the disputes that they settled."""

from dataclasses import dataclass

from django.db.models import Count, F, Q

from review.core.scorer.intervals import wilson_interval
from review.models import Adjudication, Outcome
from review.services.places import counting_reviews


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
    settling = (Outcome.APPROVE, Outcome.REJECT)
    outcome = "assignment__revision__adjudications__outcome"
    # Named first, so that SQLite begins with the few revisions and not with all turns.
    settled = Adjudication.objects.filter(outcome__in=settling).values("revision")
    rows = (
        counting_reviews()
        .filter(assignment__revision__in=settled, **{f"{outcome}__in": settling})
        .values_list("assignment__reviewer__username", "assignment__reviewer")
        .annotate(settled=Count("pk"), against=Count("pk", filter=~Q(decision=F(outcome))))
    )
    return [Overturned(*row) for row in rows.order_by("assignment__reviewer__username")]
