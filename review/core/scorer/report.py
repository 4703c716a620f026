"""The scores as a table for people."""

from collections.abc import Mapping
from typing import Any


def report(scores: Mapping[str, Any]) -> str:
    """Return ``scores`` (what ``score`` returns) as lines of text; with compat each says so."""
    mark = f"[compat {scores['compat']}] " if scores["compat"] else ""
    lines = [scores["signature"]]
    if scores["model"]:
        lines.append(f"model {_printable(scores['model'])}")
    lines.append("")
    lines.append(
        f"{'subtask':<22} {'metric':<22} {'value':>7}  {'95 % interval':<17} {'n':>6}  chance"
    )
    for name, entry in scores["subtasks"].items():
        for metric, numbers in entry["metrics"].items():
            chance = entry["chance"] if metric == entry["headline"] else None
            lines.append(_row(name, metric, numbers, f"{numbers['n']:>6}", chance))
        why = ", ".join(f"{key} {count}" for key, count in entry["status"].items() if count)
        lines.append(f"{'':<22} {why}; without a label {entry['no_label']}")
    lines.append("")
    for name, detail in scores["averages_detail"].items():
        lines.append(_row("average", name, detail, "", None))
    lines += [f"warning: {_printable(warning)}" for warning in scores["warnings"]]
    return "".join(f"{(mark + line).rstrip()}\n" for line in lines)


def _row(name: str, metric: str, numbers: Mapping[str, Any], end: str, chance: float | None) -> str:
    value = "null" if numbers["value"] is None else f"{numbers['value']:.4f}"
    low, high = numbers["low"], numbers["high"]
    bounds = "" if low is None or high is None else f"[{low:.4f}, {high:.4f}]"
    luck = "" if chance is None else f"  {chance:.4f}"
    return f"{name:<22} {metric:<22} {value:>7}  {bounds:<17} {end}{luck}"


def _printable(text: str) -> str:
    """Return ``text`` without control characters, so that a name cannot move the cursor."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)
