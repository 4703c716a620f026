"""The rows of the agreement page's tables, from the stored result."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from review.services.votes import Measure

_NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of numbers as people read them; ``why`` says why some are undefined.

    ``entry`` has the numbers themselves, ``address`` leads to the reviewed items behind it.
    """

    entry: Mapping[str, Any]
    key: str
    name: Any
    n_items: int
    n_pairable: int
    n_raters: int
    raw: str
    raw_interval: str
    alpha: str
    alpha_interval: str
    ac1: str
    ac1_by_chance: str
    brennan_prediger: str
    fleiss: str
    why: str
    warnings: list[str]
    address: str = ""


def number(value: float | None) -> str:
    """Return a coefficient with two digits, a dash where it is undefined."""
    return _NOTHING if value is None else f"{value:.2f}"


def interval(low: float | None, high: float | None) -> str:
    """Return the two ends, empty where they are undefined."""
    return "" if low is None or high is None else f"{low:.2f} … {high:.2f}"


def row_of(key: str, name: Any, entry: Mapping[str, Any]) -> Row:
    """Return the line of one measure or group."""
    alpha = entry["alpha"]
    reasons = [alpha.get("reason", ""), entry.get("reason", "")]
    return Row(
        entry=entry,
        key=key,
        name=name,
        n_items=entry["n_items"],
        n_pairable=entry["n_pairable"],
        n_raters=entry["n_raters"],
        raw=number(entry["raw"]),
        raw_interval=interval(entry["raw_low"], entry["raw_high"]),
        alpha=number(alpha["value"]),
        alpha_interval=interval(alpha["low"], alpha["high"]),
        ac1=number(entry["ac1"]),
        ac1_by_chance=number(entry["ac1_by_chance"]),
        brennan_prediger=number(entry["brennan_prediger"]),
        fleiss=number(entry["fleiss"]),
        why="; ".join(dict.fromkeys(filter(None, reasons))),
        warnings=entry["warnings"],
    )


def measure_rows(entries: Mapping[str, Any], words: Mapping[Measure, Any]) -> list[Row]:
    """Return a line a measure, those without labels too."""
    return [row_of(measure, word, entries[measure]) for measure, word in words.items()]


def group_rows(groups: Mapping[str, Mapping[str, Any]], measure: str) -> list[Row]:
    """Return a line a group, lowest alpha first, undefined ones last."""
    rows = [(groups[name][measure]["alpha"]["value"], name) for name in groups]
    rows.sort(key=lambda row: (row[0] is None, row[0] or 0.0, row[1]))
    return [row_of(name, name, groups[name][measure]) for _value, name in rows]


def labels_of(entry: Mapping[str, Any]) -> list[tuple[str, int, str, str, str]]:
    """Return label, times given, share in percent, specific agreement and alpha of each label."""
    return [
        (
            row["label"],
            row["given"],
            f"{100 * row['share']:.0f} %",
            number(row["specific"]),
            number(row["alpha"]),
        )
        for row in entry["labels"]
        if row["given"]
    ]


def pair_matrix(entry: Mapping[str, Any]) -> tuple[list[str], list[tuple[str, list[Any]]]]:
    """Return the reviewers and, by reviewer, a cell for each: kappa, raw, n and the other; or None."""
    pairs = {frozenset(pair["raters"]): pair for pair in entry["pairs"]}
    names = sorted({name for pair in entry["pairs"] for name in pair["raters"]})
    lines = []
    for first in names:
        cells: list[Any] = []
        for second in names:
            pair = pairs.get(frozenset((first, second)))
            if first == second or pair is None:
                cells.append(None)
            else:
                cells.append((number(pair["cohen"]), number(pair["raw"]), pair["n"], second))
        lines.append((first, cells))
    return names, lines
