"""Decisions on a dispute that change its text, or give it back to the person who wrote it."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from generation.models import CandidateState, Revision
from generation.services.revisions import Editing
from review.models import Adjudication, Outcome
from review.services.disputes import Ruling, lock_dispute, record_decision
from review.services.editing import Edit, NotEditable, checked, write
from review.services.returns import give_back
from review.services.settlement import move


def edit_dispute(
    *, lead: User, editing: Editing, edit: Edit, seen: str, now: datetime
) -> Adjudication:
    """Settle a dispute by an edit: the next revision is in review, all its places free.

    Raises:
        AlreadyDecided, NotDisputed, OwnTurnOpen, ReviewsChanged: as ``lock_dispute`` does.
        EditRefused, LookFirst, NotEditable: as their names say.
    """
    findings = checked(editing, edit)
    with transaction.atomic():
        open_now = lock_dispute(revision=editing.revision, lead=lead, seen=seen)
        if open_now.candidate.is_control:
            msg = "This item can't be edited."
            raise NotEditable(msg)
        decided = record_decision(
            open_now, lead=lead, ruling=Ruling(outcome=Outcome.EDIT, note=edit.note)
        )
        write(
            candidate=open_now.candidate,
            editing=editing,
            edit=edit,
            findings=findings,
            author=lead,
            now=now,
        )
    return decided


@transaction.atomic
def return_dispute_to_author(
    *, revision: Revision, lead: User, comment: str, seen: str
) -> Adjudication:
    """Give a disputed edit back to its author; what comes of it is reviewed anew.

    Raises:
        AlreadyDecided, NotDisputed, OwnTurnOpen, ReviewsChanged: as ``lock_dispute`` does.
        ReturnRefused: nobody wrote the text, or the comment is missing.
    """
    open_now = lock_dispute(revision=revision, lead=lead, seen=seen)
    give_back(revision=revision, lead=lead, comment=comment)
    ruling = Ruling(outcome=Outcome.RETURN, note=comment)
    decided = record_decision(open_now, lead=lead, ruling=ruling)
    move(
        open_now.candidate,
        CandidateState.CHECKED,
        action="candidate.returned_to_author",
        why=comment.strip(),
        actor=lead,
    )
    return decided
