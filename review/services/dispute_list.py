"""Reads all open disputes with what each is about, in four queries however many there are.

Thousands may wait, and filters count them all: the database counts their votes, and what only the
shown ones need is read for those.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from generation.core.items import Severity
from generation.models import CandidateState, Finding, Revision
from review.core.consensus import Tally
from review.core.dispute import Disagreement, counted_disagreement
from review.models import Decision, FindingVerdict, FindingVerdictValue, Review
from review.services.places import counting_reviews

_NO_VOTES = Tally(votes=0, approve=0, reject=0, matched=0, standing=0, unseen=0)
_KNEW_GOLD = Q(same_meaning=True) | Q(assignment__blind_answer__matches_gold=True)


@dataclass(frozen=True, slots=True)
class Dispute:
    """An open dispute; ``last_review`` is the key of the review that made it, 0 without one.

    ``returned`` is how often a lead had returned the revision before.
    """

    revision: int
    candidate: int
    subtask: str
    language: str
    last_review: int
    returned: int
    about: Disagreement

    @property
    def kind(self) -> str:
        """The kind of disagreement, as filters name it."""
        return str(self.about.cause or "other")


def open_disputes() -> list[Dispute]:
    """Return the disputes that wait for a lead, oldest first."""
    disputed = Revision.objects.current().filter(candidate__state=CandidateState.DISPUTED)
    blocking: dict[int, list[int]] = defaultdict(list)
    findings = Finding.objects.filter(severity=Severity.BLOCKS_RELEASE, revision__in=disputed)
    for pk, revision in findings.order_by().values_list("pk", "revision_id"):
        blocking[revision].append(pk)
    tallies, last = _tallies(findings, blocking)
    # Few tallies differ however many disputes there are: each is put into words once.
    about = {counts: counted_disagreement(counts) for counts in {_NO_VOTES, *tallies.values()}}
    rows = disputed.annotate(returned=Count("adjudications")).values_list(
        "pk",
        "candidate_id",
        "candidate__subtask",
        "candidate__source__language",
        "returned",
    )
    found = [
        Dispute(
            revision=pk,
            candidate=candidate,
            subtask=subtask,
            language=language,
            last_review=last.get(pk, 0),
            returned=returned,
            about=about[tallies.get(pk, _NO_VOTES)],
        )
        for pk, candidate, subtask, language, returned in rows.order_by("pk")
    ]
    return sorted(found, key=lambda dispute: (dispute.last_review, dispute.revision))


def disputed_since(disputes: Iterable[Dispute]) -> dict[int, datetime]:
    """Return by revision when the last review came in, of those that have one; in one query."""
    revisions = {dispute.last_review: dispute.revision for dispute in disputes}
    rows = Review.objects.filter(pk__in=revisions).values_list("pk", "created_at")
    return {revisions[pk]: created_at for pk, created_at in rows}


def _tallies(
    findings: QuerySet[Finding], blocking: Mapping[int, Iterable[int]]
) -> tuple[dict[int, Tally], dict[int, int]]:
    """Return by disputed revision what its votes say, and the key of the last review.

    ``findings`` are those of severity 3, ``blocking`` their keys by revision.
    """
    reviews = counting_reviews().filter(
        assignment__revision__superseded_at=None,
        assignment__revision__candidate__state=CandidateState.DISPUTED,
    )
    # Of each verdict on these few findings, not of all reviews: they are fewer than the votes.
    dismissals = FindingVerdict.objects.filter(
        Exists(counting_reviews().filter(pk=OuterRef("review"))),
        finding__in=findings,
        verdict=FindingVerdictValue.DISMISSED,
    )
    by_finding = dismissals.order_by().values_list("finding_id").annotate(n=Count("pk"))
    dismissed = dict(by_finding)
    rows = (
        reviews.order_by()
        .values_list("assignment__revision_id")
        .annotate(
            votes=Count("pk"),
            approve=Count("pk", filter=Q(decision=Decision.APPROVE)),
            reject=Count("pk", filter=Q(decision=Decision.REJECT)),
            matched=Count("pk", filter=_KNEW_GOLD),
            unseen=Count("pk", filter=Q(source_is_success=False)),
            last=Max("pk"),
        )
    )
    tallies: dict[int, Tally] = {}
    lasts: dict[int, int] = {}
    for revision, votes, approve, reject, matched, unseen, last in rows:
        standing = sum(dismissed.get(pk, 0) < votes for pk in blocking.get(revision, ()))
        tallies[revision] = Tally(votes, approve, reject, matched, standing, unseen)
        lasts[revision] = last
    return tallies, lasts
