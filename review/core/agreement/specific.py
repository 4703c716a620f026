"""Agreement by label: on which labels people agree and on which they do not."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from review.core.agreement import words
from review.core.agreement.alpha import Scale, alpha_of_counts, metric_of
from review.core.agreement.coefficients import label_shares
from review.core.agreement.table import Integers, RatingTable
from review.core.agreement.value import Value, undefined


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """How raters agree on one label: how often it was given, its share 0..1 and two numbers.

    ``specific`` is the chance that another rater of a unit also gives the label where one did;
    ``alpha`` is Krippendorff's with all other labels taken as one.
    """

    label: Hashable
    given: int
    share: float
    specific: Value
    alpha: Value


def specific_agreement(counts: Integers, label: int) -> Value:
    """Return the specific agreement of a label's index, 0..1.

    Source: Cicchetti and Feinstein (1990), J. Clin. Epidemiol. 43, 551-558, for any number of
    raters: the pairs that agree on the label over all pairs that hold it.
    """
    own, size = counts[:, label], counts.sum(axis=1)
    possible = int((own * (size - 1)).sum())
    if not possible:
        return undefined(words.LABEL_UNUSED)
    return Value(int((own * (own - 1)).sum()) / possible)


def binarised(counts: Integers, label: int) -> Integers:
    """Return the counts of a label and of all others together: units x 2."""
    own = counts[:, label]
    return np.column_stack([own, counts.sum(axis=1) - own])


def by_label(table: RatingTable) -> tuple[LabelAgreement, ...]:
    """Return the agreement on every declared label, in the declared order."""
    counts = table.counts()
    shares, given = label_shares(counts), counts.sum(axis=0)
    metric = metric_of(Scale.NOMINAL, ("this", "other"))
    return tuple(
        LabelAgreement(
            label=label,
            given=int(given[index]),
            share=float(shares[index]),
            specific=specific_agreement(counts, index),
            alpha=alpha_of_counts(binarised(counts, index), metric),
        )
        for index, label in enumerate(table.labels)
    )
