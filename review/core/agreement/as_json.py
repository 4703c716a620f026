"""The agreement on a measure as a JSON object: numbers, or null with the reason."""

from typing import Any

from review.core.agreement import words
from review.core.agreement.summary import Agreement, PairAgreement
from review.core.agreement.value import Value


def agreement_json(found: Agreement) -> dict[str, Any]:
    """Return the object; ordered labels also have ``weighted`` (quadratic).

    ``alpha`` and pairs have a ``reason`` of their own, which is there only where something is
    null.
    """
    parts = {
        "raw": found.raw,
        "ac1": found.ac1,
        "fleiss": found.fleiss,
        "brennan_prediger": found.brennan_prediger,
    }
    numbers = _numbers(parts)
    shown: dict[str, Any] = {
        "n_items": found.n_items,
        "n_pairable": found.n_pairable,
        "n_raters": found.n_raters,
        "raw": numbers.pop("raw"),
        "alpha": _alpha(found),
        **numbers,
    }
    if found.weighted:
        weighted = {
            "raw": found.weighted.raw,
            "ac2": found.weighted.ac2,
            "fleiss": found.weighted.fleiss,
            "brennan_prediger": found.weighted.brennan_prediger,
        }
        shown["weighted"] = _numbers(weighted)
    shown["pairs"] = [_pair(pair) for pair in found.pairs]
    shown["warnings"] = [warned.text for warned in found.warnings]
    return shown


def _alpha(found: Agreement) -> dict[str, Any]:
    interval = found.alpha_interval
    shown: dict[str, Any] = {
        "value": found.alpha.number,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "undefined_resamples": interval.undefined if interval else 0,
    }
    if found.alpha.number is None:
        shown["reason"] = found.alpha.reason
    elif shown["low"] is None:
        shown["reason"] = words.ALL_UNDEFINED
    return shown


def _pair(pair: PairAgreement) -> dict[str, Any]:
    parts = {"raw": pair.raw, "cohen": pair.cohen}
    if pair.cohen_quadratic:
        parts["cohen_quadratic"] = pair.cohen_quadratic
    return {"raters": list(pair.raters), "n": pair.n, **_numbers(parts)}


def _numbers(parts: dict[str, Value]) -> dict[str, Any]:
    """Return the numbers by name, and why those that are null are so."""
    shown: dict[str, Any] = {name: value.number for name, value in parts.items()}
    reasons = dict.fromkeys(value.reason for value in parts.values() if value.reason)
    if reasons:
        shown["reason"] = "; ".join(reasons)
    return shown
