"""Runs the automatic checks and stores what they find."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto

from django.db import transaction
from django.db.models import ProtectedError, QuerySet
from django.utils import timezone

from generation.core import items
from generation.core.checks.catalogue import check_items
from generation.core.items import Item
from generation.core.subtask import AnswerFormat
from generation.models import Candidate, CandidateState, Finding, Revision, SourceForm
from generation.services import audit
from generation.services.leaks import leak_checker, leaks_of
from generation.services.prompts import prompts_in_use
from generation.services.texts import storable
from generation.services.trajectories import load_item, load_trajectory


@dataclass(slots=True)
class Checked:
    """What a run of the checks did: revisions checked, findings by kind, what goes to review.

    ``waiting`` are imported questions that are checked and not sent to review.
    """

    revisions: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    queued: int = 0
    waiting: int = 0


def revisions_to_check() -> QuerySet[Revision]:
    """Return every current revision that is complete: drafts without options are left out."""
    return (
        Revision.objects.current()
        .with_content()
        .order_by("candidate__source", "candidate__subtask", "candidate__cut")
    )


def run_checks(*, queue_imported: bool = False) -> Checked:
    """Check all complete current revisions, store the findings and move candidates on.

    A built draft goes to review; an imported question becomes checked and goes to review only
    with ``queue_imported``, since a set made elsewhere may be there to be audited alone.
    Checking again changes nothing.
    """
    checked = Checked()
    found: dict[int, list[items.Finding]] = {}
    complete: list[int] = []
    for key, finding in check_items(_items(found, complete)):
        found.setdefault(int(key), []).append(finding)
    for pk in complete:
        state = _store_findings(pk, found.get(pk, []), queue_imported=queue_imported)
        checked.queued += state is _Moved.QUEUED
        checked.waiting += state is _Moved.WAITING
    checked.revisions = len(complete)
    checked.findings.update(f.kind for findings in found.values() for f in findings)
    return checked


def _items(found: dict[int, list[items.Finding]], complete: list[int]) -> Iterator[Item]:
    """Yield every complete revision as an item, its leaks put into ``found`` on the way."""
    source_pk, trajectory, leaks = None, None, None
    heads = {subtask: used.prompt.head for subtask, used in prompts_in_use().items()}
    for revision in revisions_to_check().iterator(chunk_size=100):
        candidate, source = revision.candidate, revision.candidate.source
        if source.pk != source_pk:
            source_pk, trajectory, leaks = source.pk, None, None
            if source.form == SourceForm.TRAJECTORY:
                trajectory = load_trajectory(source)
                leaks = leak_checker(trajectory)
        item = load_item(revision, trajectory, examples=heads.get(candidate.subtask, ""))
        if candidate.state == CandidateState.DRAFT and not _is_complete(item):
            continue
        complete.append(revision.pk)
        if leaks is not None:
            shown = leaks_of(item, candidate.cut, leaks, own=revision.slots)
            found.setdefault(revision.pk, []).extend(shown)
        yield item


def _is_complete(item: Item) -> bool:
    completion = item.subtask.answer_format is AnswerFormat.COMPLETION
    return item.imported or completion or len(item.options) > 1


def finding_digest(finding: items.Finding) -> str:
    """Return what makes a finding the same one when a revision is checked again."""
    parts = [
        finding.kind,
        int(finding.severity),
        finding.field,
        finding.start,
        finding.end,
        finding.evidence,
        finding.source_step,
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class _Moved(Enum):
    """What became of a candidate: it went to review, it waits outside, or it stands where it was."""

    QUEUED = auto()
    WAITING = auto()
    STAYED = auto()


@transaction.atomic
def _store_findings(
    revision_pk: int, findings: list[items.Finding], *, queue_imported: bool
) -> _Moved:
    """Make the stored findings those of this run, and move the candidate on.

    A finding that people judged stays even where a newer check no longer makes it.
    """
    candidate = Candidate.objects.select_for_update().get(revisions=revision_pk)
    rows = {finding_digest(finding): finding for finding in findings}
    for stale in Finding.objects.filter(revision=revision_pk).exclude(digest__in=rows):
        with suppress(ProtectedError), transaction.atomic():
            stale.delete()
    Finding.objects.bulk_create(
        [
            Finding(
                revision_id=revision_pk,
                kind=finding.kind,
                severity=finding.severity,
                field=finding.field,
                start=finding.start,
                end=finding.end,
                evidence=storable(finding.evidence),
                source_step=finding.source_step,
                digest=digest,
            )
            for digest, finding in rows.items()
        ],
        ignore_conflicts=True,
    )
    Revision.objects.filter(pk=revision_pk, checked_at=None).update(checked_at=timezone.now())
    if candidate.state not in {CandidateState.DRAFT, CandidateState.CHECKED}:
        return _Moved.STAYED
    waits = candidate.cut == 0 and not queue_imported
    state = CandidateState.CHECKED if waits else CandidateState.IN_REVIEW
    if state != candidate.state:
        Candidate.objects.filter(pk=candidate.pk).update(state=state)
        audit.record("candidate.checked", candidate, before=candidate.state, after=state)
    return _Moved.WAITING if waits else _Moved.QUEUED


def finding_lines() -> Iterator[dict[str, object]]:
    """Yield one object a stored finding of a current revision, in a stable order.

    ``external_id`` is an official row's uuid, or the source's id and the cut of a built item.
    """
    findings = (
        Finding.objects.filter(revision__superseded_at=None)
        .select_related("revision__candidate__source")
        .order_by(
            "revision__candidate__subtask",
            "revision__candidate__source__external_id",
            "revision__candidate__source__place",
            "revision__candidate__cut",
            "kind",
            "field",
            "start",
            "end",
            "digest",
        )
    )
    for finding in findings.iterator(chunk_size=500):
        candidate = finding.revision.candidate
        external_id = candidate.source.external_id
        yield {
            "external_id": f"{external_id}#{candidate.cut}" if candidate.cut else external_id,
            "subtask": candidate.subtask,
            "kind": finding.kind,
            "severity": finding.severity,
            "field": finding.field,
            "evidence": finding.evidence,
        }
