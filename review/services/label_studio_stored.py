"""Tells whether what comes back from Label Studio is what is stored already."""

from dataclasses import replace

from django.db.models import QuerySet

from generation.models import Revision
from review.core.label_studio.answers import BlindSaid
from review.core.review_answers import ReviewAnswers
from review.models import BlindAnswer, Review
from review.services.label_studio_export import answers_of


def finding_pks(revision: Revision) -> dict[str, int]:
    """Return the keys of a revision's findings by what tasks name them by."""
    return dict(revision.findings.values_list("digest", "pk"))


def standing_reviews(revision: Revision) -> QuerySet[Review]:
    """Return the reviews of a revision that nobody took back, with what they say."""
    return (
        Review.objects.filter(assignment__revision=revision, undone_at=None)
        .select_related("assignment__blind_answer")
        .prefetch_related("option_verdicts__option", "finding_verdicts")
    )


def same_review(review: Review, judged: ReviewAnswers) -> bool:
    """Return whether a judgement says what the review says; times do not count."""
    kept = replace(
        answers_of(review),
        finding_verdicts={
            verdict.finding_id: (verdict.verdict, verdict.word)
            for verdict in review.finding_verdicts.all()
        },
    )
    return kept == replace(judged, active_seconds=0.0)


def same_answer(answer: BlindAnswer, said: BlindSaid) -> bool:
    """Return whether an answer is the stored one; times do not count."""
    return (
        tuple(answer.positions) == said.positions
        and (bool(said.positions) or answer.text.strip() == _text_of(said))
        and answer.not_determined == said.not_determined
        and answer.confidence == said.confidence
    )


def _text_of(said: BlindSaid) -> str:
    return "" if said.not_determined else said.text
