"""Writes made-up reviews in bulk: turns, blind answers, reviews, verdicts, settlements, the trail."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from uuid import NAMESPACE_OID, uuid5

from django.contrib.auth.models import User
from django.db.models import Model

from generation.models import AuditEvent
from generation.services import audit
from review.core.synthetic import texts
from review.core.synthetic.history import Round, Turn
from review.models import (
    Adjudication,
    Assignment,
    BlindAnswer,
    FindingVerdict,
    Note,
    OptionVerdict,
    Purpose,
    Question,
    Review,
)
from review.services.synthetic_rows import BATCH, StoredRevision

_LEASE = timedelta(minutes=30)
_ONE_NOTE_IN = 200
_ONE_PARKED_IN = 5
_COMMENT = "Made up: the question can be read in two ways, and gold answers only one of them."


class ReviewRows:
    """Stores what people said of revisions; everybody has at most one turn under way."""

    def __init__(self, *, leads: Sequence[User], reviewers: Sequence[User], now: datetime) -> None:
        self._leads = leads
        self._reviewers = reviewers
        self._now = now
        self._idle = list(range(len(reviewers)))
        self.counts: Counter[str] = Counter()

    def store(self, revisions: Sequence[StoredRevision]) -> None:
        """Store everything that became of the revisions."""
        planned = [
            (one, ended, turn)
            for one in revisions
            for ended in one.made.history.revisions[one.number - 1]
            for turn in ended.turns
        ]
        turns = Assignment.objects.bulk_create(
            [self._assignment(one, turn) for one, _ended, turn in planned], batch_size=BATCH
        )
        by_candidate = {(one.revision.candidate_id, one.number): one for one in revisions}
        reviewed = [
            (one, ended, turn, row)
            for (one, ended, turn), row in zip(planned, turns, strict=True)
            if turn.review is not None
        ]
        BlindAnswer.objects.bulk_create(
            [self._blind(one, turn, row) for one, _e, turn, row in reviewed], batch_size=BATCH
        )
        reviews = Review.objects.bulk_create(
            [
                self._review(one, ended, turn, row, by_candidate)
                for one, ended, turn, row in reviewed
            ],
            batch_size=BATCH,
        )
        pairs = [
            (one, turn, row) for (one, _e, turn, _a), row in zip(reviewed, reviews, strict=True)
        ]
        options = OptionVerdict.objects.bulk_create(
            [row for pair in pairs for row in _option_verdicts(*pair)], batch_size=BATCH
        )
        findings = FindingVerdict.objects.bulk_create(
            [row for pair in pairs for row in _finding_verdicts(*pair)], batch_size=BATCH
        )
        decided = Adjudication.objects.bulk_create(self._adjudications(revisions), batch_size=BATCH)
        opened = Assignment.objects.bulk_create(self._open_turns(revisions))
        Question.objects.bulk_create(
            Question(assignment=turn, text=_COMMENT, asked_at=turn.parked_at)
            for turn in opened
            if turn.parked_at
        )
        Note.objects.bulk_create(self._notes(revisions))
        AuditEvent.objects.bulk_create(self._events(revisions, reviews, decided), batch_size=BATCH)
        self.counts.update(
            turns=len(turns) + len(opened),
            reviews=len(reviews),
            option_verdicts=len(options),
            finding_verdicts=len(findings),
            adjudications=len(decided),
        )

    def _at(self, one: StoredRevision, hours: float) -> datetime:
        """Return a time of the item's history; nothing lies ahead."""
        return min(one.made.at(hours), self._now - timedelta(minutes=1))

    def _assignment(self, one: StoredRevision, turn: Turn) -> Assignment:
        at = self._at(one, turn.after)
        return Assignment(
            revision=one.revision,
            reviewer=self._reviewers[turn.reviewer],
            purpose=Purpose.CONTROL if one.made.is_control else Purpose.WORK,
            given_at=at - timedelta(minutes=5),
            leased_until=at + _LEASE,
            expired_at=at + _LEASE if turn.is_undone else None,
            submitted_at=at if turn.review and not turn.is_undone else None,
            skipped_at=None if turn.review else at,
            skip_reason="" if turn.review else "made up: not my field",
        )

    def _blind(self, one: StoredRevision, turn: Turn, row: Assignment) -> BlindAnswer:
        said = turn.review
        assert said is not None  # the caller leaves skipped turns out
        written = not one.options and not said.not_determined
        gold = texts.answer(one.made.source, one.made.cut)
        return BlindAnswer(
            assignment=row,
            positions=list(said.positions),
            text=(gold if said.knew else f"not {gold}") if written else "",
            not_determined=said.not_determined,
            confidence=said.confidence,
            matches_gold=said.knew,
            active_seconds=said.blind_seconds,
            created_at=self._at(one, turn.after) - timedelta(seconds=said.open_seconds),
        )

    def _review(
        self,
        one: StoredRevision,
        ended: Round,
        turn: Turn,
        row: Assignment,
        revisions: dict[tuple[int, int], StoredRevision],
    ) -> Review:
        said = turn.review
        assert said is not None  # the caller leaves skipped turns out
        later = None
        if ended.outcome == "edit" and not ended.verdict and not turn.is_undone:
            later = revisions.get((one.revision.candidate_id, one.number + 1))
        at = self._at(one, turn.after)
        why = _COMMENT if max(said.well_specified, said.gold_quality) > 1 else ""
        return Review(
            assignment=row,
            form_key=uuid5(NAMESPACE_OID, f"{one.made.number} {one.number} {turn.reviewer}"),
            decision="edit" if later else said.decision,
            reject_reason="" if later else said.reason,
            well_specified=said.well_specified,
            well_specified_why=why if said.well_specified > 1 else "",
            gold_quality=said.gold_quality,
            gold_quality_why=why if said.gold_quality > 1 else "",
            comment=_COMMENT if said.reason else "",
            source_is_success=None if one.made.source.is_confirmed else True,
            edited_revision=later.revision if later else None,
            is_counted=turn.is_counted,
            active_seconds=said.open_seconds,
            created_at=at,
            undone_at=at + timedelta(minutes=3) if turn.is_undone else None,
        )

    def _adjudications(self, revisions: Iterable[StoredRevision]) -> Iterator[Adjudication]:
        for one in revisions:
            for ended in one.made.history.revisions[one.number - 1]:
                if ended.verdict and ended.outcome:
                    yield Adjudication(
                        revision=one.revision,
                        lead=self._leads[one.made.number % len(self._leads)],
                        outcome=ended.outcome,
                        reject_reason=ended.reason,
                        note="Made up: decided after reading the source.",
                        created_at=self._at(one, ended.after),
                    )

    def _open_turns(self, revisions: Iterable[StoredRevision]) -> Iterator[Assignment]:
        """Yield a turn with a draft for everybody who has none, at items that wait for reviews."""
        for one in revisions:
            history = one.made.history
            if history.state != "in_review" or one.made.is_control or not self._idle:
                continue
            if any(
                turn for rounds in history.revisions for ended in rounds for turn in ended.turns
            ):
                continue
            person = self._idle.pop()
            is_parked = person % _ONE_PARKED_IN == 0
            yield Assignment(
                revision=one.revision,
                reviewer=self._reviewers[person],
                given_at=self._now - timedelta(minutes=10),
                leased_until=self._now + _LEASE,
                parked_at=self._now - timedelta(minutes=4) if is_parked else None,
                draft={"phase": "blind", "fields": {"confidence": ["4"]}},
                draft_saved_at=self._now - timedelta(minutes=1),
            )

    def _notes(self, revisions: Iterable[StoredRevision]) -> Iterator[Note]:
        for one in revisions:
            if one.made.number % _ONE_NOTE_IN == 0:
                yield Note(
                    revision=one.revision,
                    author=self._reviewers[one.made.number % len(self._reviewers)],
                    text="Made up: look at this with the next guidelines.",
                    created_at=self._at(one, 1),
                )

    def _events(
        self,
        revisions: Iterable[StoredRevision],
        reviews: Iterable[Review],
        decided: Iterable[Adjudication],
    ) -> Iterator[AuditEvent]:
        for one in revisions:
            candidate = one.revision.candidate
            if one.revision.checked_at:
                yield _event("candidate.checked", candidate, one.revision.checked_at)
            for ended in one.made.history.revisions[one.number - 1]:
                if ended.verdict:
                    at = self._at(one, ended.turns[-1].after)
                    yield _event("candidate.settled", candidate, at, detail=ended.why)
        for review in reviews:
            actor = review.assignment.reviewer
            yield _event("review.submitted", review, review.created_at, actor=actor)
        for row in decided:
            yield _event(
                "dispute.decided",
                row.revision.candidate,
                row.created_at,
                actor=row.lead,
                detail=row.outcome,
            )


def _event(
    action: str, subject: Model, at: datetime, *, actor: User | None = None, detail: str = ""
) -> AuditEvent:
    event = audit.event(action, subject, actor=actor, after=action, detail=detail)
    event.at = at
    return event


def _option_verdicts(one: StoredRevision, turn: Turn, review: Review) -> Iterator[OptionVerdict]:
    said = turn.review
    distractors = [
        option for option in one.options if option.position not in one.made.question.gold
    ]
    if said and distractors:
        for option, verdict in zip(distractors, said.option_verdicts, strict=True):
            yield OptionVerdict(review=review, option=option, verdict=verdict)


def _finding_verdicts(one: StoredRevision, turn: Turn, review: Review) -> Iterator[FindingVerdict]:
    if turn.review:
        for finding, gone in zip(one.findings, turn.review.dismissed, strict=True):
            yield FindingVerdict(
                finding=finding, review=review, verdict="dismissed" if gone else "confirmed"
            )
