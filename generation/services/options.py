"""Gives choice drafts their distractors, chosen over the whole pool of a subtask."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction

from generation.core.chunks import chunks
from generation.core.leakage.check import LeakChecker
from generation.core.records import Document, Success
from generation.core.registry import SUBTASKS
from generation.core.subtask import (
    Draft,
    OptionDraft,
    PoolEntry,
    Rejection,
    Subtask,
)
from generation.models import (
    AuditEvent,
    Candidate,
    CandidateState,
    Option,
    Revision,
    Source,
    SourceForm,
)
from generation.services import audit
from generation.services.documents import load_document
from generation.services.leaks import leak_checker, leaking_option
from generation.services.texts import storable
from generation.services.trajectories import (
    community_of_source,
    load_steps,
    load_tools,
    load_trajectory,
)

_CHUNK = 500


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
    return [revision for revision in revisions if holds_gold_alone(revision)]


def holds_gold_alone(revision: Revision) -> bool:
    """Return whether a choice draft, its options loaded, still waits for its distractors."""
    return len(revision.options.all()) == len(revision.gold)


def pool_of(revisions: Sequence[Revision]) -> dict[str, tuple[PoolEntry, Revision]]:
    """Return the drafts as option selection sees them, by their stable key."""
    pool: dict[str, tuple[PoolEntry, Revision]] = {}
    steps = {}
    documents: dict[int, Document] = {}
    failed = _failed(revisions)
    for revision in revisions:
        candidate, source = revision.candidate, revision.candidate.source
        if source.pk not in steps:
            steps[source.pk] = load_steps(source)
            if source.form == SourceForm.DOCUMENT:
                documents[source.pk] = load_document(source)
        key = f"{source.digest}:{candidate.cut}"
        gold, *more = (option.text for option in revision.options.all()[: len(revision.gold)])
        entry = PoolEntry(
            key=key,
            cluster=source.cluster,
            community=community_of_source(source),
            draft=Draft(candidate.cut, gold, revision.slots, tuple(more)),
            steps=steps[source.pk],
            tools=load_tools(source),
            document=documents.get(source.pk),
            failed=failed.get((candidate.subtask, source.cluster), ()),
        )
        pool[key] = entry, revision
    return pool


def _failed(revisions: Sequence[Revision]) -> dict[tuple[str, str], tuple[Document, ...]]:
    """Return the documents known to be wrong, by subtask and task, those of the drafts alone."""
    clusters: dict[str, set[str]] = {}
    for revision in revisions:
        candidate = revision.candidate
        if SUBTASKS[candidate.subtask].wrong_kinds:
            clusters.setdefault(candidate.subtask, set()).add(candidate.source.cluster)
    found: dict[tuple[str, str], tuple[Document, ...]] = {}
    for name, wanted in clusters.items():
        for some in chunks(sorted(wanted), _CHUNK):
            sources = Source.objects.select_related("task").filter(
                kind__in=SUBTASKS[name].wrong_kinds, cluster__in=some, success=Success.FAILED
            )
            for source in sources.order_by("digest"):
                key = name, source.cluster
                found[key] = (*found.get(key, ()), load_document(source))
    return found


def make_rule_options(subtask: Subtask, *, seed: int) -> OptionsMade:
    """Choose distractors by rules for every draft of a subtask that has none yet.

    The choice is over the whole pool and is stored in one transaction, so that a run that was
    killed, or two at once, end with the very options of one undisturbed run.
    """
    while True:
        pool = pool_of(drafts_without_options(subtask))
        chosen, left_out = _choose(subtask, pool, seed)
        if _store(pool, chosen, seed=seed):
            break
    made = OptionsMade()
    made.candidates[subtask.name] = len(chosen)
    for options in chosen.values():
        made.operators.update(option.operator for option in options if not option.is_gold)
    made.rejections.update((subtask.name, why) for why in left_out.values())
    return made


def _choose(
    subtask: Subtask, pool: Mapping[str, tuple[PoolEntry, Revision]], seed: int
) -> tuple[dict[str, tuple[OptionDraft, ...]], dict[str, str]]:
    """Return options by draft, and why others got none.

    What one round leaves may fit together in a next one: it goes on until a round over all that
    is left gives nothing, so that a second call finds nothing to do.
    """
    chosen: dict[str, tuple[OptionDraft, ...]] = {}
    left_out: dict[str, str] = {}
    if subtask.make_options is None:
        return chosen, left_out
    leaks = _Leaks()
    waiting = dict(pool)
    while waiting:
        left_out = {key: why for key, why in left_out.items() if key not in waiting}
        before = len(chosen)
        entries = [entry for entry, _revision in waiting.values()]
        for key, options in subtask.make_options(entries, seed).items():
            if isinstance(options, Rejection):
                left_out[key] = options.why
            elif leaks.of(pool[key][1], [option.text for option in options]):
                left_out[key] = "an option would show a later observation"
            else:
                chosen[key] = options
                del waiting[key]
        if len(chosen) == before:
            break
    return chosen, left_out


class _Leaks:
    """The leak checker of the run at hand: one map serves all its cuts, which come in a row."""

    def __init__(self) -> None:
        self._source_pk: int | None = None
        self._checker: LeakChecker | None = None

    def of(self, revision: Revision, options: Sequence[str]) -> str:
        """Return what an option shows of a later observation, empty where none does."""
        source = revision.candidate.source
        if source.form == SourceForm.DOCUMENT:
            return ""  # no run, no later observation
        if self._checker is None or source.pk != self._source_pk:
            self._source_pk, self._checker = source.pk, leak_checker(load_trajectory(source))
        return leaking_option(options, revision.candidate.cut, self._checker)


@transaction.atomic
def _store(
    pool: Mapping[str, tuple[PoolEntry, Revision]],
    chosen: Mapping[str, Sequence[OptionDraft]],
    *,
    seed: int,
) -> bool:
    """Write all distractors at once; False, and nothing, where a draft of the pool changed."""
    revisions = {revision.pk: revision for _entry, revision in pool.values()}
    for some in chunks(list(revisions), _CHUNK):
        candidates = Candidate.objects.select_for_update().filter(revisions__in=some)
        is_draft = {c.pk: c.state == CandidateState.DRAFT for c in candidates.order_by("pk")}
        counts = Counter(
            Option.objects.filter(revision__in=some).values_list("revision", flat=True)
        )
        if any(
            counts[pk] != len(revisions[pk].gold) or not is_draft[revisions[pk].candidate_id]
            for pk in some
        ):
            return False
    Option.objects.bulk_create(
        (
            Option(
                revision=pool[key][1],
                position=position,
                text=storable(option.text),
                operator=option.operator,
                reason=option.reason,
                seed=seed,
            )
            for key, options in chosen.items()
            for position, option in enumerate(
                (each for each in options if not each.is_gold), start=len(pool[key][1].gold)
            )
        ),
        batch_size=_CHUNK,
    )
    AuditEvent.objects.bulk_create(
        (
            audit.event(
                "candidate.options_made",
                pool[key][1].candidate,
                after=[option.text for option in options],
            )
            for key, options in chosen.items()
        ),
        batch_size=_CHUNK,
    )
    return True
