"""Times all checks of item quality on made-up items of every format, and prints JSON.

``python -m benchmarks.checks [ITEMS]``: CPU seconds and items a second; 6,000 items unless
told otherwise, of which one in ten is long (a 400 KB history, patches of 30 KB).
"""

import json
import resource
import sys
import time
from collections.abc import Iterator

from generation.core.checks.catalogue import check_items
from generation.core.items import Item
from generation.core.records import Language, Tool
from generation.core.registry import SUBTASKS

_TOOLS = (Tool("web_search", arguments={"text": "words"}, required=("text",)),)
_WORDS = ("install", "the", "package", "then", "run", "tests", "set", "config", "path", "data")


def _text(seed: int, words: int) -> str:
    return " ".join(_WORDS[(seed * 7 + n * n + n * seed) % len(_WORDS)] for n in range(words))


def _options(number: int, subtask: str, long: bool) -> tuple[str, ...]:
    match subtask:
        case "closed_plan_en":
            calls = ({"text": _text(number + n, 6)} for n in range(6))
            steps = ({"execution": {"name": "web_search", "args": call}} for call in calls)
            return tuple(map(json.dumps, steps))
        case "issue_fix_fix_patch":
            lines = [_text(number + n, 9) for n in range(500 if long else 20)]
            return tuple("\n".join([*lines[:n], "+ changed", *lines[n:]]) for n in range(4))
        case _:
            steps_of = [
                [_text(number + n, 15) for n in range(order, order + 8)] for order in range(7)
            ]
            return tuple("\n".join(steps) for steps in steps_of)


def _items(count: int) -> Iterator[Item]:
    names = ("issue_fix_action", "closed_plan_en", "issue_fix_fix_patch", "env_setup_error")
    for number in range(count):
        name = names[number % len(names)]
        subtask = SUBTASKS[name]
        long = number % 10 < 1
        is_command = subtask.choices is None
        shown = tuple(f"cd {_text(number + n, 3)} && make" for n in range(40))
        yield Item(
            key=str(number),
            subtask=subtask,
            language=Language.EN,
            slots={"task": _text(number, 50), "history": _text(number, 500) * (100 if long else 5)},
            options=() if is_command else _options(number, name, long),
            gold=(f"cd a && python -c 'print({number})'" * (20 if long else 1),)
            if is_command
            else ("A",),
            max_new_tokens=subtask.max_new_tokens,
            cluster=str(number // 5),
            shown_actions=shown,
            tools=_TOOLS,
        )


def main(count: int) -> None:
    """Check ``count`` items and write one JSON object to standard output."""
    started = time.process_time()
    characters = 0
    for item in _items(count):
        characters += sum(map(len, (*item.slots.values(), *item.options)))
    making = time.process_time() - started
    started = time.process_time()
    findings = sum(1 for _ in check_items(_items(count)))
    seconds = time.process_time() - started - making
    report = {
        "items": count,
        "megabytes": round(characters / 1e6, 1),
        "findings": findings,
        "cpu_seconds": round(seconds, 2),
        "items_per_second": round(count / seconds),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 6_000)
