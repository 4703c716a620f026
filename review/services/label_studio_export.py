"""Exports revisions under review as tasks of Label Studio, a project for each kind of answer."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import orjson
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Count, Max, Q
from django.utils import timezone

from generation.core.appearing import appearing_folder
from generation.core.items import Severity
from generation.core.records import Success
from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat
from generation.models import CandidateState, Finding, Revision
from generation.models.candidate import RevisionQuerySet
from generation.services import audit
from review.core.label_studio.config import Asked, labelling_config
from review.core.label_studio.controls import Phase
from review.core.label_studio.tasks import (
    Item,
    Said,
    ShownFinding,
    revision_key,
    task_of,
    task_order,
)
from review.core.review_answers import ReviewAnswers
from review.models import Assignment, RejectReason, Review
from review.services.item_access import give_up_review
from review.services.release_contents import Entry, entries
from review.services.votes import pseudonym

_CHUNK = 50
TASKS, CONFIG = "tasks.json", "config.xml"


class NothingToExport(Exception):
    """No revision is in the states and subtasks that were asked for."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which revisions to export, and what people are to be asked."""

    phase: Phase
    states: Sequence[str] = (CandidateState.IN_REVIEW,)
    subtasks: Sequence[str] = ()


def key_of(revision: Revision) -> str:
    """Return what tasks name the revision by; its candidate and source must be loaded."""
    candidate = revision.candidate
    return revision_key(
        subtask=candidate.subtask,
        source=candidate.source.digest,
        cut=candidate.cut,
        number=revision.number,
    )


def export_tasks(
    wanted: Wanted, out: Path, *, lead: User | None, progress: Callable[[int], None]
) -> dict[str, int]:
    """Write a folder with ``<form>/tasks.json`` and ``config.xml``; return tasks by form.

    ``lead`` is who asked to see gold, which is written down: they leave the review of those items
    to others, and items that they are at themselves are left out. Control items never leave.
    Memory does not grow with the number of tasks; the same database gives the same bytes.

    Raises:
        NothingToExport: there is no such revision.
        TargetExists: ``out`` is there already.
        OSError: something can't be written; nothing is left behind.
    """
    revisions = _revisions(wanted)
    if lead and wanted.phase is not Phase.BLIND:
        own = Assignment.objects.filter(reviewer=lead, submitted_at=None, skipped_at=None)
        revisions = revisions.exclude(pk__in=own.values("revision"))
    if not revisions.exists():
        raise NothingToExport
    counts: Counter[str] = Counter()
    with appearing_folder(out) as folder, ExitStack() as files:
        open_files: dict[AnswerFormat, TextIO] = {}
        for some in _batches(entries(revisions)):
            for entry, task in zip(some, _tasks(some, wanted.phase), strict=True):
                form = entry.content.subtask.answer_format
                if form not in open_files:
                    open_files[form] = files.enter_context(_begin(folder / form))
                open_files[form].write(",\n" if counts[form] else "[\n")
                open_files[form].write(orjson.dumps(task).decode())
                counts[form] += 1
            progress(len(some))
        for form, file in open_files.items():
            file.write("\n]\n")
            config = labelling_config(form, wanted.phase, _asked(revisions, form))
            (folder / form / CONFIG).write_text(config, encoding="utf-8", newline="\n")
        if lead and wanted.phase is not Phase.BLIND:
            _leave_to_others(revisions, lead)
    if lead:
        detail = f"{wanted.phase}: {sum(counts.values())} tasks"
        audit.record("label_studio.exported", lead, actor=lead, detail=detail)
    return dict(sorted(counts.items()))


def _leave_to_others(revisions: RevisionQuerySet, lead: User) -> None:
    """Let the queue give the lead none of the items whose gold goes out to them."""
    waiting = revisions.filter(candidate__state=CandidateState.IN_REVIEW)
    for revision in waiting.select_related("candidate").order_by("pk").iterator(_CHUNK):
        give_up_review(lead=lead, candidate=revision.candidate, now=timezone.now())


def _begin(folder: Path) -> TextIO:
    folder.mkdir()
    return (folder / TASKS).open("w", encoding="utf-8", newline="\n")


def _revisions(wanted: Wanted) -> RevisionQuerySet:
    revisions = Revision.objects.current().filter(
        candidate__state__in=wanted.states, candidate__is_control=False
    )
    names = wanted.subtasks
    return revisions.filter(candidate__subtask__in=names) if names else revisions


def _asked(revisions: RevisionQuerySet, form: AnswerFormat) -> Asked:
    names = [name for name, subtask in SUBTASKS.items() if subtask.answer_format == form]
    most = (
        revisions.filter(candidate__subtask__in=names)
        .annotate(
            options_there=Count("options", distinct=True),
            findings_there=Count("findings", distinct=True, filter=_ASKED_FINDINGS),
        )
        .aggregate(options=Max("options_there"), findings=Max("findings_there"))
    )
    unconfirmed = revisions.filter(
        candidate__subtask__in=names, candidate__source__success=Success.UNCONFIRMED
    )
    return Asked(
        options=most["options"] or 0,
        findings=most["findings"] or 0,
        success=unconfirmed.exists(),
        reasons=RejectReason.values,
    )


_ASKED_FINDINGS = Q(findings__severity__gte=Severity.NEEDS_PERSON)


def _batches(found: Iterator[Entry]) -> Iterator[list[Entry]]:
    while some := list(islice(found, _CHUNK)):
        yield some


def _tasks(some: Sequence[Entry], phase: Phase) -> Iterator[dict[str, Any]]:
    pks = [entry.revision.pk for entry in some]
    findings: dict[int, list[Finding]] = {pk: [] for pk in pks}
    reviews: dict[int, list[Review]] = {pk: [] for pk in pks}
    if phase is not Phase.BLIND:
        asked = Finding.objects.filter(revision__in=pks, severity__gte=Severity.NEEDS_PERSON)
        for finding in asked.order_by("-severity", "field", "start", "kind", "digest"):
            findings[finding.revision_id].append(finding)
    if phase is Phase.REVIEWS:
        for review in _standing(pks):
            reviews[review.assignment.revision_id].append(review)
    for entry in some:
        pk = entry.revision.pk
        item = _item(entry, findings[pk])
        yield task_of(item, phase, [_said(review) for review in reviews[pk]])


def _item(entry: Entry, findings: Iterable[Finding]) -> Item:
    key = key_of(entry.revision)
    count = len(entry.content.options)
    return Item(
        key=key,
        content=entry.content,
        order=task_order(key, count, secret=settings.SECRET_KEY),
        findings=tuple(
            ShownFinding(
                finding.digest,
                f"{finding.kind} (severity {finding.severity}, {finding.field}): {finding.evidence}",
            )
            for finding in findings
        ),
        asks_success=entry.revision.candidate.source.success == Success.UNCONFIRMED,
    )


def _standing(pks: Sequence[int]) -> Iterable[Review]:
    return (
        Review.objects.filter(assignment__revision__in=pks, undone_at=None)
        .select_related("assignment__blind_answer")
        .prefetch_related("option_verdicts__option", "finding_verdicts__finding")
        .order_by("created_at", "pk")
    )


def _said(review: Review) -> Said:
    answer = review.assignment.blind_answer
    findings: Mapping[str, tuple[str, str]] = {
        verdict.finding.digest: (verdict.verdict, verdict.word)
        for verdict in review.finding_verdicts.all()
    }
    return Said(
        key=str(review.form_key),
        reviewer=pseudonym(review.assignment.reviewer_id),
        sent_at=review.created_at,
        positions=tuple(answer.positions),
        text=answer.text,
        not_determined=answer.not_determined,
        confidence=answer.confidence,
        seconds=answer.active_seconds + review.active_seconds,
        findings=findings,
        answers=answers_of(review),
    )


def answers_of(review: Review) -> ReviewAnswers:
    """Return what a stored review says, without its time and its verdicts on findings."""
    return ReviewAnswers(
        decision=review.decision,
        well_specified=review.well_specified,
        gold_quality=review.gold_quality,
        well_specified_why=review.well_specified_why,
        gold_quality_why=review.gold_quality_why,
        same_meaning=review.same_meaning,
        source_is_success=review.source_is_success,
        reject_reason=review.reject_reason,
        comment=review.comment,
        option_verdicts={
            verdict.option.position: verdict.verdict for verdict in review.option_verdicts.all()
        },
    )
