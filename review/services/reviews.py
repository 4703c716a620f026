"""Reviews: stored with their verdicts, and settled with. Nothing sent is ever dropped."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from generation.core.items import Severity
from generation.core.records import Success
from generation.models import Candidate, Revision
from generation.services import audit
from generation.services.texts import storable
from review.core.review_answers import (
    FINDING_VERDICTS,
    OPTION_VERDICTS,
    Asked,
    ReviewAnswers,
    problems,
)
from review.models import (
    Assignment,
    BlindAnswer,
    FindingVerdict,
    OptionVerdict,
    Purpose,
    RejectReason,
    Review,
)
from review.services.drafts import LOOKED
from review.services.gold import gold_among, may_mean_the_same
from review.services.project import project
from review.services.qualification import settle_round
from review.services.settlement import settle_revision
from review.services.turns import (
    ReviewRefused,
    locked_candidate,
    locked_turn,
    place_of,
    stored_answer,
)


class AlreadySubmitted(Exception):
    """The turn has a review already; it stands, and ``review`` is it."""

    def __init__(self, review: Review) -> None:
        super().__init__(f"already submitted at {review.created_at:%Y-%m-%d %H:%M}")
        self.review = review


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
        options = revision.option_keys
        findings = dict(revision.findings.values_list("pk", "severity"))
        return cls(options, findings, gold_among(revision, len(options)))


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
    answer = stored_answer(turn)
    return submit_locked(candidate, turn, answer, form_key=form_key, answers=answers, now=now)


def submit_locked(
    candidate: Candidate,
    turn: Assignment,
    answer: BlindAnswer | None,
    *,
    form_key: UUID,
    answers: ReviewAnswers,
    now: datetime,
) -> Review:
    """Do what ``submit_review`` does with an item and a turn that the caller holds locked.

    ``answer`` is the turn's, read after the lock. What is refused has written nothing.

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
    if answer is None:
        raise ReviewRefused({"answer": "Answer first, before you judge."})
    revision = turn.revision
    judged = _Judged.of(revision)
    if found := problems(answers, _asked(judged, revision, answer)):
        raise ReviewRefused(found)
    place = place_of(turn, revision, candidate, now=now)
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
