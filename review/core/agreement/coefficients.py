"""Agreement of any number of raters with missing labels, from counts of labels by unit.

All functions take ``counts`` (units x declared labels: how many raters gave the label) and
weights of agreement (labels x labels; identity unless given). Units with one label count for
the shares of labels, not for observed agreement. Source of all formulas: Gwet (2014), Handbook
of Inter-Rater Reliability, 4th ed., chapters 2-6.
"""

from math import sqrt

import numpy as np

from review.core.agreement import words
from review.core.agreement.table import Floats, Integers
from review.core.agreement.value import Value, undefined

_CERTAIN = 1e-12


def raw_agreement(counts: Integers, weights: Floats | None = None) -> Value:
    """Return the mean share of agreeing pairs of raters over units with two or more labels."""
    if reason := _no_pairs(counts):
        return undefined(reason)
    chosen = counts[counts.sum(axis=1) >= 2]
    return Value(float(unit_agreement(chosen, _weights(counts, weights)).mean()))


def unit_agreement(counts: Integers, weights: Floats) -> Floats:
    """Return every unit's share of agreeing pairs, 0..1; each must have two or more labels."""
    size = counts.sum(axis=1)
    agreeing = (counts * (counts @ weights - 1)).sum(axis=1)
    shares: Floats = agreeing / (size * (size - 1))
    return shares


def label_shares(counts: Integers) -> Floats:
    """Return each label's share, the mean over units that have a label; zeros without any."""
    size = counts.sum(axis=1)
    chosen = counts[size > 0]
    if not len(chosen):
        return np.zeros(counts.shape[1])
    shares: Floats = (chosen / size[size > 0, None]).mean(axis=0)
    return shares


def fleiss(counts: Integers, weights: Floats | None = None) -> Value:
    """Return Fleiss' kappa (Scott's pi with two raters), generalised to missing labels."""
    if reason := _no_pairs(counts):
        return undefined(reason)
    shares = label_shares(counts)
    expected = float(shares @ _weights(counts, weights) @ shares)
    return _beyond_chance(raw_agreement(counts, weights), expected, words.ONE_LABEL)


def gwet(counts: Integers, weights: Floats | None = None) -> Value:
    """Return Gwet's AC1, or AC2 with weights; the number of declared labels matters."""
    if reason := _no_pairs(counts) or _one_declared(counts):
        return undefined(reason)
    expected = _gwet_expected(label_shares(counts), _weights(counts, weights))
    return _beyond_chance(raw_agreement(counts, weights), expected, words.ONE_LABEL)


def gwet_by_chance(counts: Integers, weights: Floats | None = None) -> Value:
    """Return the AC1 (AC2) that two independent raters with these shares of labels reach.

    Near 0 where labels are balanced, near 1 where one label dominates: what AC1 must be read
    against.
    """
    if reason := _no_pairs(counts) or _one_declared(counts):
        return undefined(reason)
    shares, given = label_shares(counts), _weights(counts, weights)
    by_chance = Value(float(shares @ given @ shares))
    return _beyond_chance(by_chance, _gwet_expected(shares, given), words.ONE_LABEL)


def gwet_standard_error(counts: Integers, weights: Floats | None = None) -> Value:
    """Return the standard error of AC1 (AC2) over a sample of units."""
    coefficient = gwet(counts, weights)
    if coefficient.number is None:
        return coefficient
    counts = counts[counts.sum(axis=1) > 0]
    given, size = _weights(counts, weights), counts.sum(axis=1)
    total, paired = len(counts), size >= 2
    if total < 2:
        return undefined("1 item has no spread")
    shares, labels = label_shares(counts), counts.shape[1]
    expected = _gwet_expected(shares, given)
    agreement = np.zeros(total)
    agreement[paired] = unit_agreement(counts[paired], given) - expected
    own = total / paired.sum() * agreement / (1 - expected)
    scale = given.sum() / (labels * (labels - 1))
    own_expected = scale * (counts @ (1 - shares)) / size
    value = coefficient.number
    linear = own - 2 * (1 - value) * (own_expected - expected) / (1 - expected)
    return Value(sqrt(float(((linear - value) ** 2).sum()) / (total * (total - 1))))


def brennan_prediger(counts: Integers, weights: Floats | None = None) -> Value:
    """Return Brennan and Prediger's kappa: chance is an even draw of the declared labels."""
    if reason := _no_pairs(counts) or _one_declared(counts):
        return undefined(reason)
    expected = float(_weights(counts, weights).sum()) / counts.shape[1] ** 2
    return _beyond_chance(raw_agreement(counts, weights), expected, words.ONE_LABEL)


def _weights(counts: Integers, weights: Floats | None) -> Floats:
    return np.eye(counts.shape[1]) if weights is None else weights


def _gwet_expected(shares: Floats, weights: Floats) -> float:
    labels = len(shares)
    return float(weights.sum() / (labels * (labels - 1)) * (shares * (1 - shares)).sum())


def _beyond_chance(observed: Value, expected: float, reason: str) -> Value:
    if observed.number is None:
        return observed
    if 1 - expected < _CERTAIN:
        return undefined(reason)
    return Value((observed.number - expected) / (1 - expected))


def _no_pairs(counts: Integers) -> str:
    size = counts.sum(axis=1)
    if not size.any():
        return words.NO_LABELS
    return "" if (size >= 2).any() else words.NOT_PAIRABLE


def _one_declared(counts: Integers) -> str:
    return words.ONE_DECLARED if counts.shape[1] < 2 else ""
