"""Reads a file of predictions: JSON lines, each checked, refused with its number."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from .errors import PredictionError
from .items import Item


@dataclass(frozen=True, slots=True)
class LogProbability:
    """Summed natural log-probability of a text, and the text's length in tokens and bytes."""

    sum: float
    tokens: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Prediction:
    """What one model said to one item; ``output`` is None where it said nothing."""

    output: str | None
    finish_reason: str | None = None
    error: str | None = None
    truncated_prompt: bool = False
    option_logprobs: Mapping[str, LogProbability] | None = None
    gold_logprob: LogProbability | None = None


@dataclass(frozen=True, slots=True)
class Predictions:
    """Predictions by item id, and the models and runs that the file names."""

    by_id: Mapping[str, Prediction]
    models: tuple[str, ...]
    repeated: int


def read_predictions(path: Path, items: Mapping[str, Item]) -> Predictions:
    """Return the predictions in ``path``; a line that says again what an earlier one said is one.

    Raises:
        PredictionError: the file cannot be read, a line is no JSON object, a field has another
            type, an id is not in ``items`` or stands twice with other content, or the labels with
            log-probabilities are not the labels offered.
    """
    seen: dict[str, tuple[int, Prediction]] = {}
    models: dict[str, None] = {}
    repeated = 0
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                if not line.strip():
                    continue
                row = _row(line, f"{path}, line {number}", first=number == 1)
                key, prediction = _prediction(row, f"{path}, line {number}")
                if key not in items:
                    _refuse(f"{path}, line {number}: field id: {key!r} is not in the benchmark")
                labels = items[key].labels
                if prediction.option_logprobs and set(prediction.option_logprobs) != set(labels):
                    _refuse(
                        f"{path}, line {number}: field option_logprobs: the labels "
                        f"{', '.join(labels) or '(none: a completion)'} are expected"
                    )
                earlier = seen.setdefault(key, (number, prediction))
                if earlier[0] != number:
                    if earlier[1] != prediction:
                        _refuse(
                            f"{path}, line {number}: field id: {key!r} stands already in line "
                            f"{earlier[0]}, with other content"
                        )
                    repeated += 1
                if isinstance(row.get("model"), str):
                    models[row["model"]] = None
    except OSError as error:
        msg = f"{path}: cannot be read ({error.strerror})"
        raise PredictionError(msg) from error
    return Predictions(
        {key: prediction for key, (_, prediction) in seen.items()}, tuple(sorted(models)), repeated
    )


def _refuse(message: str) -> NoReturn:
    raise PredictionError(message)


def _no_constant(name: str) -> NoReturn:
    msg = f"{name} is no JSON"
    raise ValueError(msg)


_decode = json.JSONDecoder(parse_constant=_no_constant).decode


def _row(line: bytes, place: str, *, first: bool) -> dict[str, Any]:
    try:
        row = _decode(line.decode("utf-8-sig" if first else "utf-8"))
    except UnicodeDecodeError:
        _refuse(f"{place}: is not UTF-8")
    except (ValueError, RecursionError):
        _refuse(f"{place}: is not JSON")
    if not isinstance(row, dict):
        _refuse(f"{place}: an object is expected")
    return row


def _prediction(row: dict[str, Any], place: str) -> tuple[str, Prediction]:
    key = row.get("id")
    if not isinstance(key, str):
        _refuse(f"{place}: field id: text is expected")
    if "output" not in row and "option_logprobs" not in row and "gold_logprob" not in row:
        _refuse(f"{place}: field output: text or null is expected")
    for name in ("output", "finish_reason", "error", "model", "run"):
        if row.get(name) is not None and not isinstance(row[name], str):
            _refuse(f"{place}: field {name}: text or null is expected")
    truncated = row.get("truncated_prompt")
    if truncated is not None and not isinstance(truncated, bool):
        _refuse(f"{place}: field truncated_prompt: true or false is expected")
    options, gold = row.get("option_logprobs"), row.get("gold_logprob")
    if options is not None and not isinstance(options, dict):
        _refuse(f"{place}: field option_logprobs: an object of labels is expected")
    return key, Prediction(
        output=row.get("output"),
        finish_reason=row.get("finish_reason"),
        error=row.get("error"),
        truncated_prompt=bool(truncated),
        option_logprobs=None
        if options is None
        else {
            label: _log_probability(value, f"{place}: field option_logprobs.{label}")
            for label, value in options.items()
        },
        gold_logprob=None
        if gold is None
        else _log_probability(gold, f"{place}: field gold_logprob"),
    )


def _log_probability(value: Any, place: str) -> LogProbability:
    if not isinstance(value, dict):
        _refuse(f"{place}: an object with sum, tokens and bytes is expected")
    total = value.get("sum")
    if isinstance(total, bool) or not isinstance(total, int | float) or not _is_log(total):
        _refuse(f"{place}.sum: a finite number of at most 0 is expected")
    return LogProbability(
        float(total),
        _count(value.get("tokens"), f"{place}.tokens"),
        _count(value.get("bytes"), f"{place}.bytes"),
    )


def _count(number: Any, place: str) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        _refuse(f"{place}: a whole number of at least 1 is expected")
    return number


def _is_log(total: float) -> bool:
    # servers round: a certain token may come back as a tiny positive number
    return -1e300 < total <= 1e-3 and isfinite(total)
