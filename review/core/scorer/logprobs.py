"""Metrics of log-probabilities: smooth signals for models too small to answer well."""

from collections.abc import Callable, Mapping
from math import exp, fsum, log

from .items import Item
from .predictions import LogProbability, Prediction

_LONGEST_LETTER = 3  # bytes of a label with the blank or bracket that a tokenizer glues to it


def log_probability_values(item: Item, prediction: Prediction) -> dict[str, float]:
    """Return the metrics that the prediction's log-probabilities allow, by name.

    Options are scored by letter where each scored text is as short as a label, else by their own
    text (cloze). Equal best options share the point. ``gold_probability`` is the softmax over the
    options, ``margin`` that of gold minus the best other one (-1..1), ``brier`` the summed
    squared error over options (0..2), ``bits_per_byte`` of gold at least 0, unbounded.
    """
    values: dict[str, float] = {}
    options = prediction.option_logprobs
    gold_text = prediction.gold_logprob
    if options and item.format == "choice":
        gold = item.gold[0]
        if _scored_by_letter(item, options):
            values["letter_accuracy"] = _best_is(gold, options, lambda one: one.sum)
        else:
            values["cloze_accuracy"] = _best_is(gold, options, lambda one: one.sum)
            values["cloze_accuracy_token"] = _best_is(
                gold, options, lambda one: one.sum / one.tokens
            )
            values["cloze_accuracy_byte"] = _best_is(gold, options, lambda one: one.sum / one.bytes)
            gold_text = gold_text or options[gold]
        values |= _probability_values(gold, options)
    if gold_text:
        values["bits_per_byte"] = bits_per_byte(gold_text.sum, gold_text.bytes)
    return values


def bits_per_byte(log_likelihood: float, size: int) -> float:
    """Return the bits that a text of ``size`` bytes costs, per byte, from its nats."""
    return -log_likelihood / (size * log(2))


def _scored_by_letter(item: Item, options: Mapping[str, LogProbability]) -> bool:
    if all(options[label].bytes == len(text.encode()) for label, text in item.options):
        return False
    return all(one.bytes <= _LONGEST_LETTER for one in options.values())


def _best_is(
    gold: str, options: Mapping[str, LogProbability], score: Callable[[LogProbability], float]
) -> float:
    scores = {label: score(one) for label, one in options.items()}
    best = max(scores.values())
    winners = [label for label, value in scores.items() if value == best]
    return 1 / len(winners) if gold in winners else 0.0


def _probability_values(gold: str, options: Mapping[str, LogProbability]) -> dict[str, float]:
    highest = max(one.sum for one in options.values())
    weights = {label: exp(one.sum - highest) for label, one in options.items()}
    total = fsum(weights.values())
    shares = {label: weight / total for label, weight in weights.items()}
    others = [share for label, share in shares.items() if label != gold]
    return {
        "gold_probability": shares[gold],
        "margin": shares[gold] - max(others, default=0.0),
        "brier": fsum((share - (label == gold)) ** 2 for label, share in shares.items()),
    }
