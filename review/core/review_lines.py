"""Writes the lines of ``reviews.jsonl``: what people said of each item, under pseudonyms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from review.core.canonical import json_line
from review.core.splits import drawn


@dataclass(frozen=True, slots=True)
class Said:
    """One counted review: who decided what, and whether the blind answer matched gold."""

    person: str
    decision: str
    matches_gold: bool


def pseudonyms(people: Iterable[str], *, seed: str) -> dict[str, str]:
    """Return r1, r2, … by name; numbered in an order drawn from the seed, which tells nothing."""
    names = sorted(set(people), key=lambda name: drawn(seed, name))
    return {name: f"r{number}" for number, name in enumerate(names, start=1)}


def review_line(
    item_id: str, said: Sequence[Said], *, names: Mapping[str, str], is_adjudicated: bool
) -> str:
    """Return the line of one item."""
    return json_line(
        {
            "id": item_id,
            "reviews": len(said),
            "decisions": dict(sorted((names[each.person], each.decision) for each in said)),
            "blind_correct": sum(each.matches_gold for each in said),
            "adjudicated": is_adjudicated,
        }
    )


def blind_accuracy(said: Iterable[Sequence[Said]]) -> tuple[int, int]:
    """Return how many blind answers matched gold, of how many."""
    answers = [each.matches_gold for some in said for each in some]
    return sum(answers), len(answers)
