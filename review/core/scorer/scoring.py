"""Scores a file of predictions against an export."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import compat as official
from .benchmark import Benchmark, read_benchmark
from .grading import grade_prediction
from .items import METRICS_OF_READER
from .predictions import Predictions, read_predictions
from .signature import signature
from .summary import Scored, averages, groups, subtask_entries

_NAMED = 5


def score(benchmark_dir: Path, predictions: Path, *, compat: str | None = None) -> dict[str, Any]:
    """Return the scores of ``predictions`` on the export in ``benchmark_dir``, ready for JSON.

    Shares are fractions in 0..1. Every item of the manifest is in the denominator, but with
    ``compat="aptbench"``, where what the official scripts drop is dropped.

    Raises:
        BenchmarkError: the export cannot be read (``DigestMismatch``: it was changed).
        PredictionError: the predictions cannot be read.
        ValueError: ``compat`` is neither None nor ``"aptbench"``.
    """
    if compat not in {None, official.NAME}:
        msg = f"compat {compat!r} is not known: {official.NAME!r} is"
        raise ValueError(msg)
    benchmark = read_benchmark(benchmark_dir)
    given = read_predictions(predictions, benchmark.items)
    scored = [_scored(benchmark, given, key, compat=compat) for key in benchmark.items]
    metrics = official.METRICS_OF_READER if compat else METRICS_OF_READER
    details = averages(scored, metrics)
    readers = {row.item.reader for row in scored}
    headlines = sorted({metrics[reader][0] for reader in readers})
    return {
        "signature": signature(benchmark, metrics=headlines, compat=compat),
        "compat": compat,
        "benchmark": {
            "name": benchmark.name,
            "version": benchmark.version,
            "sha256": benchmark.sha256,
            "shots": benchmark.shots,
            "validation": benchmark.validation,
            "items": len(scored),
        },
        "model": given.models[0] if len(given.models) == 1 else None,
        "subtasks": subtask_entries(scored, metrics),
        "groups": groups(scored, metrics),
        "averages": {name: detail["value"] for name, detail in details.items()},
        "averages_detail": details,
        "warnings": _warnings(benchmark, given, scored, details, compat=compat),
    }


def _scored(benchmark: Benchmark, given: Predictions, key: str, *, compat: str | None) -> Scored:
    item, prediction = benchmark.items[key], given.by_id.get(key)
    grade = grade_prediction(item, prediction)
    values: Mapping[str, float] | None = grade.values
    if compat:
        values = official.official_values(item, prediction)
    return Scored(item, grade, values)


def _warnings(
    benchmark: Benchmark,
    given: Predictions,
    scored: Sequence[Scored],
    details: Mapping[str, Mapping[str, Any]],
    *,
    compat: str | None,
) -> list[str]:
    warnings: list[str] = []
    missing = [key for key in benchmark.items if key not in given.by_id]
    if missing:
        named = ", ".join(missing[:_NAMED]) + (", …" if len(missing) > _NAMED else "")
        how = "left out" if compat else "counted as wrong"
        warnings.append(f"{len(missing)} items have no prediction and are {how}: {named}")
    if given.repeated:
        warnings.append(f"{given.repeated} lines repeat an earlier one word for word")
    if len(given.models) > 1:
        warnings.append(f"the file holds several models: {', '.join(given.models)}")
    dropped = sum(row.values is None for row in scored)
    if dropped:
        warnings.append(f"compat {compat}: {dropped} items without output left the denominator")
    warnings += [
        f"average {name} is null: {detail['reason']}"
        for name, detail in details.items()
        if detail["reason"]
    ]
    if isinstance(benchmark.validation, str) and benchmark.validation.startswith("none"):
        warnings.append(f"the benchmark was not reviewed: validation {benchmark.validation}")
    return warnings
