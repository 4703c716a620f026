"""Notes on items, and questions to a lead that park a turn until they are answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from generation.models import Candidate, Revision
from generation.services import audit
from generation.services.texts import storable
from review.authentication import is_lead
from review.models import Assignment, Note, Question
from review.services.item_access import open_turn
from review.services.leases import lease_end
from review.services.refusals import Refused

LONGEST = 5_000
ANSWERED_HOURS = 24


class RemarkRefused(Refused):
    """A remark that is not stored; ``why`` is a sentence for the person."""


def own_notes(revision: Revision, author: User) -> QuerySet[Note]:
    """Return a person's own notes on a revision, oldest first."""
    return Note.objects.filter(revision=revision, author=author)


def all_notes(candidate: Candidate) -> QuerySet[Note]:
    """Return everybody's notes on all revisions of a candidate, with writers: for leads alone."""
    return Note.objects.filter(revision__candidate=candidate).select_related("author", "revision")


@transaction.atomic
def add_note(*, revision: Revision, author: User, text: str) -> Note:
    """Store a note; its writer and leads read it, other reviewers never do.

    Raises:
        RemarkRefused: it has no words, or more than 5,000 characters.
    """
    note = Note.objects.create(revision=revision, author=author, text=_words(text))
    audit.record("note.added", note, actor=author, after=note.text)
    return note


@transaction.atomic
def ask_lead(*, assignment: Assignment, text: str, now: datetime) -> Question:
    """Park a turn with a question: its place is held and its draft kept until a lead answers.

    Raises:
        RemarkRefused: the turn is over, has an open question already, or there are no words.
    """
    turn = Assignment.objects.select_for_update(of=("self",)).get(pk=assignment.pk)
    if turn.submitted_at or turn.skipped_at:
        msg = "Your turn at this item is over."
        raise RemarkRefused(msg)
    words = _words(text)
    try:
        with transaction.atomic():
            question = Question.objects.create(assignment=turn, text=words)
    except IntegrityError:
        msg = "Your first question about this item still waits for its answer."
        raise RemarkRefused(msg) from None
    turn.parked_at = now
    turn.save(update_fields=["parked_at"])
    audit.record("question.asked", question, actor=turn.reviewer, after=question.text)
    audit.record("assignment.parked", turn, actor=turn.reviewer, after=now)
    return question


@transaction.atomic
def take_up(*, assignment: Assignment, now: datetime) -> None:
    """Go on with a parked turn without the answer, on a fresh lease; the question stays open.

    Raises:
        RemarkRefused: the turn is not parked.
    """
    turn = Assignment.objects.select_for_update(of=("self",)).get(pk=assignment.pk)
    if turn.parked_at is None:
        msg = "This item waits for no answer."
        raise RemarkRefused(msg)
    _unpark(turn, actor=turn.reviewer, until=lease_end(now))


@transaction.atomic
def answer_question(
    *, question: Question, lead: User, answer: str, is_example: bool, now: datetime
) -> Question:
    """Store a lead's answer; the turn goes on with a lease of a day, for its reviewer may be away.

    Who answers may not review the item afterwards. An answer that ``is_example`` is shown in
    the guidelines.

    Raises:
        RemarkRefused: it is answered already, it is the lead's own, the lead could still review
            the item, or there are no words.
    """
    turn = Assignment.objects.select_for_update(of=("self",)).get(questions=question.pk)
    fresh = Question.objects.get(pk=question.pk)
    if fresh.answered_at:
        msg = "Another lead has answered this question meanwhile."
        raise RemarkRefused(msg)
    candidate = Candidate.objects.get(revisions=turn.revision_id)
    if why := why_not_to_answer(turn, candidate, lead):
        raise RemarkRefused(why)
    fresh.answer, fresh.answered_by, fresh.answered_at = _words(answer), lead, now
    fresh.is_example = is_example
    fresh.save(update_fields=["answer", "answered_by", "answered_at", "is_example"])
    audit.record("question.answered", fresh, actor=lead, after=[fresh.answer, is_example])
    if turn.parked_at:
        _unpark(turn, actor=lead, until=now + timedelta(hours=ANSWERED_HOURS))
    return fresh


def why_not_to_answer(turn: Assignment, candidate: Candidate, lead: User) -> str:
    """Return why the lead may not answer a question about the item, empty where they may."""
    if not is_lead(lead):
        return "Only a lead answers questions."
    if turn.reviewer_id == lead.pk:
        return "This is your own question: another lead answers it."
    if open_turn(lead=lead, candidate=candidate):
        return "You have a turn at this item: submit your review or skip it first."
    return ""


@transaction.atomic
def mark_as_example(*, question: Question, lead: User, is_example: bool) -> None:
    """Show an answer in the guidelines, or no longer.

    Raises:
        RemarkRefused: it has no answer.
    """
    fresh = Question.objects.select_for_update(of=("self",)).get(pk=question.pk)
    if fresh.answered_at is None:
        msg = "Only an answered question can be an example."
        raise RemarkRefused(msg)
    if fresh.is_example != is_example:
        before, fresh.is_example = fresh.is_example, is_example
        fresh.save(update_fields=["is_example"])
        audit.record("question.example", fresh, actor=lead, before=before, after=is_example)


def questions_of(assignment: Assignment) -> QuerySet[Question]:
    """Return what the reviewer of a turn asked, oldest first."""
    return Question.objects.filter(assignment=assignment)


def note_answers_seen(questions: Sequence[Question], *, now: datetime) -> None:
    """Note that the reviewer has seen the answers that are there."""
    unseen = [q.pk for q in questions if q.answered_at and q.seen_at is None]
    if unseen:
        Question.objects.filter(pk__in=unseen, seen_at=None).update(seen_at=now)


def own_questions(reviewer: User) -> QuerySet[Question]:
    """Return a person's questions that wait or whose answer they have not seen, oldest first."""
    return (
        Question.objects.filter(assignment__reviewer=reviewer, seen_at=None)
        .select_related("assignment__revision__candidate")
        .order_by("asked_at", "pk")
    )


def all_questions(*, answered: bool, subtask: str = "") -> QuerySet[Question]:
    """Return everybody's questions, open ones oldest first, answered ones newest first: for leads."""
    found = Question.objects.filter(answered_at__isnull=not answered).select_related(
        "assignment__revision__candidate", "answered_by"
    )
    if subtask:
        found = found.filter(assignment__revision__candidate__subtask=subtask)
    return found.order_by("-answered_at", "-pk") if answered else found.order_by("asked_at", "pk")


@dataclass(frozen=True, slots=True)
class GuidelineExample:
    """A question that a reviewer asked and the answer of a lead; it names nobody."""

    subtask: str
    question: str
    answer: str
    answered_at: datetime


def guideline_examples(subtask: str | None = None) -> list[GuidelineExample]:
    """Return the answers that leads chose as examples, newest first; in one query."""
    rows = Question.objects.filter(is_example=True, answered_at__isnull=False)
    if subtask is not None:
        rows = rows.filter(assignment__revision__candidate__subtask=subtask)
    rows = rows.select_related("assignment__revision__candidate").order_by("-answered_at", "-pk")
    return [
        GuidelineExample(
            row.assignment.revision.candidate.subtask, row.text, row.answer, row.answered_at
        )
        for row in rows
        if row.answered_at
    ]


def _unpark(turn: Assignment, *, actor: User, until: datetime) -> None:
    turn.parked_at, turn.leased_until, turn.expired_at = None, until, None
    turn.save(update_fields=["parked_at", "leased_until", "expired_at"])
    audit.record("assignment.taken_up", turn, actor=actor, after=turn.leased_until)


def _words(text: str) -> str:
    words = storable(text.strip())
    if not words:
        msg = "Write some words first."
        raise RemarkRefused(msg)
    if len(words) > LONGEST:
        msg = "Say it in up to 5,000 characters."
        raise RemarkRefused(msg)
    return words
