"""Reads what people said of the items of a planned release."""

from dataclasses import dataclass

from generation.core.chunks import chunks
from review.core.review_lines import Said, blind_accuracy, pseudonyms, review_line
from review.models import Adjudication, Outcome
from review.services.release_plan import Plan
from review.services.settlement import counted_reviews

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class ReviewRecord:
    """The lines of ``reviews.jsonl`` by item id, and by subtask the blind answers that matched."""

    lines: dict[str, str]
    blind: dict[str, tuple[int, int]]


def read_reviews(plan: Plan) -> ReviewRecord:
    """Return the record of every test item, a few queries for each 500 of them."""
    said: dict[int, list[Said]] = {}
    adjudicated: set[int] = set()
    keys = [plan.revisions[item_id] for item_id in plan.split.test]
    for some in chunks(keys, _CHUNK):
        for pk, reviews in counted_reviews(some).items():
            said[pk] = [
                Said(
                    person=review.assignment.reviewer.username,
                    decision=review.decision,
                    matches_gold=review.assignment.blind_answer.matches_gold,
                )
                for review in reviews
            ]
        rows = Adjudication.objects.filter(revision__in=some).exclude(outcome=Outcome.RETURN)
        adjudicated.update(rows.values_list("revision", flat=True))
    names = pseudonyms((s.person for some in said.values() for s in some), seed=plan.order.version)
    return ReviewRecord(
        lines={
            item_id: review_line(
                item_id,
                said[plan.revisions[item_id]],
                names=names,
                is_adjudicated=plan.revisions[item_id] in adjudicated,
            )
            for item_id in plan.split.test
        },
        blind={
            subtask: blind_accuracy(said[plan.revisions[item_id]] for item_id in ids)
            for subtask, ids in plan.test_by_subtask.items()
        },
    )
