"""Times the agreement of made-up reviews, intervals included, and prints JSON.

``python -m benchmarks.agreement [ITEMS]``: CPU seconds for ITEMS x 3 reviewers (of 12) x 2,000
resamples by kind of measure, from ratings as they come to the whole summary; 6,000 items unless
told otherwise. ``parts`` are verdicts on five distractors of every item, drawn by item.
"""

import json
import random
import resource
import sys
import time
from collections.abc import Hashable, Iterator, Sequence

from review.core.agreement.alpha import Scale
from review.core.agreement.bootstrap import RESAMPLES
from review.core.agreement.summary import agreement_of
from review.core.agreement.table import Rating, RatingTable

_REVIEWERS = [f"r{number}" for number in range(12)]
_OPTIONS = [str(number) for number in range(6)]
_SETS = [
    frozenset(_OPTIONS[place] for place in range(6) if mask >> place & 1) for mask in range(1, 64)
]


def _ratings(count: int, labels: Sequence[Hashable], parts: int, seed: int) -> Iterator[Rating]:
    draw = random.Random(seed)  # noqa: S311
    for item in range(count):
        people = draw.sample(_REVIEWERS, 3)
        for part in range(parts):
            usual = draw.choice(labels)
            for reviewer in people:
                label = usual if draw.random() < 0.8 else draw.choice(labels)
                yield Rating((item, part), reviewer, label, item)


def main(count: int) -> None:
    """Measure each kind and write one JSON object to standard output."""
    kinds: dict[str, tuple[Sequence[Hashable], int, Scale]] = {
        "decision": (("approve", "reject", "edit"), 1, Scale.NOMINAL),
        "blind_answer": (_OPTIONS, 1, Scale.NOMINAL),
        "rating": (range(4), 1, Scale.ORDINAL),
        "sets": (_SETS, 1, Scale.SETS),
        "parts": (("valid", "also_correct", "too_easy", "malformed"), 5, Scale.NOMINAL),
    }
    seconds: dict[str, float] = {}
    for name, (labels, parts, scale) in kinds.items():
        ratings = list(_ratings(count, labels, parts, seed=1))
        started = time.process_time()
        table = RatingTable.of(ratings, labels=labels)
        agreement_of(table, scale, seed=1)
        seconds[name] = round(time.process_time() - started, 3)
    report = {
        "items": count,
        "reviewers_an_item": 3,
        "resamples": RESAMPLES,
        "cpu_seconds": seconds,
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 6_000)
