"""Works on calls of models: a row with a lease is the truth, whatever becomes of messages.

A call is claimed (lease and reservation in one transaction), sent outside of any transaction, and
settled (answer, cost and state in one transaction). Who comes second finds nothing to do. A
worker that dies leaves a lease that runs out: the sweep queues the call again and counts what it
may have cost as lost. Everywhere the run's row is locked before the call's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from random import random
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from generation import llm
from generation.core.llm_prompts.catalogue import VERSIONS
from generation.core.llm_prompts.request import texts_of
from generation.core.replies.failures import TRANSIENT, Failure
from generation.core.replies.outcome import Outcome, outcome_of
from generation.core.replies.prices import cost_usd, reservation_usd
from generation.core.replies.retries import LONGEST_WAIT, MOST_ATTEMPTS, asked_wait, wait_before
from generation.models import CallState, GenerationRun, LLMCall, RunState
from generation.services import audit, budgets
from generation.services.model_endpoints import address_of, key_of
from generation.services.texts import storable

NOTHING = Decimal(0)
_NEXT_LOOK = timedelta(seconds=5)
_LEASE_BEYOND_TIMEOUT = 60
_STOPS_THE_RUN = frozenset({Failure.KEY_REFUSED, Failure.KEY_MISSING})


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to send a call once: its row as claimed and the number of the attempt."""

    call: LLMCall
    attempt: int


def lease_of_a_call() -> timedelta:
    """Return how long a worker may be at a call: the whole timeout, and a minute to write."""
    return timedelta(seconds=settings.LLM_TIMEOUT + _LEASE_BEYOND_TIMEOUT)


def lock(call_pk: int) -> tuple[GenerationRun, LLMCall] | None:
    """Lock a call's run and the call, and return both; None where it has no run (any more)."""
    run_pk = LLMCall.objects.filter(pk=call_pk).values_list("run", flat=True).first()
    if run_pk is None:
        return None
    run = GenerationRun.objects.select_for_update().filter(pk=run_pk).first()
    call = (
        LLMCall.objects.select_for_update(of=("self",))
        .select_related("endpoint")
        .filter(pk=call_pk, run=run_pk)
        .first()
    )
    return (run, call) if run is not None and call is not None else None


@transaction.atomic
def claim(*, call_pk: int, now: datetime) -> Claim | None:
    """Take the lease of a call that waits and reserve what it can cost; None where there is none.

    There is none where another has it, it is finished or to be tried later, its run is not
    running, or the budget has no room. A budget that will never have room ends the run. A request
    that was answered before takes over that answer, for nothing.
    """
    locked = lock(call_pk)
    if locked is None:
        return None
    run, call = locked
    waits = call.state == CallState.QUEUED and (call.not_before is None or call.not_before <= now)
    if not waits or run.state != RunState.RUNNING or call.endpoint is None:
        return None
    if _take_over(call, now=now):
        return None
    amount = reservation_usd(
        budgets.price_of(call.endpoint),
        texts=texts_of(call.request),
        max_tokens=call.request["max_tokens"],
    )
    if not budgets.reserve(run, amount):
        _refuse_for_money(run, call, amount, now=now)
        return None
    call.state, call.leased_until = CallState.RUNNING, now + lease_of_a_call()
    call.attempts += 1
    call.reserved_usd = amount
    call.save(update_fields=["state", "leased_until", "attempts", "reserved_usd"])
    return Claim(call, call.attempts)


def _refuse_for_money(run: GenerationRun, call: LLMCall, amount: Decimal, *, now: datetime) -> None:
    """End the run at its cap, or look again when the reservations of others are settled."""
    if budgets.can_ever_afford(run, amount):
        call.not_before = now + _NEXT_LOOK
        call.save(update_fields=["not_before"])
        return
    run.state = RunState.OVER_BUDGET
    run.save(update_fields=["state"])
    audit.record(
        "generation_run.over_budget",
        run,
        before=RunState.RUNNING,
        after=RunState.OVER_BUDGET,
        detail=f"a call of up to {amount} USD does not fit into {run.budget_usd} USD",
    )


def _take_over(call: LLMCall, *, now: datetime) -> bool:
    """Give a call the answer that the same request had before; False where there was none."""
    same = LLMCall.objects.filter(request_digest=call.request_digest, state=CallState.DONE)
    earlier = same.filter(endpoint=call.endpoint).exclude(pk=call.pk).order_by("pk").first()
    if earlier is None:
        return False
    call.cached_from, call.response, call.cost_usd = earlier, earlier.response, NOTHING
    _finish(call, CallState.DONE, now=now)
    return True


def send(claimed: Claim) -> llm.Exchange:
    """Send a claimed call's request and return what came back; outside of any transaction."""
    endpoint = claimed.call.endpoint
    assert endpoint is not None, "a claimed call has an endpoint"
    key = key_of(endpoint)
    if key is None:
        detail = f"the environment variable {endpoint.key_variable} is not set"
        return llm.Exchange(failure=Failure.KEY_MISSING, detail=detail, was_sent=False)
    return llm.exchange(
        claimed.call.request,
        base_url=address_of(endpoint),
        key=key,
        timeout=settings.LLM_TIMEOUT,
        idempotency_key=f"{claimed.call.pk}-{claimed.call.request_digest[:32]}",
    )


@transaction.atomic
def settle(claimed: Claim, came: llm.Exchange, *, now: datetime) -> float | None:
    """Store what came back and settle the money; return the seconds until a next attempt, if any.

    What comes after the lease was swept changes nothing: it was counted as lost, and another
    attempt may be under way.
    """
    locked = lock(claimed.call.pk)
    if locked is None:
        return None
    run, call = locked
    if call.state != CallState.RUNNING or call.attempts != claimed.attempt:
        return None
    outcome = meaning_of(call, came)
    spent, lost = _costs(call, came, outcome)
    budgets.settle(run, reserved=call.reserved_usd, spent=spent, lost=lost)
    call.reserved_usd, call.cost_usd = NOTHING, (call.cost_usd or NOTHING) + spent
    if outcome.usage is not None:
        call.prompt_tokens = outcome.usage.prompt_tokens
        call.completion_tokens = outcome.usage.completion_tokens
    call.response = {"status": came.status, "body": came.body} if came.status else None
    call.failure, call.failure_detail = outcome.failure or "", storable(outcome.detail)
    wait = _wait(call, came, outcome, now=now)
    if wait is not None:
        call.state, call.leased_until = CallState.QUEUED, None
        call.not_before = now + timedelta(seconds=wait)
        call.save()
        return wait
    _finish(call, CallState.FAILED if outcome.failure else CallState.DONE, now=now)
    if outcome.failure in _STOPS_THE_RUN and run.state == RunState.RUNNING:
        run.state = RunState.STOPPED
        run.save(update_fields=["state"])
        audit.record("generation_run.stopped", run, detail=outcome.detail)
    return None


def meaning_of(call: LLMCall, came: llm.Exchange) -> Outcome:
    """Return what an exchange means for a call: an answer of its prompt's shape or a failure."""
    if came.failure is not None:
        return Outcome(came.failure, came.detail, None)
    shape = VERSIONS[call.prompt_version].shape
    return outcome_of(came.body, asked_model=call.request["model"], shape=shape)


def _costs(call: LLMCall, came: llm.Exchange, outcome: Outcome) -> tuple[Decimal, Decimal]:
    """Return what a call cost and what it may have cost beyond that, in US dollars.

    Without a usable count an answer is taken to have cost all that was reserved.
    """
    assert call.endpoint is not None, "a claimed call has an endpoint"
    if outcome.usage is not None:
        price = budgets.price_of(call.endpoint)
        tokens = outcome.usage
        return (
            cost_usd(
                price,
                prompt_tokens=tokens.prompt_tokens,
                completion_tokens=tokens.completion_tokens,
            ),
            NOTHING,
        )
    if (came.status is None and came.was_sent) or outcome.failure == Failure.BAD_BODY:
        return NOTHING, call.reserved_usd
    if came.failure is not None or outcome.failure == Failure.SERVER_ERROR:
        return NOTHING, NOTHING
    return call.reserved_usd, NOTHING


def _wait(call: LLMCall, came: llm.Exchange, outcome: Outcome, *, now: datetime) -> float | None:
    if outcome.failure not in TRANSIENT or call.attempts >= MOST_ATTEMPTS:
        return None
    asked = asked_wait(came.headers, now=now)
    if asked is not None and asked > LONGEST_WAIT:
        return None
    return wait_before(call.attempts, asked=asked, jitter=random())  # noqa: S311 - spreads callers


def _finish(call: LLMCall, state: CallState, *, now: datetime) -> None:
    before, call.state = call.state, state
    call.leased_until = call.not_before = None
    call.finished_at = max(now, call.created_at)
    call.save()
    audit.record(
        f"llm_call.{state}", call, before=before, after=_digested(call), detail=call.failure
    )


def _digested(call: LLMCall) -> Mapping[str, Any]:
    return {"state": call.state, "failure": call.failure, "response": call.response}


def make_call(call_pk: int) -> float | None:
    """Make a call that waits, once; return the seconds until it may be tried again, if it may."""
    claimed = claim(call_pk=call_pk, now=timezone.now())
    if claimed is None:
        return None
    return settle(claimed, send(claimed), now=timezone.now())


def requeue_lost(*, now: datetime) -> int:
    """Queue calls again whose lease ran out, and return how many; the tried too often fail."""
    overdue = LLMCall.objects.filter(state=CallState.RUNNING, leased_until__lte=now)
    return sum(_requeue(pk, now=now) for pk in overdue.values_list("pk", flat=True))


@transaction.atomic
def _requeue(call_pk: int, *, now: datetime) -> bool:
    locked = lock(call_pk)
    if locked is None:
        return False
    run, call = locked
    if call.state != CallState.RUNNING or call.leased_until is None or call.leased_until > now:
        return False
    budgets.settle(run, reserved=call.reserved_usd, spent=NOTHING, lost=call.reserved_usd)
    call.reserved_usd = NOTHING
    call.failure, call.failure_detail = Failure.LOST, "the worker ended before the answer came"
    if call.attempts >= MOST_ATTEMPTS:
        _finish(call, CallState.FAILED, now=now)
    else:
        call.state, call.leased_until = CallState.QUEUED, None
        call.save()
        audit.record("llm_call.requeued", call, before=CallState.RUNNING, after=call.state)
    return True
