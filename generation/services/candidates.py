"""Builds candidate questions from stored trajectories and documents."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import QuerySet

from generation.core.chunks import chunks
from generation.core.labels import label_of
from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat, Draft, Rejection, Subtask
from generation.models import AuditEvent, Candidate, Option, Revision, Source, SourceForm
from generation.services import audit
from generation.services.documents import load_document
from generation.services.repeats import REPEATED, repeated_cuts
from generation.services.setups import with_setup
from generation.services.texts import storable
from generation.services.trajectories import load_trajectory

_CHUNK = 50


@dataclass(slots=True)
class Built:
    """How many candidates a run of the builders made, and why cuts gave none."""

    candidates: Counter[str] = field(default_factory=Counter)
    rejections: Counter[tuple[str, str]] = field(default_factory=Counter)


def buildable(names: Iterable[str] = ()) -> list[Subtask]:
    """Return the subtasks that can be built, those of ``names`` or all.

    Raises:
        ValueError: a name is unknown, or names a subtask that can only be imported.
    """
    wanted = list(names)
    for name in wanted:
        if name not in SUBTASKS:
            msg = f"no subtask {name!r}: there are {', '.join(SUBTASKS)}"
            raise ValueError(msg)
        if not _is_buildable(SUBTASKS[name]):
            msg = f"subtask {name!r} can be imported, but not built"
            raise ValueError(msg)
    return [s for s in SUBTASKS.values() if _is_buildable(s) and (not wanted or s.name in wanted)]


def sources_for(subtask: Subtask, *, seed: int) -> Iterator[Source]:
    """Yield the runs or documents that a subtask is built from, in an order drawn from the seed."""
    sources = _sources_of(subtask)
    drawn = sorted(
        sources.values_list("digest", "pk"),
        key=lambda row: hashlib.sha256(f"{seed}\n{row[0]}".encode()).digest(),
    )
    for some in chunks([pk for _digest, pk in drawn], _CHUNK):
        found = sources.select_related("task", "system").in_bulk(some)
        yield from (found[pk] for pk in some)


def count_sources_for(subtask: Subtask) -> int:
    """Return how many runs or documents a subtask is built from."""
    return _sources_of(subtask).count()


def form_of(subtask: Subtask) -> SourceForm:
    """Return what a subtask is built from: runs or documents."""
    return SourceForm.TRAJECTORY if subtask.build else SourceForm.DOCUMENT


def _sources_of(subtask: Subtask) -> QuerySet[Source]:
    return Source.objects.filter(
        form=form_of(subtask), kind__in=subtask.source_kinds, language=subtask.language
    )


@transaction.atomic
def build_from(source: Source, subtask: Subtask, *, limit: int | None = None) -> Built:
    """Build the candidates of one source and subtask, all in one transaction.

    Cuts that have a candidate already are passed over, so building again adds nothing.
    ``limit`` is the most that are kept. A question that another run of the task gave already is
    left out. Each starts as a draft: its first revision holds the
    item's own texts and gold, a choice item's gold as its first options (label A and on).
    """
    built = Built()
    drafts: list[Draft] = []
    if not _is_buildable(subtask):
        return built
    # The lock makes a second builder of this source wait and then see what this one made.
    Source.objects.select_for_update(of=("self",)).get(pk=source.pk)
    cuts = set(source.candidates.filter(subtask=subtask.name).values_list("cut", flat=True))
    results, repeated = _drafts(source, subtask, cuts)
    for draft in results:
        if isinstance(draft, Rejection):
            built.rejections[subtask.name, draft.why] += 1
        elif draft.cut in repeated:
            built.rejections[subtask.name, REPEATED] += 1
        elif draft.cut not in cuts and (limit is None or len(drafts) < limit):
            drafts.append(draft)
    candidates = Candidate.objects.bulk_create(
        Candidate(subtask=subtask.name, source=source, cut=draft.cut) for draft in drafts
    )
    is_choice = subtask.answer_format is not AnswerFormat.COMPLETION
    revisions = Revision.objects.bulk_create(
        Revision(
            candidate=candidate,
            number=1,
            slots=dict(draft.slots),
            gold=[label_of(place) for place in range(len(draft.golds))]
            if is_choice
            else [draft.gold],
        )
        for candidate, draft in zip(candidates, drafts, strict=True)
    )
    if is_choice:
        Option.objects.bulk_create(
            Option(revision=revision, position=place, text=storable(gold), operator="gold")
            for revision, draft in zip(revisions, drafts, strict=True)
            for place, gold in enumerate(draft.golds)
        )
    AuditEvent.objects.bulk_create(
        audit.event("candidate.built", candidate, after=candidate.state) for candidate in candidates
    )
    built.candidates[subtask.name] += len(candidates)
    return built


def _is_buildable(subtask: Subtask) -> bool:
    return subtask.build is not None or subtask.build_document is not None


def _drafts(
    source: Source, subtask: Subtask, cuts: set[int]
) -> tuple[list[Draft | Rejection], set[int]]:
    """Return what the builder makes of a source, and the cuts that another run's ones repeat.

    Documents are stored once each, so none of their questions is another's.
    """
    if subtask.build is None:
        build = subtask.build_document
        return (list(build(with_setup(load_document(source)))) if build else []), set()
    trajectory = load_trajectory(source)
    results = list(subtask.build(trajectory))
    new = [each for each in results if isinstance(each, Draft) and each.cut not in cuts]
    return results, repeated_cuts(source, trajectory, subtask, new)
