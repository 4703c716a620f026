"""Reads all that is known of one item: revisions, reviews, calls, decisions, audit trail."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from generation.models import AuditEvent, Candidate, Finding, LLMCall, Revision
from review.models import Adjudication, Note, Question, ReleaseItem, Review

TRAIL = 200


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """One item; ``revisions`` are newest first, the others by revision key or oldest first."""

    candidate: Candidate
    revisions: Sequence[Revision]
    findings: Mapping[int, Sequence[Finding]]
    reviews: Mapping[int, Sequence[Review]]
    decisions: Sequence[Adjudication]
    notes: Sequence[Note]
    questions: Sequence[Question]
    calls: Sequence[LLMCall]
    releases: Sequence[ReleaseItem]
    trail: Sequence[AuditEvent]

    @property
    def current(self) -> Revision:
        """The revision that stands."""
        return self.revisions[0]


def read_item(candidate: Candidate) -> ItemRecord:
    """Return the record of an item, in a fixed number of queries."""
    revisions = list(
        Revision.objects.filter(candidate=candidate)
        .select_related("candidate__source__task", "candidate__source__system", "author")
        .prefetch_related("options__llm_call", "findings")
        .order_by("-number")
    )
    options = [option for revision in revisions for option in revision.options.all()]
    calls = {option.llm_call.pk: option.llm_call for option in options if option.llm_call}
    reviews: dict[int, list[Review]] = defaultdict(list)
    for review in _reviews(candidate):
        reviews[review.assignment.revision_id].append(review)
    questions = Question.objects.filter(assignment__revision__candidate=candidate)
    return ItemRecord(
        candidate=candidate,
        revisions=revisions,
        findings={
            revision.pk: sorted(revision.findings.all(), key=lambda f: (-f.severity, f.pk))
            for revision in revisions
        },
        reviews=reviews,
        decisions=list(
            Adjudication.objects.filter(revision__candidate=candidate)
            .select_related("lead", "revision")
            .order_by("created_at", "pk")
        ),
        notes=list(
            Note.objects.filter(revision__candidate=candidate).select_related("author", "revision")
        ),
        questions=list(questions.select_related("assignment__reviewer", "answered_by")),
        calls=list(calls.values()),
        releases=list(
            ReleaseItem.objects.filter(revision__candidate=candidate)
            .select_related("release", "revision")
            .defer("line", "review", "release__files", "release__manifest", "release__left_out")
            .order_by("pk")
        ),
        trail=list(_trail(candidate, revisions)[:TRAIL]),
    )


def _reviews(candidate: Candidate) -> QuerySet[Review]:
    return (
        Review.objects.filter(assignment__revision__candidate=candidate, undone_at=None)
        .select_related("assignment__blind_answer", "assignment__reviewer")
        .prefetch_related("option_verdicts", "finding_verdicts")
        .order_by("created_at", "pk")
    )


def _trail(candidate: Candidate, revisions: Sequence[Revision]) -> QuerySet[AuditEvent]:
    """Return the events of the item and what belongs to it, the latest first."""
    turns = candidate.revisions.filter(assignments__isnull=False).values("assignments")
    reviews = Review.objects.filter(assignment__revision__candidate=candidate).values("pk")
    about = (
        Q(subject="candidate", subject_id=candidate.pk)
        | Q(subject="revision", subject_id__in=[revision.pk for revision in revisions])
        | Q(subject="source", subject_id=candidate.source_id)
        | Q(subject="assignment", subject_id__in=turns)
        | Q(subject="review", subject_id__in=reviews)
    )
    return AuditEvent.objects.filter(about).select_related("actor").order_by("-pk")
