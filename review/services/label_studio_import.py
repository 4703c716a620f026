"""Takes annotations that people made in Label Studio on tasks that were exported from here.

An answer becomes the annotator's blind answer, a judgement their review, by the same services
and rules as on the page. What can't be taken is listed with its reason; nothing is guessed.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import NAMESPACE_URL, UUID, uuid5

from django.contrib.auth.models import User
from django.db import transaction

from generation.core.labels import label_of
from generation.core.registry import SUBTASKS
from generation.models import Revision
from generation.models.candidate import RevisionQuerySet
from review.core.label_studio.answers import (
    BlindSaid,
    blind_of,
    is_blind,
    judgement_of,
    order_of,
    strangers,
)
from review.core.label_studio.reading import Annotation, Task, UnreadableTask, read_task
from review.core.review_answers import ReviewAnswers
from review.models import Assignment, BlindAnswer
from review.services.assigning import AssigningRefused, assign
from review.services.blind_answers import answer_blind
from review.services.gold import gold_positions
from review.services.label_studio_stored import (
    finding_pks,
    same_answer,
    same_review,
    standing_reviews,
)
from review.services.reviews import submit_review
from review.services.turns import ReviewRefused

NOT_OURS = "not exported from here: bring it in with import_sources label_studio"


class Taken(StrEnum):
    """What became of an annotation."""

    ANSWER = "answers"
    REVIEW = "reviews"
    EXTRA = "extra_reviews"
    THERE = "there_already"


class NotTaken(Exception):
    """An annotation that can't be taken, and why."""


@dataclass(frozen=True, slots=True)
class Found:
    """One annotation, or a task as a whole: where it stands, and what became of it."""

    where: str
    taken: Taken | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class People:
    """Who is who: ``lead`` brings the annotations in, ``members`` are by annotator."""

    lead: User
    members: Mapping[str, User] = field(default_factory=dict)


def take_tasks(
    values: Iterable[tuple[str, object]], people: People, *, now: datetime
) -> Iterator[Found]:
    """Yield what became of every annotation; ``values`` are (place, task of an export).

    Each annotation is a transaction of its own, so that a run that was ended can be run again.
    """
    for place, value in values:
        try:
            task = read_task(value)
        except UnreadableTask as error:
            yield Found(place, why=str(error))
            continue
        where = f"{place}: task {task.number}" if task.number else place
        if not task.key:
            yield Found(where, why=NOT_OURS)
            continue
        if task.skipped:
            yield Found(where, why=f"{task.skipped} skipped in Label Studio")
        revision = _revision(task.key)
        if revision is None:
            yield Found(where, why=f"data.key: no revision {task.key} here")
            continue
        for annotation in task.annotations:
            mark = f"{where}, annotation {annotation.number}"
            try:
                taken = take_annotation(task, annotation, revision, people=people, now=now)
            except NotTaken as error:
                yield Found(mark, why=str(error))
            else:
                yield Found(mark, taken=taken)
                for name in strangers(annotation):
                    yield Found(mark, why=f"{name}: no control of ours, left out")


def _revision(key: str) -> Revision | None:
    parts = key.split("/")
    if len(parts) != 4 or not (parts[2].isdecimal() and parts[3].isdecimal()) or "\0" in key:
        return None
    subtask, digest, cut, number = parts
    rows: RevisionQuerySet = Revision.objects.with_content()
    return rows.filter(
        candidate__subtask=subtask,
        candidate__source__digest=digest,
        candidate__cut=int(cut[:9]),
        candidate__is_control=False,
        number=int(number[:9]),
    ).first()


@transaction.atomic
def take_annotation(
    task: Task, annotation: Annotation, revision: Revision, *, people: People, now: datetime
) -> Taken:
    """Store one annotation and return what it became.

    Raises:
        NotTaken: it can't be read, its annotator is no member, or the rules of reviewing forbid it.
    """
    try:
        order = order_of(task, [option.text for option in revision.options.all()])
        if annotation.own_key:
            return _own(task, annotation, revision, order)
        reviewer = people.members.get(annotation.annotator)
        if reviewer is None:
            msg = f"annotator {annotation.annotator!r} is mapped to no member"
            raise NotTaken(msg)
        if is_blind(annotation):
            form = SUBTASKS[revision.candidate.subtask].answer_format
            said = blind_of(annotation, form=form, order=order)
            return _take_answer(said, revision, reviewer, lead=people.lead, now=now)
        judged = _judgement(task, annotation, revision, order)
        return _take_review(judged, annotation, task, order, revision, reviewer, now=now)
    except UnreadableTask as error:
        raise NotTaken(str(error)) from error


def _own(task: Task, annotation: Annotation, revision: Revision, order: tuple[int, ...]) -> Taken:
    """Return that a review which came back is there; one that was changed is not taken."""
    key = _uuid(annotation.own_key)
    review = standing_reviews(revision).filter(form_key=key).first() if key else None
    if review is None:
        msg = "a review that was exported from another database"
        raise NotTaken(msg)
    form = SUBTASKS[revision.candidate.subtask].answer_format
    same = same_review(review, _judgement(task, annotation, revision, order)) and same_answer(
        review.assignment.blind_answer, blind_of(annotation, form=form, order=order)
    )
    if not same:
        msg = "a review exported from here that was changed since: reviews are never edited"
        raise NotTaken(msg)
    return Taken.THERE


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _take_answer(
    said: BlindSaid, revision: Revision, reviewer: User, *, lead: User, now: datetime
) -> Taken:
    """Give the reviewer a place and store their answer; they go on with the judgement."""
    turn = Assignment.objects.filter(revision=revision, reviewer=reviewer).first()
    before = BlindAnswer.objects.filter(assignment=turn).first() if turn else None
    if before and not same_answer(before, said):
        msg = f"{reviewer} answered this item before, and otherwise"
        raise NotTaken(msg)
    if before:
        return Taken.THERE
    try:
        turn = assign(lead=lead, revision=revision, reviewer=reviewer, now=now)
        answer_blind(
            assignment=turn,
            positions=said.positions,
            text=said.text,
            not_determined=said.not_determined,
            confidence=said.confidence,
            active_seconds=said.seconds,
            now=now,
        )
    except AssigningRefused as refused:
        raise NotTaken(refused.why) from refused
    except ReviewRefused as refused:
        raise NotTaken(str(refused)) from refused
    return Taken.ANSWER


def _take_review(
    judged: ReviewAnswers,
    annotation: Annotation,
    task: Task,
    order: tuple[int, ...],
    revision: Revision,
    reviewer: User,
    *,
    now: datetime,
) -> Taken:
    """Store a judgement as the review of somebody who has answered."""
    turn = Assignment.objects.filter(revision=revision, reviewer=reviewer).first()
    if turn is None or not BlindAnswer.objects.filter(assignment=turn).exists():
        msg = f"{reviewer} has given no blind answer to this item"
        raise NotTaken(msg)
    standing = standing_reviews(revision).filter(assignment=turn).first()
    if standing and not same_review(standing, judged):
        msg = f"{reviewer} reviewed this item before, and otherwise"
        raise NotTaken(msg)
    if standing:
        return Taken.THERE
    name = f"{task.key}/{reviewer.pk}/{annotation.number}/{annotation.made_at}"
    try:
        review = submit_review(
            assignment=turn, form_key=uuid5(NAMESPACE_URL, name), answers=judged, now=now
        )
    except ReviewRefused as refused:
        keys = finding_pks(revision)
        names = {f"option_{position}": label_of(i) for i, position in enumerate(order)}
        names = {name: f"option_{label}" for name, label in names.items()}
        for number, key in enumerate(task.finding_keys, start=1):
            names[f"finding_{keys.get(key)}"] = f"finding_{number}"
        faults = (f"{names.get(at, at)}: {why}" for at, why in refused.problems.items())
        raise NotTaken("; ".join(faults)) from refused
    return Taken.REVIEW if review.is_counted else Taken.EXTRA


def _judgement(
    task: Task, annotation: Annotation, revision: Revision, order: tuple[int, ...]
) -> ReviewAnswers:
    return judgement_of(
        annotation,
        task,
        order=order,
        gold=gold_positions(revision),
        findings=finding_pks(revision),
    )
