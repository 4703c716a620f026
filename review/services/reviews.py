"""Stores what reviewers say: drafts, blind answers, reviews. Nothing sent is ever dropped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from generation.core.items import Severity
from generation.core.records import Success
from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat, Reader
from generation.models import Candidate, CandidateState, Revision
from generation.services import audit
from generation.services.texts import storable
from review.authentication import is_lead
from review.core.question_view import read_gold
from review.core.review_answers import (
    FINDING_VERDICTS,
    OPTION_VERDICTS,
    Asked,
    ReviewAnswers,
    problems,
)
from review.core.scorer import em_norm
from review.models import (
    Assignment,
    BlindAnswer,
    FindingVerdict,
    OptionVerdict,
    Purpose,
    RejectReason,
    Review,
)
from review.services.leases import renewed
from review.services.places import taken_places, was_returned
from review.services.project import project, reviews_wanted
from review.services.qualification import settle_round
from review.services.settlement import settle_revision


class ReviewRefused(Exception):
    """A review that breaks rules; ``problems`` has a sentence by field."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {why}" for name, why in problems.items()))
        self.problems = dict(problems)


class AlreadySubmitted(Exception):
    """The turn has a review already; it stands, and ``review`` is it."""

    def __init__(self, review: Review) -> None:
        super().__init__(f"already submitted at {review.created_at:%Y-%m-%d %H:%M}")
        self.review = review


LOOKED = "saw_what_follows"
_CLOSED = (
    "submitted_at",
    "draft",
    "draft_saved_at",
    "skipped_at",
    "skip_reason",
    "parked_at",
)


@dataclass(frozen=True, slots=True)
class _Judged:
    """What there is to judge of a revision: options' keys by position, findings' severities by key.

    ``gold`` are the positions of the right options.
    """

    options: Mapping[int, int]
    findings: Mapping[int, int]
    gold: tuple[int, ...]

    @classmethod
    def of(cls, revision: Revision) -> "_Judged":
        """Return what there is to judge, without its texts; in two queries."""
        options = dict(revision.options.values_list("position", "pk"))
        findings = dict(revision.findings.values_list("pk", "severity"))
        return cls(options, findings, _gold_among(revision, len(options)))


def gold_positions(revision: Revision) -> tuple[int, ...]:
    """Return the given-order positions of the right options, none where the answer is written.

    Labels that name no option are left out: the page tells the reviewer of them. One query.
    """
    return _gold_among(revision, revision.options.count())


def _gold_among(revision: Revision, count: int) -> tuple[int, ...]:
    return () if is_completion(revision) else read_gold(revision.gold, count)[0]


def is_completion(revision: Revision) -> bool:
    """Return whether the answer is written, not chosen."""
    return SUBTASKS[revision.candidate.subtask].answer_format is AnswerFormat.COMPLETION


def answer_matches_gold(
    revision: Revision, *, positions: Sequence[int], text: str, not_determined: bool
) -> bool:
    """Return whether a blind answer is right: the same options, or equal to gold by em_norm.

    Where gold names an option that is not there, no choice is right. At most one query.
    """
    count = 0 if is_completion(revision) else revision.options.count()
    return _matches_gold(
        revision, count, positions=positions, text=text, not_determined=not_determined
    )


def _matches_gold(
    revision: Revision, count: int, *, positions: Sequence[int], text: str, not_determined: bool
) -> bool:
    """Return whether a blind answer to a revision with ``count`` options is right."""
    if not is_completion(revision):
        right, missing = read_gold(revision.gold, count)
        return not missing and set(positions) == set(right)
    reader = SUBTASKS[revision.candidate.subtask].reader
    return not not_determined and any(em_norm(reader, text, gold) for gold in revision.gold)


@transaction.atomic
def save_draft(*, assignment: Assignment, draft: Mapping[str, Any], now: datetime) -> datetime:
    """Keep unsent work and renew a running lease; return when the lease ends.

    What comes after the review was submitted is not kept: it is the same work, sent late. That
    the reviewer looked past the cut stays, whatever the draft says: ``record_look`` alone sets it.
    """
    turn = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if turn.submitted_at is None:
        looked = {LOOKED: True} if turn.draft.get(LOOKED) else {}
        turn.draft = {name: kept for name, kept in draft.items() if name != LOOKED} | looked
        turn.draft_saved_at = now
        turn.leased_until = renewed(turn, now=now)
        turn.save(update_fields=["draft", "draft_saved_at", "leased_until"])
    return turn.leased_until


@transaction.atomic
def record_look(*, assignment: Assignment) -> None:
    """Note in the draft that the reviewer looked past the cut; the review will say so.

    Raises:
        ReviewRefused: there is no blind answer yet.
    """
    turn = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if not BlindAnswer.objects.filter(assignment=turn).exists():
        raise ReviewRefused({"answer": "Answer first, before you look."})
    if turn.submitted_at is None:
        turn.draft = {**turn.draft, LOOKED: True}
        turn.save(update_fields=["draft"])


@transaction.atomic
def answer_blind(
    *,
    assignment: Assignment,
    positions: Sequence[int] = (),
    text: str = "",
    not_determined: bool = False,
    confidence: int,
    active_seconds: float,
    now: datetime,
) -> BlindAnswer:
    """Store the blind answer and renew a running lease; a second one changes nothing.

    ``positions`` are given-order option positions; ``confidence`` goes from 1 to 5.

    Raises:
        ReviewRefused: no answer, an option that does not exist, or a confidence out of range.
    """
    return answer_locked(
        locked_turn(assignment),
        positions=positions,
        text=text,
        not_determined=not_determined,
        confidence=confidence,
        active_seconds=active_seconds,
        now=now,
    )


def answer_locked(
    turn: Assignment,
    *,
    positions: Sequence[int],
    text: str,
    not_determined: bool,
    confidence: int,
    active_seconds: float,
    now: datetime,
) -> BlindAnswer:
    """Do what ``answer_blind`` does with a turn that the caller holds locked.

    Raises:
        ReviewRefused: as ``answer_blind`` does.
    """
    if first := _blind_answer_of(turn):
        return first
    revision = turn.revision
    count = 0 if is_completion(revision) else revision.options.count()
    _check_blind(
        revision, positions, text, count, not_determined=not_determined, confidence=confidence
    )
    answer = BlindAnswer.objects.create(
        assignment=turn,
        positions=sorted(set(positions)),
        text="" if not_determined else storable(text),
        not_determined=not_determined,
        confidence=confidence,
        matches_gold=_matches_gold(
            revision, count, positions=positions, text=text, not_determined=not_determined
        ),
        active_seconds=max(0.0, active_seconds),
    )
    turn.draft, turn.draft_saved_at = {}, None
    turn.leased_until = renewed(turn, now=now)
    turn.save(update_fields=["draft", "draft_saved_at", "leased_until"])
    audit.record(
        "blind_answer.given",
        turn,
        actor=turn.reviewer,
        after=[answer.positions, answer.text, answer.not_determined, answer.confidence],
    )
    return answer


def _check_blind(
    revision: Revision,
    positions: Sequence[int],
    text: str,
    count: int,
    *,
    not_determined: bool,
    confidence: int,
) -> None:
    found: dict[str, str] = {}
    if is_completion(revision):
        if not text.strip() and not not_determined:
            found["answer"] = "Write your answer, or say that the prompt does not determine it."
    elif not positions or any(not 0 <= position < count for position in positions):
        found["answer"] = "Choose one of the options."
    if not 1 <= confidence <= 5:
        found["confidence"] = "Say how sure you are, from 1 to 5."
    if found:
        raise ReviewRefused(found)


def may_mean_the_same(revision: Revision, answer: BlindAnswer) -> bool:
    """Return whether a blind answer may say gold in other words: an answer, not a command.

    A choice or a command says one thing only, and "not determined" says nothing that gold does.
    """
    is_answer = SUBTASKS[revision.candidate.subtask].reader is Reader.ANSWER
    return is_answer and not answer.not_determined and bool(answer.text.strip())


def asked_of(revision: Revision, answer: BlindAnswer | None = None) -> Asked:
    """Return what the open page asks about a revision, of a reviewer with this blind answer."""
    return _asked(_Judged.of(revision), revision, answer)


def _asked(judged: _Judged, revision: Revision, answer: BlindAnswer | None) -> Asked:
    severities = judged.findings.items()
    return Asked(
        distractors=[position for position in judged.options if position not in judged.gold],
        findings=[pk for pk, severity in severities if severity >= Severity.NEEDS_PERSON],
        blocking=[pk for pk, severity in severities if severity == Severity.BLOCKS_RELEASE],
        source_is_unconfirmed=revision.candidate.source.success == Success.UNCONFIRMED,
        reject_reasons=RejectReason.values,
        may_mean_the_same=answer is not None and may_mean_the_same(revision, answer),
    )


def locked_turn(assignment: Assignment) -> Assignment:
    """Lock the turn and return it with what storing needs: not the source's or item's own texts."""
    turns = Assignment.objects.select_for_update(of=("self",)).select_related(
        "reviewer__profile", "revision__candidate__source"
    )
    return turns.defer(
        "revision__slots",
        "revision__candidate__source__raw",
        "revision__candidate__source__outcome",
        "revision__candidate__source__tools",
    ).get(pk=assignment.pk)


def _blind_answer_of(turn: Assignment) -> BlindAnswer | None:
    """Return the answer of a locked turn; read after the lock, since it may have waited for it."""
    return BlindAnswer.objects.filter(assignment=turn).first()


@transaction.atomic
def submit_review(
    *, assignment: Assignment, form_key: UUID, answers: ReviewAnswers, now: datetime
) -> Review:
    """Store a review with its verdicts, and settle the revision where it was the last wanted.

    The same ``form_key`` on the same turn stores one review however often it is sent. A review
    after the end of its lease counts where its place is still free; else it is kept as an extra
    review. Whether the reviewer looked past the cut is read from the turn, under its lock.

    Raises:
        AlreadySubmitted: the turn has a review from another form.
        ReviewRefused: there is no blind answer yet, the form's own review was taken back, or the
            review breaks a rule.
    """
    candidate = locked_candidate(assignment)
    turn = locked_turn(assignment)
    return submit_locked(candidate, turn, form_key=form_key, answers=answers, now=now)


def locked_candidate(assignment: Assignment) -> Candidate:
    """Lock the item of a turn and return it: before the turn itself, as all who lock both do."""
    return Candidate.objects.select_for_update(of=("self",)).get(revisions=assignment.revision_id)


def submit_locked(
    candidate: Candidate,
    turn: Assignment,
    *,
    form_key: UUID,
    answers: ReviewAnswers,
    now: datetime,
) -> Review:
    """Do what ``submit_review`` does with an item and a turn that the caller holds locked.

    What is refused has written nothing.

    Raises:
        AlreadySubmitted, ReviewRefused: as ``submit_review`` does.
    """
    earlier = list(Review.objects.filter(assignment=turn))
    if standing := next((review for review in earlier if review.undone_at is None), None):
        if standing.form_key == form_key:
            return standing
        raise AlreadySubmitted(standing)
    if any(review.form_key == form_key for review in earlier):
        raise ReviewRefused({"form_key": "This review was taken back: open the page again."})
    revision, answer = turn.revision, _blind_answer_of(turn)
    if answer is None:
        raise ReviewRefused({"answer": "Answer first, before you judge."})
    judged = _Judged.of(revision)
    if found := problems(answers, _asked(judged, revision, answer)):
        raise ReviewRefused(found)
    place = _place_of(turn, revision, candidate, now=now)
    review = _create_review(turn, form_key, answers, is_counted=place.is_free)
    _store_verdicts(review, judged, answers)
    turn.submitted_at, turn.draft, turn.draft_saved_at = now, {}, None
    turn.skipped_at, turn.skip_reason, turn.parked_at = None, "", None
    turn.save(update_fields=_CLOSED)
    audit.record(
        "review.submitted",
        review,
        actor=turn.reviewer,
        after=[review.decision, review.well_specified, review.gold_quality, review.comment],
        detail="counted" if review.is_counted else "extra",
    )
    if turn.purpose == Purpose.QUALIFICATION:
        settle_round(reviewer=turn.reviewer, settings=project(), now=now)
    elif turn.purpose == Purpose.WORK and review.is_counted:
        settle_revision(
            candidate=candidate,
            revision=revision,
            reviews=[*place.reviews, review.pk],
            wanted=place.wanted,
        )
    return review


@dataclass(frozen=True, slots=True)
class _Place:
    """Whether a review finds a free place, beside which ``reviews`` of how many ``wanted``."""

    is_free: bool
    reviews: tuple[int, ...] = ()
    wanted: int = 0


def has_a_place(
    turn: Assignment, revision: Revision, candidate: Candidate, *, now: datetime
) -> bool:
    """Return whether a review of the turn counts, sent at ``now``; the candidate is locked."""
    return _place_of(turn, revision, candidate, now=now).is_free


def _place_of(
    turn: Assignment, revision: Revision, candidate: Candidate, *, now: datetime
) -> _Place:
    """Return whether the review counts: a running lease holds its place, a late one needs one.

    A lead's late one never does once the revision came back from a dispute: while it was in
    dispute, its page showed leads what the others said. Nor does one that comes after they
    skipped the item, since that opened its page to them.
    """
    if turn.purpose != Purpose.WORK:
        return _Place(is_free=True)  # a control item has no places, and looks like any other
    if candidate.state != CandidateState.IN_REVIEW or revision.superseded_at:
        return _Place(is_free=False)
    if candidate.is_control:
        return _Place(is_free=False)
    if is_lead(turn.reviewer) and (
        turn.skipped_at or (turn.leased_until <= now and was_returned(revision))
    ):
        return _Place(is_free=False)
    others = [held for held in taken_places(revision.pk, now=now) if held.turn != turn.pk]
    reviews = tuple(held.review for held in others if held.review is not None)
    wanted = reviews_wanted(candidate.subtask)
    return _Place(is_free=len(others) < wanted, reviews=reviews, wanted=wanted)


def _create_review(
    turn: Assignment, form_key: UUID, answers: ReviewAnswers, *, is_counted: bool
) -> Review:
    return Review.objects.create(
        assignment=turn,
        form_key=form_key,
        decision=answers.decision,
        well_specified=answers.well_specified,
        well_specified_why=storable(answers.well_specified_why),
        gold_quality=answers.gold_quality,
        gold_quality_why=storable(answers.gold_quality_why),
        same_meaning=answers.same_meaning,
        source_is_success=answers.source_is_success,
        reject_reason=answers.reject_reason if answers.decision == "reject" else "",
        comment=storable(answers.comment),
        saw_what_follows=bool(turn.draft.get(LOOKED)),
        is_counted=is_counted,
        active_seconds=max(0.0, answers.active_seconds),
    )


def create_verdicts(review: Review, revision: Revision, answers: ReviewAnswers) -> None:
    """Store what a review says of the revision's distractors and findings."""
    _store_verdicts(review, _Judged.of(revision), answers)


def _store_verdicts(review: Review, judged: _Judged, answers: ReviewAnswers) -> None:
    OptionVerdict.objects.bulk_create(
        OptionVerdict(review=review, option_id=judged.options[position], verdict=verdict)
        for position, verdict in answers.option_verdicts.items()
        if position in judged.options and position not in judged.gold and verdict in OPTION_VERDICTS
    )
    FindingVerdict.objects.bulk_create(
        FindingVerdict(review=review, finding_id=pk, verdict=verdict, word=storable(word))
        for pk, (verdict, word) in answers.finding_verdicts.items()
        if pk in judged.findings and verdict in FINDING_VERDICTS
    )
