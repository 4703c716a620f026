"""Gives choice drafts their distractors, chosen over the whole pool of a subtask."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction

from generation.core.leakage.check import LeakChecker
from generation.core.subtask import (
    Draft,
    OptionDraft,
    OptionMaker,
    PoolEntry,
    Rejection,
    Subtask,
)
from generation.models import AuditEvent, Candidate, CandidateState, Option, Revision
from generation.services import audit
from generation.services.leaks import leak_checker, leaking_option
from generation.services.texts import storable
from generation.services.trajectories import (
    community_of_source,
    load_steps,
    load_tools,
    load_trajectory,
)


@dataclass(slots=True)
class OptionsMade:
    """How many drafts got their distractors, by which operators, and why others got none."""

    candidates: Counter[str] = field(default_factory=Counter)
    operators: Counter[str] = field(default_factory=Counter)
    rejections: Counter[tuple[str, str]] = field(default_factory=Counter)


def drafts_without_options(subtask: Subtask) -> list[Revision]:
    """Return the subtask's drafts that hold gold alone, their source and gold loaded."""
    revisions = (
        Revision.objects.current()
        .filter(candidate__subtask=subtask.name, candidate__state=CandidateState.DRAFT)
        .with_content()
        .order_by("candidate__source__digest", "candidate__cut")
    )
    return [revision for revision in revisions if len(revision.options.all()) == 1]


def pool_of(revisions: Sequence[Revision]) -> dict[str, tuple[PoolEntry, Revision]]:
    """Return the drafts as option selection sees them, by their stable key."""
    pool: dict[str, tuple[PoolEntry, Revision]] = {}
    steps = {}
    for revision in revisions:
        candidate, source = revision.candidate, revision.candidate.source
        if source.pk not in steps:
            steps[source.pk] = load_steps(source)
        key = f"{source.digest}:{candidate.cut}"
        gold = revision.options.all()[0].text
        entry = PoolEntry(
            key=key,
            cluster=source.cluster,
            community=community_of_source(source),
            draft=Draft(candidate.cut, gold, revision.slots),
            steps=steps[source.pk],
            tools=load_tools(source),
        )
        pool[key] = entry, revision
    return pool


def make_rule_options(subtask: Subtask, *, seed: int) -> OptionsMade:
    """Choose distractors by rules for every draft of a subtask that has none yet.

    What one round leaves may fit together in a next one: it goes on until a round gives nothing,
    so that a second call finds nothing left to do.
    """
    made = OptionsMade()
    if subtask.make_options is None:
        return made
    while True:
        made.rejections.clear()
        if not _make_round(subtask, subtask.make_options, made, seed=seed):
            return made


def _make_round(
    subtask: Subtask, make_options: OptionMaker, made: OptionsMade, *, seed: int
) -> int:
    """Choose once over the drafts that have no distractors; return how many got them."""
    pool = pool_of(drafts_without_options(subtask))
    chosen = make_options([entry for entry, _revision in pool.values()], seed)
    leaks = _Leaks()
    before = made.candidates.total()
    for key, options in chosen.items():
        if isinstance(options, Rejection):
            made.rejections[subtask.name, options.why] += 1
        elif leaks.of(pool[key][1], [option.text for option in options]):
            why = "an option would show a later observation"
            made.rejections[subtask.name, why] += 1
        elif _store_options(pool[key][1], options, seed=seed):
            made.candidates[subtask.name] += 1
            made.operators.update(option.operator for option in options if not option.is_gold)
    return made.candidates.total() - before


class _Leaks:
    """The leak checker of the run at hand: one map serves all its cuts, which come in a row."""

    def __init__(self) -> None:
        self._source_pk: int | None = None
        self._checker: LeakChecker | None = None

    def of(self, revision: Revision, options: Sequence[str]) -> str:
        """Return what an option shows of a later observation, empty where none does."""
        source = revision.candidate.source
        if self._checker is None or source.pk != self._source_pk:
            self._source_pk, self._checker = source.pk, leak_checker(load_trajectory(source))
        return leaking_option(options, revision.candidate.cut, self._checker)


@transaction.atomic
def _store_options(revision: Revision, options: Sequence[OptionDraft], *, seed: int) -> bool:
    """Write the distractors of one draft; False where another process was first."""
    candidate = Candidate.objects.select_for_update().get(pk=revision.candidate_id)
    if candidate.state != CandidateState.DRAFT or revision.options.count() != 1:
        return False
    Option.objects.bulk_create(
        Option(
            revision=revision,
            position=position,
            text=storable(option.text),
            operator=option.operator,
            reason=option.reason,
            seed=seed,
        )
        for position, option in enumerate((o for o in options if not o.is_gold), start=1)
    )
    AuditEvent.objects.bulk_create(
        [audit.event("candidate.options_made", candidate, after=[o.text for o in options])]
    )
    return True
