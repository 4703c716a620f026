"""Edited questions that are given back to the person who wrote them, with a comment.

The candidate waits outside the queue until its author edits again or lets the text stand. Nobody
is told who the other is.
"""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from generation.models import Candidate, CandidateState, Revision
from generation.services import audit
from generation.services.revisions import Editing
from generation.services.texts import storable
from review.models import Assignment, BlindAnswer, ReturnedEdit
from review.services.editing import Edit, NotEditable, checked, lock_current, write
from review.services.refusals import Refused
from review.services.settlement import move

RETURNED = "given back to its author"


class ReturnRefused(Refused):
    """The question is not given back; ``why`` is a sentence for the person."""


def returned_to(author: User) -> QuerySet[ReturnedEdit]:
    """Return what waits for a person to look at their edit again, oldest first."""
    return (
        ReturnedEdit.objects.filter(
            revision__author=author, revision__superseded_at=None, closed_at=None
        )
        .select_related("revision__candidate__source")
        .order_by("returned_at", "pk")
    )


def may_be_returned(revision: Revision, person: User) -> bool:
    """Return whether the person may give the revision back: another, still here, wrote it."""
    author = revision.author
    return author is not None and author.pk != person.pk and author.is_active


@transaction.atomic
def return_to_author(*, assignment: Assignment, comment: str, now: datetime) -> ReturnedEdit:
    """End a reviewer's turn by giving the edited question back to its author.

    The turn counts as skipped, so that its place is free when the question comes again.

    Raises:
        ReturnRefused: the turn is over or still blind, nobody wrote the text, or the comment is
            missing.
    """
    candidate = Candidate.objects.select_for_update(of=("self",)).get(
        revisions=assignment.revision_id
    )
    turn = Assignment.objects.select_for_update(of=("self",)).get(pk=assignment.pk)
    revision = Revision.objects.select_related("author").get(pk=turn.revision_id)
    if turn.submitted_at or turn.skipped_at:
        msg = "Your turn at this item is over."
        raise ReturnRefused(msg)
    if not BlindAnswer.objects.filter(assignment=turn).exists():
        msg = "Answer first, before you judge."
        raise ReturnRefused(msg)
    if candidate.state != CandidateState.IN_REVIEW or revision.superseded_at:
        msg = "The question is not in review any more."
        raise ReturnRefused(msg)
    returned = _give_back(revision, person=turn.reviewer, comment=comment)
    why = returned.comment
    turn.skipped_at, turn.skip_reason, turn.parked_at = now, f"{RETURNED}: {why}", None
    turn.save(update_fields=["skipped_at", "skip_reason", "parked_at"])
    audit.record("assignment.skipped", turn, actor=turn.reviewer, detail=turn.skip_reason)
    move(
        candidate,
        CandidateState.CHECKED,
        action="candidate.returned_to_author",
        why=why,
        actor=turn.reviewer,
    )
    return returned


def give_back(*, revision: Revision, lead: User, comment: str) -> ReturnedEdit:
    """Note that a lead gives a revision back to its author, in the caller's transaction.

    The caller moves the candidate out of the queue.

    Raises:
        ReturnRefused: nobody wrote the text, or the comment is missing.
    """
    fresh = Revision.objects.select_related("author").get(pk=revision.pk)
    return _give_back(fresh, person=lead, comment=comment)


def _give_back(revision: Revision, *, person: User, comment: str) -> ReturnedEdit:
    if not comment.strip():
        msg = "Say what the author should look at."
        raise ReturnRefused(msg)
    if not may_be_returned(revision, person):
        msg = "There is nobody to give this text back to."
        raise ReturnRefused(msg)
    try:
        with transaction.atomic():
            returned = ReturnedEdit.objects.create(
                revision=revision, returned_by=person, comment=storable(comment.strip())
            )
    except IntegrityError:
        msg = "It has been given back already."
        raise ReturnRefused(msg) from None
    audit.record("edit.returned", returned, actor=person, after=returned.comment)
    return returned


@transaction.atomic
def let_stand(*, returned: ReturnedEdit, author: User, now: datetime) -> None:
    """Put a returned question back in the queue with its text as it is.

    Raises:
        ReturnRefused: it waits for nobody any more, or another person wrote it.
    """
    candidate = Candidate.objects.select_for_update(of=("self",)).get(
        revisions=returned.revision_id
    )
    fresh = open_return(returned, author)
    fresh.closed_at = now
    fresh.save(update_fields=["closed_at"])
    audit.record("edit.return_closed", fresh, actor=author, detail="left as it is")
    if candidate.state == CandidateState.CHECKED:
        move(
            candidate,
            CandidateState.IN_REVIEW,
            action="candidate.checked",
            why="its author lets it stand",
            actor=author,
        )


def edit_returned(
    *, returned: ReturnedEdit, author: User, editing: Editing, edit: Edit, now: datetime
) -> Revision:
    """Store the author's next edit of a returned question, which goes back in the queue.

    Raises:
        EditRefused, LookFirst, EditConflict, NotEditable: as their names say.
    """
    findings = checked(editing, edit)
    with transaction.atomic():
        candidate = lock_current(editing)
        try:
            open_return(returned, author)
        except ReturnRefused as refused:
            raise NotEditable(refused.why) from refused
        return write(
            candidate=candidate,
            editing=editing,
            edit=edit,
            findings=findings,
            author=author,
            now=now,
        )


def open_return(returned: ReturnedEdit, author: User) -> ReturnedEdit:
    """Return the row as it is now, where it waits for this author.

    Raises:
        ReturnRefused: it waits for nobody any more, or another person wrote it.
    """
    fresh = ReturnedEdit.objects.select_related("revision").get(pk=returned.pk)
    if fresh.closed_at or fresh.revision.superseded_at or fresh.revision.author_id != author.pk:
        msg = "This waits for you no longer."
        raise ReturnRefused(msg)
    return fresh
