"""Runs the automatic checks and stores what they find."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from django.db import transaction
from django.db.models import QuerySet

from generation.core import items
from generation.core.checks import duplicate_row
from generation.core.checks.catalogue import check_item, check_items
from generation.core.items import Item
from generation.core.subtask import AnswerFormat
from generation.models import AuditEvent, Candidate, CandidateState, Revision
from generation.services import audit
from generation.services.findings import store_findings
from generation.services.prompts import prompts_in_use
from generation.services.runs import Run, leaks_in, load_run
from generation.services.trajectories import load_item

_OF_THE_SET = frozenset({duplicate_row.KIND})
_TAKEN_OUT = ("candidate.withdrawn", "candidate.returned_to_author")


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
    for key, finding in check_items(_items(found, complete, revisions_to_check())):
        found.setdefault(int(key), []).append(finding)
    for pk in complete:
        state = _store(pk, found.get(pk, []), queue_imported=queue_imported)
        checked.queued += state is _Moved.QUEUED
        checked.waiting += state is _Moved.WAITING
    checked.revisions = len(complete)
    checked.findings.update(f.kind for findings in found.values() for f in findings)
    return checked


def _items(
    found: dict[int, list[items.Finding]], complete: list[int], revisions: QuerySet[Revision]
) -> Iterator[Item]:
    """Yield every complete revision as an item, its leaks put into ``found`` on the way."""
    source_pk, run = None, Run()
    heads = {subtask: used.prompt.head for subtask, used in prompts_in_use().items()}
    for revision in revisions.iterator(chunk_size=100):
        candidate, source = revision.candidate, revision.candidate.source
        if source.pk != source_pk:
            source_pk, run = source.pk, load_run(source)
        item = load_item(revision, run.trajectory, examples=heads.get(candidate.subtask, ""))
        if candidate.state == CandidateState.DRAFT and not _is_complete(item):
            continue
        complete.append(revision.pk)
        found[revision.pk] = leaks_in(item, cut=candidate.cut, own=revision.slots, run=run)
        yield item


def _is_complete(item: Item) -> bool:
    completion = item.subtask.answer_format is AnswerFormat.COMPLETION
    return item.imported or completion or len(item.options) > len(item.gold)


class _Moved(Enum):
    """What became of a candidate: it went to review, it waits outside, or it stands where it was."""

    QUEUED = auto()
    WAITING = auto()
    STAYED = auto()


@transaction.atomic
def _store(revision_pk: int, findings: list[items.Finding], *, queue_imported: bool) -> _Moved:
    """Make the stored findings those of this run, and move the candidate on."""
    candidate = Candidate.objects.select_for_update().get(revisions=revision_pk)
    store_findings(revision_pk, findings)
    if candidate.state not in {CandidateState.DRAFT, CandidateState.CHECKED}:
        return _Moved.STAYED
    waits = candidate.cut == 0 and not queue_imported
    if not waits and _was_taken_out(candidate):
        return _Moved.STAYED
    state = CandidateState.CHECKED if waits else CandidateState.IN_REVIEW
    if state != candidate.state:
        Candidate.objects.filter(pk=candidate.pk).update(state=state)
        audit.record("candidate.checked", candidate, before=candidate.state, after=state)
    return _Moved.WAITING if waits else _Moved.QUEUED


def _was_taken_out(candidate: Candidate) -> bool:
    """Return whether a person took the checked candidate out of the queue: no check sends it back."""
    if candidate.state != CandidateState.CHECKED:
        return False
    out = AuditEvent.objects.filter(
        subject="candidate", subject_id=candidate.pk, action__in=_TAKEN_OUT
    )
    return out.exists()


def findings_now(candidates: Collection[int]) -> dict[int, list[items.Finding]]:
    """Return by revision what the checks of one item say of the candidates' current revisions.

    Drafts that are not complete are left out. What is said of an item beside others takes all of
    them: see ``renew_findings``.
    """
    found: dict[int, list[items.Finding]] = {}
    chosen = revisions_to_check().filter(candidate__in=candidates)
    for item in _items(found, [], chosen):
        found[int(item.key)] += check_item(item)
    return found


def renew_findings(revision_pk: int, findings: list[items.Finding]) -> None:
    """Make a revision's findings of the item by itself those given, in the caller's transaction.

    What was found of it beside others stays as it was.
    """
    store_findings(revision_pk, findings, untouched=_OF_THE_SET)
