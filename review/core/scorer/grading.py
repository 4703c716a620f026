"""Grades one item: each metric's value and why the answer counts as it does."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from .answers import read_answer, same_answer
from .command import compare_command
from .items import METRICS_OF_READER, Item
from .letters import LetterStatus, read_choice, read_choices
from .logprobs import log_probability_values
from .predictions import Prediction
from .rouge import rouge


class Status(StrEnum):
    """Why an item counts as it does; every item has exactly one."""

    PARSED = "parsed"
    UNPARSED = "unparsed"
    AMBIGUOUS = "ambiguous"
    OUT_OF_RANGE = "out_of_range"
    EMPTY = "empty"
    ERROR = "error"
    MISSING = "missing"
    TRUNCATED_PROMPT = "truncated_prompt"
    CUT_BY_CAP = "cut_by_cap"


@dataclass(frozen=True, slots=True)
class Grade:
    """What one answer is worth.

    ``values`` are by metric name, in the reader's order, right or wrong in 0..1; ``labels`` what
    was read for choice formats; ``has_label`` says that an answer could be read, ``answered``
    that there was an output.
    """

    status: Status
    values: Mapping[str, float]
    has_label: bool
    answered: bool
    labels: tuple[str, ...] = ()


def grade(item: Item, output: str) -> Grade:
    """Return the grade of an output to an item; never raises, whatever the text."""
    return grade_prediction(item, Prediction(output))


def em_norm(reader: str, prediction: str, gold: str) -> bool:
    """Whether two completions say the same: ``reader`` is ``"command"`` or ``"answer"``.

    Raises:
        ValueError: another reader.
    """
    if reader == "command":
        return compare_command(prediction, gold).em_norm
    if reader == "answer":
        return same_answer(prediction, gold)
    msg = f"em_norm compares commands and answers, not {reader!r}"
    raise ValueError(msg)


def grade_prediction(item: Item, prediction: Prediction | None) -> Grade:
    """Return the grade of a prediction; one that is missing or failed is wrong in every metric."""
    if prediction is None:
        return _wrong(item, Status.MISSING)
    if prediction.error is not None:
        return _wrong(item, Status.ERROR)
    read, ended = _read(item, prediction.output or "")
    values = read.values
    if prediction.option_logprobs or prediction.gold_logprob:
        values = {**values, **log_probability_values(item, prediction)}
    status = read.status
    if prediction.truncated_prompt:
        status = Status.TRUNCATED_PROMPT
    elif prediction.finish_reason == "length" and not ended and status is not Status.EMPTY:
        status = Status.CUT_BY_CAP
    return Grade(status, values, read.has_label, read.answered, read.labels)


def _wrong(item: Item, status: Status) -> Grade:
    values = dict.fromkeys(METRICS_OF_READER[item.reader], 0.0)
    return Grade(status, values, has_label=False, answered=False)


def _read(item: Item, output: str) -> tuple[Grade, bool]:
    """Return the grade and whether the answer came to its end."""
    if item.reader == "command":
        return _command(item, output)
    if item.reader == "answer":
        return _answer(item, output)
    return _labels(item, output)


def _labels(item: Item, output: str) -> tuple[Grade, bool]:
    read = read_choice if item.reader == "letter" else read_choices
    reading = read(output, item.labels, stop=item.stop)
    found = reading.status is LetterStatus.PARSED
    given, gold = set(reading.labels), set(item.gold)
    if item.reader == "letter":
        values = {"accuracy": float(found and given <= gold)}
    else:
        shared = len(given & gold) if found else 0
        values = {
            "set_accuracy": float(found and given == gold),
            "jaccard": shared / len(given | gold) if found else 0.0,
            "option_f1": 2 * shared / (len(given) + len(gold)) if found else 0.0,
        }
    answered = reading.status is not LetterStatus.EMPTY
    return Grade(Status(reading.status), values, found, answered, reading.labels), found


def _command(item: Item, output: str) -> tuple[Grade, bool]:
    matches = [compare_command(output, gold, stop=item.stop) for gold in item.gold]
    first = matches[0]
    values = {
        "em_norm": float(any(match.em_norm for match in matches)),
        "em_strict": float(any(match.em_strict for match in matches)),
        "tool_match": float(any(match.tool_match for match in matches)),
        "arg_f1": max(match.arg_f1 for match in matches),
    }
    if first.empty:
        return Grade(Status.EMPTY, values, has_label=False, answered=False), True
    status = Status.PARSED if first.parsed else Status.UNPARSED
    return Grade(status, values, first.parsed, answered=True), first.ended


def _answer(item: Item, output: str) -> tuple[Grade, bool]:
    reading = read_answer(output, stop=item.stop)
    overlaps = [rouge(reading.text, gold) for gold in item.gold]
    values = {
        "em_norm": float(any(same_answer(reading.text, gold) for gold in item.gold)),
        "em_strict": float(bool(reading.text) and reading.text in item.gold),
        "rouge1": max(overlap.rouge1 for overlap in overlaps),
        "rouge2": max(overlap.rouge2 for overlap in overlaps),
        "rougeL": max(overlap.rouge_l for overlap in overlaps),
    }
    if not reading.text:
        return Grade(Status.EMPTY, values, has_label=False, answered=False), True
    return Grade(Status.PARSED, values, has_label=True, answered=True), reading.ended
