"""Disputes: what waits for a lead, and the one decision that settles or returns each."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.db import transaction

from generation.core.items import Severity
from generation.core.records import Success
from generation.models import Candidate, CandidateState, Revision
from generation.services import audit
from generation.services.texts import storable
from review.core.consensus import not_dismissed
from review.core.review_answers import FINDING_VERDICTS
from review.models import (
    Adjudication,
    FindingVerdict,
    FindingVerdictValue,
    Outcome,
    RejectReason,
    Review,
)
from review.services.item_access import OwnTurnOpen, open_turn
from review.services.refusals import FieldsRefused
from review.services.settlement import confirm_source, counted_reviews, move, vote_of

OFFERED = (Outcome.APPROVE, Outcome.REJECT, Outcome.RETURN)
_STATES = {
    Outcome.APPROVE: CandidateState.APPROVED,
    Outcome.REJECT: CandidateState.REJECTED,
    Outcome.RETURN: CandidateState.IN_REVIEW,
}


@dataclass(frozen=True, slots=True)
class Ruling:
    """A lead's decision as sent; ``finding_verdicts`` are (verdict, word) by the finding's id.

    ``sees_success`` is the lead's word that a run of unknown success solves its task.
    """

    outcome: str
    note: str
    reject_reason: str = ""
    finding_verdicts: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    sees_success: bool = False


class NotDisputed(Exception):
    """The revision waits for no decision, and never had one."""


class AlreadyDecided(Exception):
    """Another decision came first: ``adjudication`` says whose, and when."""

    def __init__(self, adjudication: Adjudication) -> None:
        when = f"{adjudication.created_at:%Y-%m-%d %H:%M}"
        super().__init__(f"{adjudication.lead} decided at {when}: {adjudication.outcome}")
        self.adjudication = adjudication


class ReviewsChanged(Exception):
    """The reviews are not those that the lead read: one was taken back, or sent again."""


class RulingRefused(FieldsRefused):
    """A decision that breaks rules; ``problems`` has a sentence by field."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a decision must speak of: blocking findings, which of them stand, an unknown run."""

    blocking: frozenset[int]
    unsettled: frozenset[int]
    source_is_unconfirmed: bool


def asked_of_lead(revision: Revision, reviews: Iterable[Review]) -> Asked:
    """Return what a decision on the revision must speak of; ``reviews`` are those that count."""
    blocking = frozenset(
        finding.pk
        for finding in revision.findings.all()
        if finding.severity == Severity.BLOCKS_RELEASE
    )
    votes = [vote_of(review) for review in reviews]
    # A finding that nobody was asked about is settled by nobody.
    unsettled = not_dismissed(votes, blocking) if votes else blocking
    return Asked(
        blocking=blocking,
        unsettled=frozenset(unsettled),
        source_is_unconfirmed=revision.candidate.source.success == Success.UNCONFIRMED,
    )


@dataclass(frozen=True, slots=True)
class OpenDispute:
    """A dispute under its candidate's lock, as it is now."""

    candidate: Candidate
    revision: Revision
    reviews: Sequence[Review]


def seen_digest(reviews: Iterable[Review], decisions: int) -> str:
    """Return what stands in a form for the reviews that a lead read.

    ``reviews`` are those that count, ``decisions`` how many leads made before. A review that is
    taken back and sent again is another one.
    """
    keys = sorted(review.pk for review in reviews)
    return hashlib.sha256(f"{decisions} {keys}".encode()).hexdigest()[:32]


def lock_dispute(*, revision: Revision, lead: User, seen: str) -> OpenDispute:
    """Lock a dispute for a decision of a lead who read the reviews that ``seen`` stands for.

    Raises:
        AlreadyDecided: another decision came first.
        NotDisputed: there is nothing to decide.
        OwnTurnOpen: the lead could still submit a review of the item.
        ReviewsChanged: the reviews are not those that the lead read.
    """
    candidate = Candidate.objects.select_for_update(of=("self",)).get(revisions=revision.pk)
    fresh = Revision.objects.select_related("candidate__source").get(pk=revision.pk)
    earlier = decisions_on(fresh)
    if candidate.state != CandidateState.DISPUTED or fresh.superseded_at:
        raise AlreadyDecided(earlier[-1]) if earlier else NotDisputed
    if turn := open_turn(lead=lead, candidate=candidate):
        raise OwnTurnOpen(turn)
    reviews = counted_reviews([fresh.pk])[fresh.pk]
    if seen != seen_digest(reviews, len(earlier)):
        if any(seen == seen_digest(reviews_before, n) for n, reviews_before in _before(fresh)):
            raise AlreadyDecided(earlier[-1])
        raise ReviewsChanged
    return OpenDispute(candidate, fresh, reviews)


def _before(revision: Revision) -> Iterator[tuple[int, Sequence[Review]]]:
    """Yield the reviews of the rounds that leads returned, as a page had shown them."""
    returned = [d.created_at for d in decisions_on(revision) if d.outcome == Outcome.RETURN]
    every = Review.objects.filter(
        assignment__revision=revision, is_counted=True, undone_at=None
    ).order_by("pk")
    rounds: list[list[Review]] = [[] for _ in returned]
    for review in every:
        number = sum(moment < review.created_at for moment in returned)
        if number < len(returned):
            rounds[number].append(review)
    yield from enumerate(rounds)


@transaction.atomic
def adjudicate(*, revision: Revision, lead: User, ruling: Ruling, seen: str) -> Adjudication:
    """Settle a dispute, or return its revision to the queue with all places free; return how.

    ``seen`` stands for the reviews that the lead read (``seen_digest``): a decision on others is
    refused. A lead's word on a finding outweighs the reviewers'.

    Raises:
        AlreadyDecided: another decision came first.
        NotDisputed: there is nothing to decide.
        OwnTurnOpen: the lead could still submit a review of the item.
        ReviewsChanged: the reviews are not those that the lead read.
        RulingRefused: the decision breaks a rule.
    """
    open_now = lock_dispute(revision=revision, lead=lead, seen=seen)
    candidate = open_now.candidate
    if found := problems(ruling, asked_of_lead(open_now.revision, open_now.reviews)):
        raise RulingRefused(found)
    outcome = Outcome(ruling.outcome)
    adjudication = record_decision(open_now, lead=lead, ruling=ruling)
    _override(adjudication, ruling)
    action = "candidate.returned" if outcome is Outcome.RETURN else "candidate.settled"
    move(candidate, _STATES[outcome], action=action, why="by a lead", actor=lead)
    if outcome is Outcome.APPROVE and ruling.sees_success:
        confirm_source(candidate.source_id, actor=lead)
    return adjudication


def record_decision(open_now: OpenDispute, *, lead: User, ruling: Ruling) -> Adjudication:
    """Write down what a lead decided on a dispute; the caller acts on it."""
    outcome = Outcome(ruling.outcome)
    adjudication = Adjudication.objects.create(
        revision=open_now.revision,
        lead=lead,
        outcome=outcome,
        note=storable(ruling.note.strip()),
        reject_reason=ruling.reject_reason if outcome is Outcome.REJECT else "",
    )
    audit.record(
        "dispute.decided",
        adjudication,
        actor=lead,
        after=[adjudication.outcome, adjudication.reject_reason, adjudication.note],
        detail=adjudication.outcome,
    )
    return adjudication


def decisions_on(revision: Revision) -> list[Adjudication]:
    """Return what leads decided on the revision, oldest first, with their names."""
    decided = Adjudication.objects.filter(revision=revision).select_related("lead")
    return list(decided.order_by("created_at", "pk"))


def problems(ruling: Ruling, asked: Asked) -> dict[str, str]:
    """Return what is wrong with a decision, a sentence by field; empty when it can be stored."""
    found: dict[str, str] = {}
    if ruling.outcome not in OFFERED:
        found["outcome"] = "Decide: approve, reject or return."
    if not ruling.note.strip():
        found["note"] = "Say why, for those who reviewed it and for the record."
    if ruling.outcome == Outcome.REJECT and ruling.reject_reason not in RejectReason.values:
        found["reject_reason"] = "Choose the reason."
    for pk, (verdict, word) in ruling.finding_verdicts.items():
        if verdict not in FINDING_VERDICTS:
            found[f"finding_{pk}"] = "Confirm or dismiss this finding."
        elif not word.strip():
            found[f"finding_{pk}"] = "Say in a word why: it outweighs the reviewers' verdicts."
        elif ruling.outcome == Outcome.RETURN:
            found[f"finding_{pk}"] = "Leave this to the next reviewers, or settle the dispute now."
    if ruling.outcome == Outcome.APPROVE:
        found |= _against_approval(ruling, asked)
    return found


def _against_approval(ruling: Ruling, asked: Asked) -> dict[str, str]:
    """Return what forbids an approval: a finding that stands, a run that is not confirmed."""
    found: dict[str, str] = {}
    for pk in sorted(asked.blocking):
        verdict, word = ruling.finding_verdicts.get(pk, ("", ""))
        if verdict == FindingVerdictValue.CONFIRMED:
            found[f"finding_{pk}"] = "A confirmed severity-3 finding can't be approved."
        elif pk in asked.unsettled and (
            verdict != FindingVerdictValue.DISMISSED or not word.strip()
        ):
            found[f"finding_{pk}"] = "To approve, dismiss this finding with a word on why."
    if asked.source_is_unconfirmed and not ruling.sees_success:
        found["sees_success"] = "Approve only a run that you see solve its task."
    return found


def _override(adjudication: Adjudication, ruling: Ruling) -> None:
    """Store the lead's verdicts on findings of the revision; other ids are none of its own."""
    findings = {finding.pk: finding for finding in adjudication.revision.findings.all()}
    FindingVerdict.objects.bulk_create(
        FindingVerdict(
            adjudication=adjudication,
            finding=findings[pk],
            verdict=verdict,
            word=storable(word.strip()),
        )
        for pk, (verdict, word) in ruling.finding_verdicts.items()
        if pk in findings
    )
