"""Reads all open disputes with what each is about, in four queries however many there are.

Thousands may wait, and filters count them all: what only the shown ones need is read for those.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from generation.core.items import Severity
from generation.models import CandidateState, Finding, Revision
from review.core.consensus import Vote
from review.core.dispute import Disagreement, disagreement
from review.models import FindingVerdict, FindingVerdictValue, Review
from review.services.places import counting_reviews


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
    votes, last = _votes()
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
            about=disagreement(votes.get(pk, ()), blocking=blocking.get(pk, ())),
        )
        for pk, candidate, subtask, language, returned in rows.order_by("pk")
    ]
    return sorted(found, key=lambda dispute: (dispute.last_review, dispute.revision))


def disputed_since(disputes: Iterable[Dispute]) -> dict[int, datetime]:
    """Return by revision when the last review came in, of those that have one; in one query."""
    revisions = {dispute.last_review: dispute.revision for dispute in disputes}
    rows = Review.objects.filter(pk__in=revisions).values_list("pk", "created_at")
    return {revisions[pk]: created_at for pk, created_at in rows}


def _votes() -> tuple[dict[int, Sequence[Vote]], dict[int, int]]:
    """Return by disputed revision the votes that count, and the key of the last review."""
    reviews = counting_reviews().filter(
        assignment__revision__superseded_at=None,
        assignment__revision__candidate__state=CandidateState.DISPUTED,
    )
    dismissals = FindingVerdict.objects.filter(
        review__in=reviews,
        verdict=FindingVerdictValue.DISMISSED,
        finding__severity=Severity.BLOCKS_RELEASE,
    )
    dismissed: dict[int | None, set[int]] = defaultdict(set)
    for review, finding in dismissals.values_list("review_id", "finding_id"):
        dismissed[review].add(finding)
    votes: dict[int, list[Vote]] = defaultdict(list)
    last: dict[int, int] = {}
    rows = reviews.values_list(
        "pk",
        "assignment__revision_id",
        "decision",
        "assignment__blind_answer__matches_gold",
        "same_meaning",
        "source_is_success",
    )
    for pk, revision, decision, matches, same, success in rows.order_by("pk"):
        knew = matches or same
        votes[revision].append(Vote(decision, knew, frozenset(dismissed.get(pk, ())), success))
        last[revision] = pk
    return dict(votes), last
