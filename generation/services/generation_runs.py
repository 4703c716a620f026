"""Runs of generation: started, stopped, resumed, worked on call by call, and finished."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from generation.core.chunks import chunks
from generation.core.llm_prompts.operators import OPERATOR_OF
from generation.core.llm_prompts.report_degradation import RESPECTS
from generation.core.registry import SUBTASKS
from generation.core.replies.failures import UNANSWERED
from generation.core.subtask import Subtask
from generation.models import (
    CallState,
    GenerationRun,
    LLMCall,
    ModelEndpoint,
    Option,
    Revision,
    RunState,
)
from generation.services import audit
from generation.services.calls import make_call, requeue_lost
from generation.services.llm_options import (
    calls_for,
    give_options,
    revision_of,
    target_of,
    why_without_options,
)
from generation.services.options import drafts_without_options

AT_ONCE = 4
"""So many messages of a run are under way; each call that ends sends the next."""

_CHUNK = 200
_OPEN = (CallState.QUEUED, CallState.RUNNING)
_MOST_USD = Decimal(100_000)


class CannotRun(ValueError):
    """A run that can't be started or resumed; the message says why, ``kind`` names it."""

    def __init__(self, message: str, *, kind: str = "") -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Next:
    """A call whose turn it is, in so many seconds."""

    call_pk: int
    seconds: float = 0.0


@dataclass(slots=True)
class RunResult:
    """What a run has done so far: calls by state, failures, drafts with options, and without."""

    calls: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    candidates: Counter[str] = field(default_factory=Counter)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)


def subtasks_of(names: Sequence[str] = ()) -> list[Subtask]:
    """Return the subtasks that models write options for, those of ``names`` or all.

    Raises:
        CannotRun: models write none for a subtask.
    """
    for name in names:
        if name not in OPERATOR_OF:
            known = ", ".join(OPERATOR_OF)
            msg = f"models write no options for subtask {name!r}: they know {known}"
            raise CannotRun(msg)
    return [SUBTASKS[name] for name in dict.fromkeys(names or OPERATOR_OF)]


@transaction.atomic
def start_run(
    *,
    subtasks: Sequence[Subtask],
    endpoints: Sequence[ModelEndpoint],
    budget_usd: Decimal,
    seed: int,
    actor: User | None,
    limit: int | None = None,
) -> GenerationRun:
    """Queue a call for every draft without options and every model, and return the run.

    What was asked before with the same seed is not asked again: calls without an answer are taken
    over from runs that are not running, all others stay as they are. ``limit`` is the most drafts
    of each subtask.

    Raises:
        CannotRun: the budget is no amount of money, no model is named, or nothing is to be asked.
    """
    if not budget_usd.is_finite() or not Decimal("0.000001") <= budget_usd <= _MOST_USD:
        msg = f"budget {budget_usd}: US dollars, over 0 and up to {_MOST_USD}"
        raise CannotRun(msg, kind="budget")
    if not endpoints:
        msg = "no model is named"
        raise CannotRun(msg)
    run = GenerationRun.objects.create(
        subtasks=[subtask.name for subtask in subtasks],
        operators=_operators(subtasks),
        endpoints=[endpoint.name for endpoint in endpoints],
        seed=seed,
        budget_usd=budget_usd,
        started_by=actor,
    )
    versions: set[str] = set()
    for subtask in subtasks:
        drafts = drafts_without_options(subtask)[:limit]
        for some in chunks(drafts, _CHUNK):
            operator = OPERATOR_OF[subtask.name]
            calls = list(calls_for(some, operator=operator, endpoints=endpoints, seed=seed))
            versions |= {call.prompt_version for call in calls}
            _queue(run, calls)
    if not run.calls.exists():
        msg = "nothing to ask: no draft lacks options, or all were asked with this seed"
        raise CannotRun(msg, kind="nothing")
    run.prompt_versions = sorted(versions)
    run.save(update_fields=["prompt_versions"])
    audit.record(
        "generation_run.started", run, actor=actor, after=RunState.RUNNING, detail=f"{budget_usd}"
    )
    return run


def unfinished_run(
    *, subtasks: Sequence[Subtask], endpoints: Sequence[ModelEndpoint], seed: int
) -> GenerationRun | None:
    """Return the running run that asks just that; None where there is none.

    A program that was killed and is started again goes on with it.
    """
    names = [one.name for one in endpoints]
    asked = ([one.name for one in subtasks], _operators(subtasks), names)
    for run in GenerationRun.objects.filter(state=RunState.RUNNING, seed=seed):
        if (run.subtasks, run.operators, run.endpoints) == asked:
            return run
    return None


def _operators(subtasks: Sequence[Subtask]) -> list[str]:
    return sorted({OPERATOR_OF[subtask.name] for subtask in subtasks})


def _queue(run: GenerationRun, calls: Sequence[LLMCall]) -> None:
    """Store calls that are new, and take over those that wait in vain or were never answered."""
    for call in calls:
        call.run = run
    LLMCall.objects.bulk_create(calls, batch_size=_CHUNK, ignore_conflicts=True)
    targets = {call.target for call in calls}
    in_vain = Q(state=CallState.QUEUED) | Q(state=CallState.FAILED, failure__in=UNANSWERED)
    LLMCall.objects.filter(
        in_vain,
        target__in=targets,
        operator__in=run.operators,
        model__in=run.endpoints,
        seed=run.seed,
    ).exclude(run=run).exclude(run__state=RunState.RUNNING).update(
        run=run,
        state=CallState.QUEUED,
        attempts=0,
        cost_usd=None,
        not_before=None,
        finished_at=None,
    )


@transaction.atomic
def stop_run(*, run_pk: int, actor: User | None) -> GenerationRun:
    """Stop a run: calls under way end, no other begins. A run that is not running stays."""
    run = GenerationRun.objects.select_for_update().get(pk=run_pk)
    if run.state == RunState.RUNNING:
        run.state = RunState.STOPPED
        run.save(update_fields=["state"])
        audit.record(
            "generation_run.stopped",
            run,
            actor=actor,
            before=RunState.RUNNING,
            after=RunState.STOPPED,
        )
    return run


@transaction.atomic
def resume_run(
    *, run_pk: int, actor: User | None, budget_usd: Decimal | None = None
) -> GenerationRun:
    """Let a run go on, with another budget if one is given; unanswered calls are tried anew.

    Raises:
        CannotRun: the budget leaves nothing to spend, or no call is left to make.
    """
    run = GenerationRun.objects.select_for_update().get(pk=run_pk)
    before = {"state": run.state, "budget_usd": run.budget_usd}
    if budget_usd is not None:
        run.budget_usd = budget_usd
    gone = run.spent_usd + run.lost_usd + run.reserved_usd
    if not run.budget_usd.is_finite() or not gone < run.budget_usd <= _MOST_USD:
        msg = f"budget {run.budget_usd}: {gone} USD are spent, reserved or lost already"
        raise CannotRun(msg, kind="gone")
    run.calls.filter(state=CallState.FAILED, failure__in=UNANSWERED).update(
        state=CallState.QUEUED, attempts=0, not_before=None, finished_at=None
    )
    if not run.calls.filter(state__in=_OPEN).exists():
        msg = "every call of this run is answered"
        raise CannotRun(msg, kind="answered")
    run.state, run.finished_at = RunState.RUNNING, None
    run.save(update_fields=["state", "finished_at", "budget_usd"])
    after = {"state": run.state, "budget_usd": run.budget_usd}
    audit.record("generation_run.resumed", run, actor=actor, before=before, after=after)
    return run


def work(call_pk: int) -> list[Next]:
    """Make a call that waits and what follows from it; return the calls whose turn is next.

    Safe to be told of one call twice, late, or never: see ``generation.services.calls``.
    """
    before = LLMCall.objects.filter(pk=call_pk).values_list("state", flat=True).first()
    if before != CallState.QUEUED:
        return []
    wait = make_call(call_pk)
    call = LLMCall.objects.select_related("run").get(pk=call_pk)
    if call.run is None or call.state == CallState.RUNNING:
        return []
    turns = [Next(call_pk, wait)] if wait is not None else []
    if call.finished_at is not None:
        _give_options_when_all_answered(call)
        finish_if_done(run_pk=call.run.pk, now=timezone.now())
    if wait is not None or call.finished_at is not None:
        turns += [Next(pk) for pk in _waiting(call.run.pk, now=timezone.now(), most=1)]
    return turns


def _give_options_when_all_answered(call: LLMCall) -> None:
    revision_pk = revision_of(call.target)
    targets = [target_of(revision_pk, respect) for respect in ("", *RESPECTS)]
    others = LLMCall.objects.filter(
        target__in=targets, operator=call.operator, seed=call.seed, run=call.run, state__in=_OPEN
    )
    if not others.exists():
        give_options(revision_pk, operator=call.operator, seed=call.seed)


def _waiting(run_pk: int, *, now: datetime, most: int) -> list[int]:
    """Return the keys of calls of a running run that may be made now, the oldest first."""
    due = Q(not_before=None) | Q(not_before__lte=now)
    rows = LLMCall.objects.filter(
        due, run=run_pk, run__state=RunState.RUNNING, state=CallState.QUEUED
    )
    return list(rows.order_by("pk").values_list("pk", flat=True)[:most])


def first_calls(run_pk: int) -> list[int]:
    """Return the calls to send messages for when a run starts or goes on."""
    return _waiting(run_pk, now=timezone.now(), most=AT_ONCE)


def sweep(*, now: datetime) -> list[int]:
    """Take up what was lost: leases that ran out, messages that never came, ends nobody wrote.

    Returns:
        The calls that messages are due for.
    """
    requeue_lost(now=now)
    due: list[int] = []
    for run_pk in GenerationRun.objects.filter(state=RunState.RUNNING).values_list("pk", flat=True):
        if finish_if_done(run_pk=run_pk, now=now):
            continue
        under_way = LLMCall.objects.filter(run=run_pk, state=CallState.RUNNING).count()
        due += _waiting(run_pk, now=now, most=max(0, AT_ONCE - under_way))
    return due


def finish_if_done(*, run_pk: int, now: datetime) -> bool:
    """Finish a running run whose calls are all made; True where it is finished now.

    Drafts whose options were not stored, because a worker died between, get them first.
    """
    running = GenerationRun.objects.filter(pk=run_pk, state=RunState.RUNNING)
    if not running.exists() or LLMCall.objects.filter(run=run_pk, state__in=_OPEN).exists():
        return False
    for revision_pk, operator, seed in _drafts_of(run_pk):
        give_options(revision_pk, operator=operator, seed=seed)
    with transaction.atomic():
        run = running.select_for_update().first()
        if run is None or LLMCall.objects.filter(run=run_pk, state__in=_OPEN).exists():
            return False
        run.state, run.finished_at = RunState.FINISHED, max(now, run.created_at)
        run.save(update_fields=["state", "finished_at"])
        audit.record(
            "generation_run.finished", run, before=RunState.RUNNING, after=RunState.FINISHED
        )
    return True


def _drafts_of(run_pk: int) -> list[tuple[int, str, int]]:
    """Return the revisions that a run asks about, each once, with operator and seed."""
    calls = LLMCall.objects.filter(run=run_pk)
    rows = calls.order_by().values_list("target", "operator", "seed").distinct()
    return sorted({(revision_of(target), operator, seed) for target, operator, seed in rows})


def result_of(run: GenerationRun) -> RunResult:
    """Return what a run has done so far; why a draft has no options is worked out anew."""
    result = RunResult()
    for state, failure, count in run.calls.values_list("state", "failure").annotate(Count("pk")):
        result.calls[state] += count
        if state == CallState.FAILED:
            result.failures[failure] += count
    subtask_of = _subtasks_by_revision(run)
    with_options = set(
        Option.objects.filter(llm_call__run=run).values_list("revision", flat=True).distinct()
    )
    for revision_pk, subtask in subtask_of.items():
        if revision_pk in with_options:
            result.candidates[subtask] += 1
    if run.state == RunState.FINISHED:
        for revision_pk, operator, seed in _drafts_of(run.pk):
            why = why_without_options(revision_pk, operator=operator, seed=seed)
            if why:
                result.left_out[subtask_of[revision_pk], why] += 1
    return result


def _subtasks_by_revision(run: GenerationRun) -> Mapping[int, str]:
    targets = set(run.calls.values_list("target", flat=True))
    found: dict[int, str] = {}
    for some in chunks(sorted(set(map(revision_of, targets))), 500):
        rows = Revision.objects.filter(pk__in=some)
        found.update(rows.values_list("pk", "candidate__subtask"))
    return found
