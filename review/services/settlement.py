"""Settles a revision when its last wanted review is in."""

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count

from generation.core.items import Severity
from generation.core.records import Success
from generation.models import Candidate, CandidateState, Revision, Source
from generation.services import audit
from review.core.consensus import Settlement, Verdict, Vote, settle
from review.models import FindingVerdict, FindingVerdictValue, Review
from review.services.places import counting_reviews

_STATES = {
    Verdict.APPROVED: CandidateState.APPROVED,
    Verdict.REJECTED: CandidateState.REJECTED,
    Verdict.DISPUTED: CandidateState.DISPUTED,
}


def counted_reviews(revisions: Iterable[int]) -> dict[int, list[Review]]:
    """Return the reviews that count by revision key, oldest first; in two queries."""
    found: dict[int, list[Review]] = {pk: [] for pk in revisions}
    reviews = (
        counting_reviews()
        .filter(assignment__revision__in=list(found))
        .select_related("assignment__blind_answer", "assignment__reviewer")
        .prefetch_related("finding_verdicts")
        .order_by("created_at", "pk")
    )
    for review in reviews:
        found[review.assignment.revision_id].append(review)
    return found


def vote_of(review: Review) -> Vote:
    """Return what consensus looks at in a review."""
    return Vote(
        decision=review.decision,
        knew_gold=review.assignment.blind_answer.matches_gold or review.same_meaning,
        dismissed=frozenset(
            verdict.finding_id
            for verdict in review.finding_verdicts.all()
            if verdict.verdict == FindingVerdictValue.DISMISSED
        ),
        source_is_success=review.source_is_success,
    )


def settle_revision(
    *, candidate: Candidate, revision: Revision, reviews: Collection[int], wanted: int
) -> Settlement | None:
    """Settle the candidate where all ``wanted`` reviews are in; None while some are missing.

    ``reviews`` are the keys of those that count; the caller holds the candidate's lock. Where
    more are in than are wanted now, since leads asked for more before, all of them decide. An
    approval by people who all saw the run solve its task also confirms the source.
    """
    if len(reviews) < wanted:
        return None
    blocking = frozenset(
        revision.findings.filter(severity=Severity.BLOCKS_RELEASE).values_list("pk", flat=True)
    )
    votes = _votes(reviews, blocking)
    settlement = settle(votes, wanted=len(votes), blocking=blocking)
    if settlement is None:
        return None
    move(candidate, _STATES[settlement.verdict], action="candidate.settled", why=settlement.why)
    if settlement.verdict is Verdict.APPROVED:
        confirm_source(candidate.source_id)
    return settlement


def _votes(reviews: Collection[int], blocking: Collection[int]) -> list[Vote]:
    """Return what consensus looks at in these reviews; in two queries, one without findings."""
    dismissed: dict[int | None, set[int]] = defaultdict(set)
    if blocking:
        verdicts = FindingVerdict.objects.filter(
            review__in=reviews, finding__in=blocking, verdict=FindingVerdictValue.DISMISSED
        )
        for review, finding in verdicts.values_list("review_id", "finding_id"):
            dismissed[review].add(finding)
    rows = Review.objects.filter(pk__in=reviews).values_list(
        "pk",
        "decision",
        "assignment__blind_answer__matches_gold",
        "same_meaning",
        "source_is_success",
    )
    return [
        Vote(decision, matches or same, frozenset(dismissed[pk]), success)
        for pk, decision, matches, same, success in rows
    ]


def settle_complete(*, subtask: str, wanted: int) -> int:
    """Settle every item of a subtask that has ``wanted`` reviews already; return how many.

    Such items are there only where fewer reviews are wanted than before.
    """
    complete = (
        counting_reviews()
        .filter(
            assignment__revision__superseded_at=None,
            assignment__revision__candidate__subtask=subtask,
            assignment__revision__candidate__state=CandidateState.IN_REVIEW,
            assignment__revision__candidate__is_control=False,
        )
        .values_list("assignment__revision", "assignment__revision__candidate")
        .annotate(n=Count("pk"))
        .filter(n__gte=wanted)
        .order_by("assignment__revision")
    )
    return sum(
        _settle_one(revision, candidate, wanted=wanted)
        for revision, candidate, _count in list(complete)
    )


@transaction.atomic
def _settle_one(revision_pk: int, candidate_pk: int, *, wanted: int) -> bool:
    """Settle one item under its lock, where it still waits; return whether it is settled now."""
    candidate = Candidate.objects.select_for_update(of=("self",)).get(pk=candidate_pk)
    revision = Revision.objects.current().filter(pk=revision_pk).first()
    if candidate.state != CandidateState.IN_REVIEW or revision is None:
        return False
    reviews = counting_reviews().filter(assignment__revision=revision)
    settlement = settle_revision(
        candidate=candidate,
        revision=revision,
        reviews=list(reviews.values_list("pk", flat=True)),
        wanted=wanted,
    )
    return settlement is not None


def move(
    candidate: Candidate,
    state: CandidateState,
    *,
    action: str,
    why: str,
    actor: User | None = None,
) -> None:
    """Give the candidate, whose lock the caller holds, a state; write down who did it and why."""
    before, candidate.state = candidate.state, state
    candidate.save(update_fields=["state"])
    audit.record(action, candidate, actor=actor, before=before, after=state, detail=why)


def confirm_source(source_pk: int, *, actor: User | None = None) -> None:
    """Note that people saw the source's run solve its task, where that was not known."""
    unconfirmed = Source.objects.filter(pk=source_pk, success=Success.UNCONFIRMED)
    # Without the record as it came, which may be long.
    source = unconfirmed.select_for_update(of=("self",)).only("success").first()
    if source:
        source.success = Success.CONFIRMED
        source.save(update_fields=["success"])
        audit.record(
            "source.confirmed",
            source,
            actor=actor,
            before=Success.UNCONFIRMED,
            after=Success.CONFIRMED,
        )
