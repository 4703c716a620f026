"""Reads all open disputes with what each is about, in four queries however many there are."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from generation.core.items import Severity
from generation.models import CandidateState, Finding, Revision
from review.core.consensus import Vote
from review.core.dispute import Disagreement, disagreement
from review.models import FindingVerdict, FindingVerdictValue
from review.services.places import counting_reviews


@dataclass(frozen=True, slots=True)
class Dispute:
    """An open dispute; ``since`` is when the last review that made it came in.

    ``returned`` is how often a lead had returned the revision before.
    """

    revision: int
    candidate: int
    subtask: str
    language: str
    since: datetime
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
        "created_at",
        "returned",
    )
    found = [
        Dispute(
            revision=pk,
            candidate=candidate,
            subtask=subtask,
            language=language,
            since=last.get(pk, created_at),
            returned=returned,
            about=disagreement(votes.get(pk, ()), blocking=blocking.get(pk, ())),
        )
        for pk, candidate, subtask, language, created_at, returned in rows.order_by("pk")
    ]
    return sorted(found, key=lambda dispute: (dispute.since, dispute.revision))


def _votes() -> tuple[dict[int, Sequence[Vote]], dict[int, datetime]]:
    """Return by disputed revision the votes that count, and when the last of them came in."""
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
    last: dict[int, datetime] = {}
    rows = reviews.values_list(
        "pk",
        "assignment__revision_id",
        "created_at",
        "decision",
        "assignment__blind_answer__matches_gold",
        "same_meaning",
        "source_is_success",
    )
    for pk, revision, created_at, decision, matches, same, success in rows.order_by("created_at"):
        knew = matches or same
        votes[revision].append(Vote(decision, knew, frozenset(dismissed.get(pk, ())), success))
        last[revision] = created_at
    return dict(votes), last
