"""Times the audit on made-up sets of six subtasks' shapes, and prints JSON.

``python -m benchmarks.audit [ITEMS]``: CPU seconds and memory by set and in all; 6,000 choice items
unless told otherwise, in sets as large as the official ones are against one another.
"""

import json
import resource
import sys
import time
from random import Random

from generation.core.attacks.option_set import OptionSet
from generation.core.attacks.set_audit import audit_choices

_WORDS = ("install", "the", "package", "then", "run", "tests", "set", "config", "path", "data")
_SHAPES = {
    "plans": (7, 8, 12, 0.25),
    "solutions": (6, 5, 20, 0.10),
    "snippets": (4, 25, 6, 0.10),
    "patches": (4, 60, 9, 0.25),
    "thoughts": (4, 3, 15, 0.10),
    "calls": (6, 2, 14, 0.20),
}
"""Options, lines of each, words of a line, share of all items."""


def _corpus(name: str, count: int) -> list[OptionSet]:
    options, lines, words, _share = _SHAPES[name]
    random = Random(name)  # noqa: S311 - made-up data
    made = []
    for number in range(count):
        stock = [
            " ".join([*random.choices(_WORDS, k=words), str(random.randrange(500))])
            for _ in range(lines * 2)
        ]
        texts = tuple("\n".join(random.sample(stock, lines)) for _ in range(options))
        made.append(
            OptionSet(
                texts,
                random.randrange(options),
                cluster=f"task {number // 2}",
                community=f"repository {number % 40}",
            )
        )
    return made


def main(count: int) -> None:
    """Audit ``count`` items and write one JSON object to standard output."""
    sets = {}
    total = 0.0
    for name, (*_, share) in _SHAPES.items():
        corpus = _corpus(name, round(count * share))
        started = time.process_time()
        audit = audit_choices(corpus, ordered=True, rules_only=True, seed=0)
        seconds = time.process_time() - started
        total += seconds
        sets[name] = {
            "items": len(corpus),
            "megabytes": round(sum(len(o) for q in corpus for o in q.options) / 1e6, 1),
            "cpu_seconds": round(seconds, 1),
            "verdict": str(audit.gate.verdict),
        }
    report = {
        "items": count,
        "cpu_seconds": round(total, 1),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "sets": sets,
    }
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 6_000)
