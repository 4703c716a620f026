"""Puts graded items together: subtasks, groups and averages."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from .chance import baselines, chance_adjusted, chance_of
from .grading import Grade, Status
from .items import LOG_PROBABILITY_METRICS, Item
from .means import Column, average_of, macro_entry, metric_entry, micro_entry

SET_OF_SCENARIO = {"env_setup": "swe", "issue_fix": "swe", "closed_qa": "dr", "open_qa": "dr"}
_SWE = (
    "env_setup_plan", "env_setup_action", "env_setup_error", "issue_fix_locate",
    "issue_fix_fix_patch", "issue_fix_test_patch", "issue_fix_plan", "issue_fix_action",
)  # fmt: skip
_DR = (
    "closed_plan_en", "closed_plan_zh", "closed_answer_en", "closed_answer_en:rouge1",
    "closed_answer_zh", "closed_answer_zh:rouge1", "open_plan_en", "open_citation_en",
    "open_citation_zh", "open_report_en", "open_report_zh",
)  # fmt: skip
_LONG = ("issue_fix_plan", "issue_fix_action", "open_citation_", "open_report_")
PAPER_AVERAGES = {
    "swe": _SWE,
    "dr": _DR,
    "swe_without_long": tuple(name for name in _SWE if not name.startswith(_LONG)),
    "dr_without_long": tuple(name for name in _DR if not name.startswith(_LONG)),
}


@dataclass(frozen=True, slots=True)
class Scored:
    """An item, its grade, and the values that count; ``values`` is None where it is dropped."""

    item: Item
    grade: Grade
    values: Mapping[str, float] | None


Headlines = Mapping[str, Sequence[str]]


def subtask_entries(scored: Sequence[Scored], metrics: Headlines) -> dict[str, Any]:
    """Return one entry for each subtask, by name. ``metrics`` are those of each reader."""
    return {
        name: _subtask_entry(rows, metrics[rows[0].item.reader])
        for name, rows in _by(scored, lambda item: item.subtask).items()
    }


def _subtask_entry(rows: Sequence[Scored], names: Sequence[str]) -> dict[str, Any]:
    headline = names[0]
    entries: dict[str, Any] = {}
    for name in (*names, *LOG_PROBABILITY_METRICS):
        column = _column(rows, name)
        if column:
            entries[name] = metric_entry(name, column)
    chances = [chance for row in rows if (chance := chance_of(row.item)) is not None]
    chance = fsum(chances) / len(chances) if chances else None
    answered = [row.values[headline] for row in rows if row.values and row.grade.answered]
    status = {one.value: 0 for one in Status}
    for row in rows:
        status[row.grade.status] += 1
    kept = [row for row in rows if row.values is not None]
    return {
        "n": len(kept),
        "clusters": len({row.item.cluster for row in kept}),
        "headline": headline,
        "metrics": entries,
        "chance": chance,
        "chance_adjusted": chance_adjusted(entries[headline]["value"], chance) if kept else None,
        "baselines": baselines([row.item for row in rows]),
        "status": status,
        "no_label": sum(not row.grade.has_label for row in rows),
        "answered": len(answered),
        "accuracy_answered": fsum(answered) / len(answered) if answered else None,
        "dropped": len(rows) - len(kept),
    }


# what was not asked for, or failed, is wrong; of these alone there is no wrong value
_WRONG_WHEN_ABSENT = {
    "letter_accuracy",
    "cloze_accuracy",
    "cloze_accuracy_token",
    "cloze_accuracy_byte",
    "gold_probability",
}


def _column(rows: Iterable[Scored], name: str) -> Column | None:
    """Return a metric's values, None where no item has it."""
    kept = [(row.values, row.item.cluster) for row in rows if row.values is not None]
    if not any(name in values for values, _ in kept):
        return None
    if name in _WRONG_WHEN_ABSENT:
        kept = [({name: 0.0, **values}, cluster) for values, cluster in kept]
    having = [(values[name], cluster) for values, cluster in kept if name in values]
    return Column([value for value, _ in having], [cluster for _, cluster in having])


def groups(scored: Sequence[Scored], metrics: Headlines) -> dict[str, Any]:
    """Return macro and micro means of headline metrics by scenario, ability and so on."""
    keys: dict[str, Callable[[Item], str]] = {
        "scenario": lambda item: item.scenario,
        "ability": lambda item: item.ability,
        "language": lambda item: item.language,
        "bucket": lambda item: item.bucket,
        "long_context": lambda item: "with" if item.long_context else "without",
        "set": lambda item: SET_OF_SCENARIO.get(item.scenario, "other"),
    }
    return {
        kind: {
            value: entry
            for value, rows in _by(scored, key).items()
            if (entry := _group_entry(rows, metrics)) is not None
        }
        for kind, key in keys.items()
    }


def _group_entry(rows: Sequence[Scored], metrics: Headlines) -> dict[str, Any] | None:
    columns = _headline_columns(rows, metrics)
    present = [column for column in columns.values() if column is not None]
    if not present:
        return None
    return {
        "n": sum(len(column.values) for column in present),
        "subtasks": sorted(columns),
        "macro": macro_entry(present),
        "micro": micro_entry(present),
    }


def _headline_columns(rows: Sequence[Scored], metrics: Headlines) -> dict[str, Column | None]:
    return {
        name: _column(of_subtask, metrics[of_subtask[0].item.reader][0])
        for name, of_subtask in _by(rows, lambda item: item.subtask).items()
    }


def averages(scored: Sequence[Scored], metrics: Headlines) -> dict[str, dict[str, Any]]:
    """Return the paper's averages, macro and micro: value, se, low, high and reason each.

    The paper's are None, with the missing columns as reason, where a column is missing.
    """
    by_subtask = _by(scored, lambda item: item.subtask)
    columns = _headline_columns(scored, metrics)
    for name in ("closed_answer_en", "closed_answer_zh"):
        columns[name + ":rouge1"] = _column(by_subtask.get(name, ()), "rouge1")
    found = {
        name: average_of({column: columns.get(column) for column in wanted})
        for name, wanted in PAPER_AVERAGES.items()
    }
    present = [columns[name] for name in by_subtask]
    own = [column for column in present if column is not None]
    if not own:
        nothing = average_of({})
        return {**found, "macro": nothing, "micro": nothing}
    return {
        **found,
        "macro": {**macro_entry(own), "reason": None},
        "micro": {**micro_entry(own), "reason": None},
    }


def _by(rows: Iterable[Scored], key: Callable[[Item], str]) -> dict[str, list[Scored]]:
    found: dict[str, list[Scored]] = {}
    for row in rows:
        found.setdefault(key(row.item), []).append(row)
    return dict(sorted(found.items()))
