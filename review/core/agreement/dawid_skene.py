"""Estimates how good each rater is from the labels alone. Advisory: people decide gold.

Source: Dawid and Skene (1979), Applied Statistics 28, 20-28; one-coin: one accuracy a rater.
"""

from dataclasses import dataclass

import numpy as np

from review.core.agreement.table import Floats, RatingTable

_LEAST = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Skills:
    """What expectation maximisation came to.

    ``accuracy`` is by rater, 0..1; ``confusion`` raters x true x given label; ``posterior``
    units x labels; ``shares`` of the true labels; ``log_likelihood`` after every round.
    """

    raters: tuple[str, ...]
    accuracy: Floats
    confusion: Floats
    posterior: Floats
    shares: Floats
    log_likelihood: tuple[float, ...]
    has_converged: bool


def estimate_skills(
    table: RatingTable, *, one_coin: bool, rounds: int = 200, tolerance: float = 1e-7
) -> Skills | None:
    """Return the raters' skills; None where there are no labels.

    ``one_coin`` gives each rater one accuracy and spreads the errors evenly; else each has a
    confusion matrix. Starts from the shares of labels by unit; stops when a round gains less
    than ``tolerance`` of log-likelihood for each label.
    """
    if not len(table.label):
        return None
    counts = table.counts()
    posterior: Floats = counts / counts.sum(axis=1, keepdims=True)
    history: list[float] = []
    has_converged = False
    while len(history) < rounds and not has_converged:
        shares = posterior.mean(axis=0)
        confusion = _confusion(table, posterior)
        confusion = _even_errors(table, confusion) if one_coin else _normalised(confusion)
        posterior, likelihood = _posterior(table, shares, confusion)
        gain = likelihood - history[-1] if history else np.inf
        history.append(likelihood)
        has_converged = gain < tolerance * len(table.label)
    return Skills(
        raters=table.raters,
        accuracy=np.einsum("rkk,k->r", confusion, shares),
        confusion=confusion,
        posterior=posterior,
        shares=shares,
        log_likelihood=tuple(history),
        has_converged=bool(has_converged),
    )


def _confusion(table: RatingTable, posterior: Floats) -> Floats:
    """Return how often each rater gave a label to units of each true label, as expected."""
    width = len(table.labels)
    found = np.zeros((len(table.raters), width, width))
    np.add.at(found.transpose(0, 2, 1), (table.rater, table.label), posterior[table.unit])
    return found


def _normalised(confusion: Floats) -> Floats:
    """Return rows as shares; a true label that a rater never met has an even row."""
    total = confusion.sum(axis=2, keepdims=True)
    even = np.full_like(confusion, 1 / confusion.shape[2])
    rows: Floats = np.divide(confusion, total, out=even, where=total > _LEAST)
    return rows


def _even_errors(table: RatingTable, confusion: Floats) -> Floats:
    width = len(table.labels)
    given = np.bincount(table.rater, minlength=len(table.raters))
    accuracy = np.trace(confusion, axis1=1, axis2=2) / given
    wrong = (1 - accuracy) / max(1, width - 1)
    right = np.eye(width)[None]
    spread: Floats = right * accuracy[:, None, None] + (1 - right) * wrong[:, None, None]
    return spread


def _posterior(table: RatingTable, shares: Floats, confusion: Floats) -> tuple[Floats, float]:
    logs = np.tile(np.log(np.maximum(shares, _LEAST)), (len(table.units), 1))
    seen = np.log(np.maximum(confusion, _LEAST))[table.rater, :, table.label]
    np.add.at(logs, table.unit, seen)
    top = logs.max(axis=1, keepdims=True)
    weights = np.exp(logs - top)
    total = weights.sum(axis=1, keepdims=True)
    return weights / total, float((np.log(total) + top).sum())
