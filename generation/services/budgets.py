"""The money of runs: reserved before a call, settled after it. Callers hold the run's row lock."""

from decimal import Decimal

from generation.core.replies.prices import Price
from generation.models import GenerationRun, ModelEndpoint

_AMOUNTS = ("spent_usd", "reserved_usd", "lost_usd")


def price_of(endpoint: ModelEndpoint) -> Price:
    """Return what an endpoint costs."""
    return Price(endpoint.input_usd_per_million, endpoint.output_usd_per_million)


def can_ever_afford(run: GenerationRun, amount: Decimal) -> bool:
    """Return whether ``amount`` fits into what is neither spent nor lost."""
    return run.spent_usd + run.lost_usd + amount <= run.budget_usd


def reserve(run: GenerationRun, amount: Decimal) -> bool:
    """Reserve ``amount``; False, and nothing, where the budget has no room for it now."""
    if not can_ever_afford(run, run.reserved_usd + amount):
        return False
    run.reserved_usd += amount
    run.save(update_fields=_AMOUNTS)
    return True


def settle(run: GenerationRun, *, reserved: Decimal, spent: Decimal, lost: Decimal) -> None:
    """Give a reservation back, and note what its call cost and what it may have cost."""
    run.reserved_usd -= reserved
    run.spent_usd += spent
    run.lost_usd += lost
    run.save(update_fields=_AMOUNTS)
