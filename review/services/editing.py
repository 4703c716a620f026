"""Edits of questions by people: what is seen before one is saved, and how it is saved.

An edit is made from one revision. Where that is not the current one any more the edit is a
conflict: nothing is stored, and the page shows both texts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from django.contrib.auth.models import User
from django.db import transaction

from generation.core.items import Finding
from generation.core.wording import Wording, problems
from generation.models import Candidate, CandidateState, Revision
from generation.services import audit
from generation.services.revisions import Editing, supersede
from review.core.scorer import em_norm
from review.models import Assignment, BlindAnswer, ReturnedEdit
from review.services.edit_looks import Look, look_at
from review.services.item_access import open_turn
from review.services.refusals import FieldsRefused, Refused

_OWN_TURN = "You have a turn at this item: submit your review or skip it first."
_EDITABLE = frozenset(
    {
        CandidateState.CHECKED,
        CandidateState.IN_REVIEW,
        CandidateState.APPROVED,
        CandidateState.REJECTED,
    }
)


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit as sent: the new wording and why.

    ``seen`` is the digest of the new findings that the page showed, ``confirmed`` the same where
    the person ticked that they save all the same.
    """

    wording: Wording
    note: str
    seen: str = ""
    confirmed: str = ""


class EditRefused(FieldsRefused):
    """An edit that breaks rules; ``problems`` has a sentence by field, "" for the whole."""


class LookFirst(Exception):
    """The new text has findings that the person has not been shown, or not said yes to."""

    def __init__(self, look: Look) -> None:
        super().__init__(", ".join(finding.kind for finding in look.new))
        self.look = look


class EditConflict(Exception):
    """Another edit came first: ``current`` is the revision that it made."""

    def __init__(self, current: Revision) -> None:
        super().__init__(f"revision {current.number} is there already")
        self.current = current


class NotEditable(Refused):
    """The question can't be edited now; ``why`` is a sentence for the person."""


def checked(editing: Editing, edit: Edit) -> Sequence[Finding]:
    """Return the findings of an edit that may be saved.

    Raises:
        EditRefused: the wording breaks a rule, or does not say why.
        LookFirst: the page has not shown what is newly found.
    """
    if wrong := wrong_with(editing, edit):
        raise EditRefused(wrong)
    look = look_at(editing, edit.wording)
    if edit.seen != look.digest or (look.blocks and edit.confirmed != look.digest):
        raise LookFirst(look)
    return editing.findings(edit.wording)


def wrong_with(editing: Editing, edit: Edit) -> dict[str, str]:
    """Return what is wrong with an edit, a sentence by field; empty where it can be saved."""
    found = dict(problems(edit.wording, editing.rules))
    found |= _said_twice(editing, edit.wording)
    if not edit.note.strip():
        found["note"] = "Say why, for those who review the new text."
    return found


def _said_twice(editing: Editing, wording: Wording) -> Iterable[tuple[str, str]]:
    """Yield the new accepted texts that say the same as another, as the scorer reads them."""
    if wording.options or editing.rules.subtask.choices:
        return
    reader, known = editing.rules.subtask.reader, set(editing.before.gold)
    for (_first, one), (second, other) in combinations(enumerate(wording.gold), 2):
        if not {one, other} <= known and em_norm(reader, other, one):
            yield f"gold_{second}", "It says the same as another accepted text."


def lock_current(editing: Editing) -> Candidate:
    """Lock the candidate of an edit and return it, where its revision is the current one.

    Raises:
        EditConflict: another revision is.
    """
    revision = editing.revision
    candidate = Candidate.objects.select_for_update(of=("self",)).get(pk=revision.candidate_id)
    current = Revision.objects.current().get(candidate=candidate)
    if current.pk != revision.pk:
        raise EditConflict(current)
    return candidate


def write(
    *,
    candidate: Candidate,
    editing: Editing,
    edit: Edit,
    findings: Sequence[Finding],
    author: User,
    now: datetime,
) -> Revision:
    """Make the new revision of a candidate whose lock the caller holds.

    What was given back to the author of the revision before is thereby done with.
    """
    editing.revision.candidate = candidate
    new = supersede(
        editing=editing,
        wording=edit.wording,
        findings=findings,
        author=author,
        note=edit.note.strip(),
        now=now,
    )
    for returned in ReturnedEdit.objects.filter(revision=editing.revision, closed_at=None):
        returned.closed_at = now
        returned.save(update_fields=["closed_at"])
        audit.record("edit.return_closed", returned, actor=author, detail="edited again")
    return new


def edit_item(*, lead: User, editing: Editing, edit: Edit, now: datetime) -> Revision:
    """Store a lead's edit of an item that is not in dispute; what it had settled is open again.

    A release keeps the revision that it froze: the new one is for the next.

    Raises:
        EditRefused, LookFirst, EditConflict, NotEditable: as their names say.
    """
    findings = checked(editing, edit)
    with transaction.atomic():
        candidate = lock_current(editing)
        if why := why_no_lead_may_edit(candidate, lead):
            raise NotEditable(why)
        return write(
            candidate=candidate,
            editing=editing,
            edit=edit,
            findings=findings,
            author=lead,
            now=now,
        )


def why_no_lead_may_edit(candidate: Candidate, lead: User) -> str:
    """Return why a lead may not edit the candidate as it stands, empty where they may."""
    if candidate.is_control:
        return "This item can't be edited."
    if candidate.state not in _EDITABLE:
        return "This item is not ready to be edited: it waits for options, or for a decision."
    if open_turn(lead=lead, candidate=candidate):
        return _OWN_TURN
    return ""


@transaction.atomic
def note_seen(*, reviewer: User, revision: Revision, now: datetime) -> None:
    """Note that a person is shown a revision with its gold, to edit it or beside their own edit.

    They can't answer it blind any more, so the queue does not give it to them; what they wrote
    or have answered it would not give them anyway.

    Raises:
        NotEditable: they have a turn at it that they have not answered.
    """
    if revision.author_id == reviewer.pk:
        return
    turn, is_new = Assignment.objects.get_or_create(
        revision=revision,
        reviewer=reviewer,
        defaults={
            "leased_until": now,
            "skipped_at": now,
            "skip_reason": "saw this text beside an edit of their own",
        },
    )
    if is_new:
        audit.record("assignment.skipped", turn, actor=reviewer, detail=turn.skip_reason)
        return
    is_over = turn.submitted_at or turn.skipped_at
    if not is_over and not BlindAnswer.objects.filter(assignment=turn).exists():
        raise NotEditable(_OWN_TURN)
