"""What guessing scores: per item by luck, per subtask by a constant habit."""

from collections import Counter
from collections.abc import Sequence

from .answers import normalise
from .command import command_meaning
from .items import Item


def chance_of(item: Item) -> float | None:
    """Return the chance in 0..1 that a blind guess is right; None for completion.

    One of K options for choice; one of the 2^K - 1 non-empty sets for choices.
    """
    if item.format == "choice":
        return len(item.gold) / len(item.options)
    if item.format == "choices":
        return 1.0 / ((1 << len(item.options)) - 1)
    return None


def chance_adjusted(value: float, chance: float | None) -> float | None:
    """Return (value - chance) / (1 - chance): 0 at chance, 1 when all is right, may be negative."""
    if chance is None or chance >= 1:
        return None
    return (value - chance) / (1 - chance)


def baselines(items: Sequence[Item]) -> dict[str, float]:
    """Return the share of ``items`` that each constant habit gets right.

    ``majority_label``: always the most frequent gold; ``longest_option``: the longest text, the
    first of equals; ``constant_command`` and ``constant_answer``: always the most frequent gold.
    """
    first = items[0]
    if first.format in {"choice", "choices"}:
        longest = sum(_longest(item) == item.gold for item in items)
        return {
            "majority_label": _most_common(["".join(sorted(item.gold)) for item in items]),
            "longest_option": longest / len(items),
        }
    if first.reader == "command":
        meanings = [command_meaning(item.gold[0]) for item in items]
        return {"constant_command": _most_common(meanings)}
    return {"constant_answer": _most_common([normalise(item.gold[0]) for item in items])}


def _longest(item: Item) -> tuple[str, ...]:
    label, _ = max(item.options, key=lambda option: len(option[1]))
    return (label,)


def _most_common(keys: Sequence[object]) -> float:
    return Counter(keys).most_common(1)[0][1] / len(keys)
