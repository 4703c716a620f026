"""How far a run is: what is done, at which rate, when it will end."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import Count, Q

from generation.models import CallState, GenerationRun, RunState

_LOOKED_BACK = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class RunProgress:
    """Calls by state; ``per_minute`` over the last ten minutes; ``ends_at`` None where unknown.

    ``gone_usd`` counts against the budget: spent, reserved, and perhaps spent on lost answers.
    """

    total: int
    done: int
    failed: int
    running: int
    later: int
    per_minute: float
    ends_at: datetime | None
    gone_usd: Decimal

    @property
    def finished(self) -> int:
        """How many calls are done or have failed."""
        return self.done + self.failed

    @property
    def percent(self) -> int:
        """The share of finished calls, 0 to 100, rounded down."""
        return 100 * self.finished // self.total if self.total else 100


def progress_of(run: GenerationRun, *, now: datetime) -> RunProgress:
    """Return how far a run is, in one query."""
    since = now - _LOOKED_BACK
    counts = run.calls.aggregate(
        total=Count("pk"),
        done=Count("pk", filter=Q(state=CallState.DONE)),
        failed=Count("pk", filter=Q(state=CallState.FAILED)),
        running=Count("pk", filter=Q(state=CallState.RUNNING)),
        later=Count("pk", filter=Q(state=CallState.QUEUED, not_before__gt=now)),
        lately=Count("pk", filter=Q(finished_at__gt=since)),
    )
    lately = counts.pop("lately")
    minutes = max(1 / 60, min(_LOOKED_BACK, now - run.created_at) / timedelta(minutes=1))
    rate = lately / minutes
    left = counts["total"] - counts["done"] - counts["failed"]
    knows = run.state == RunState.RUNNING and rate > 0
    return RunProgress(
        **counts,
        per_minute=rate,
        ends_at=now + timedelta(minutes=left / rate) if knows else None,
        gone_usd=run.spent_usd + run.reserved_usd + run.lost_usd,
    )
