"""Times the leak check and prints JSON; all times are CPU seconds of one core.

``python -m benchmarks.leakage [MEGABYTES]``: megabytes of trajectory a second into the map,
English and Chinese (4 MB each unless told otherwise), and milliseconds for an item whose prompt
and four options have 4 KB, most of which nothing visible covers. The best of several rounds counts.
"""

import json
import resource
import sys
import time
from random import Random

from generation.core.leakage.check import LeakChecker
from generation.core.leakage.first_seen import FirstSeenMap
from generation.core.records import Step

_ROUNDS = 3
_ITEMS = 100


def _english(rng: Random, size: int) -> str:
    words = ["".join(rng.choices("etaoinshrdlucm", k=rng.randint(2, 9))) for _ in range(5000)]
    words += [
        f"{first}_{second}" for first, second in zip(words[:250], words[250:500], strict=True)
    ]
    lines = []
    while size > 0:
        place = "" if rng.randrange(3) else f"lib/{rng.choice(words)}.py:{rng.randrange(999)}: "
        line = f"{place}{' '.join(rng.choices(words, k=12))}"
        lines.append(line)
        size -= len(line) + 1
    return "\n".join(lines)


def _chinese(rng: Random, size: int) -> str:
    common = [chr(rng.randrange(0x4E00, 0x9000)) for _ in range(3000)]
    return "，".join("".join(rng.choices(common, k=12)) for _ in range(size // 39))


def _steps(text: str) -> tuple[Step, ...]:
    length = max(len(text) // 50, 1)
    pieces = [text[start : start + length] for start in range(0, len(text), length)]
    return tuple(
        Step(
            thought=piece[:80], tool="", arguments={}, action=piece[80:160], observation=piece[160:]
        )
        for piece in pieces
    )


def _map_seconds(steps: tuple[Step, ...]) -> float:
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.process_time()
        FirstSeenMap.build(task="task", steps=steps)
        best = min(best, time.process_time() - start)
    return best


def _item_seconds(steps: tuple[Step, ...], rng: Random) -> float:
    checker = LeakChecker.for_trajectory(task="task", steps=steps)
    cut = len(steps) // 2
    asked = _english(rng, 2048)
    options = tuple(
        step.thought + step.action + _english(rng, 350) for step in steps[cut : cut + 4]
    )
    checker.check(cut=cut, prompt=asked, options=options, gold=options[:1])
    best = float("inf")
    for _ in range(_ITEMS):
        start = time.process_time()
        checker.check(cut=cut, prompt=asked, options=options, gold=options[:1])
        best = min(best, time.process_time() - start)
    return best


def main(megabytes: float) -> None:
    """Print the measures as one JSON object."""
    rng = Random("leakage")  # noqa: S311 - made-up text, no secret
    size = int(megabytes * 1e6)
    english, chinese = _english(rng, size), _chinese(rng, size)
    FirstSeenMap.build(task="warm up", steps=())
    result = {
        "map_mb_per_cpu_second": round(
            len(english.encode()) / 1e6 / _map_seconds(_steps(english)), 1
        ),
        "map_mb_per_cpu_second_chinese": round(
            len(chinese.encode()) / 1e6 / _map_seconds(_steps(chinese)), 1
        ),
        "item_4kb_cpu_milliseconds": round(
            1000 * _item_seconds(_steps(english[: min(size, 1_000_000)]), rng), 2
        ),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 4.0)
