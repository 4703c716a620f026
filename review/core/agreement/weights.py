"""How much two labels agree, 0..1, by their places in the declared order."""

from enum import StrEnum

import numpy as np

from review.core.agreement.table import Floats


class Weights(StrEnum):
    """Families of agreement weights; identity counts exact agreement only."""

    IDENTITY = "identity"
    LINEAR = "linear"
    QUADRATIC = "quadratic"
    ORDINAL = "ordinal"


def weight_matrix(kind: Weights, count: int) -> Floats:
    """Return the ``count`` x ``count`` weights; with fewer than two labels all agree.

    Source: Cohen (1968), Psychological Bulletin 70, 213-220 (linear, quadratic); Gwet (2014),
    Handbook of Inter-Rater Reliability, 4th ed., section 3.5 (ordinal: pairs of places
    spanned).
    """
    if kind is Weights.IDENTITY or count < 2:
        return np.eye(count)
    places = np.arange(count)
    apart = np.abs(places[:, None] - places[None, :]).astype(float)
    match kind:
        case Weights.LINEAR:
            distance = apart
        case Weights.QUADRATIC:
            distance = apart**2
        case Weights.ORDINAL:
            distance = apart * (apart + 1) / 2
    weights: Floats = 1 - distance / distance.max()
    return weights
