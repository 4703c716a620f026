"""Everything that is said of one measure: numbers, intervals, pairs, labels, warnings."""

from dataclasses import dataclass

import numpy as np

from review.core.agreement import words
from review.core.agreement.alpha import Metric, Scale, alpha_of_counts, metric_of
from review.core.agreement.bootstrap import RESAMPLES, Interval, interval_of, resampled_sums
from review.core.agreement.coefficients import (
    brennan_prediger,
    fleiss,
    gwet,
    gwet_by_chance,
    raw_agreement,
    unit_agreement,
)
from review.core.agreement.cohen import cohen, cohen_standard_error, pairs
from review.core.agreement.specific import LabelAgreement, by_label
from review.core.agreement.table import Integers, RatingTable
from review.core.agreement.value import Value, undefined
from review.core.agreement.warnings import Seen, Warned, warnings_of
from review.core.agreement.weights import Weights, weight_matrix


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How two raters agree on the ``n`` units that both labelled.

    ``cohen_quadratic`` counts near misses of ordered labels, None for others.
    """

    raters: tuple[str, str]
    n: int
    raw: Value
    cohen: Value
    standard_error: Value
    cohen_quadratic: Value | None


@dataclass(frozen=True, slots=True)
class Weighted:
    """The coefficients of ordered labels with quadratic weights."""

    raw: Value
    ac2: Value
    fleiss: Value
    brennan_prediger: Value


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement on one measure.

    ``n_items`` have a label, ``n_pairable`` two or more (for one of their parts, where labels
    are given to parts). ``alpha`` is on the measure's scale; ``raw``, ``ac1``, ``fleiss`` and
    ``brennan_prediger`` count exact agreement. Intervals are None where alpha or raw is.
    ``ac1_by_chance`` is the AC1 of independent raters, and belongs beside ``ac1`` always.
    """

    scale: Scale
    n_items: int
    n_pairable: int
    n_raters: int
    raw: Value
    raw_interval: Interval | None
    alpha: Value
    alpha_interval: Interval | None
    ac1: Value
    ac1_by_chance: Value
    fleiss: Value
    brennan_prediger: Value
    weighted: Weighted | None
    pairs: tuple[PairAgreement, ...]
    labels: tuple[LabelAgreement, ...]
    warnings: tuple[Warned, ...]


def agreement_of(
    table: RatingTable, scale: Scale, *, seed: int, resamples: int = RESAMPLES
) -> Agreement:
    """Return the agreement of a table's raters, with intervals from resampled items."""
    counts, metric = table.counts(), metric_of(scale, table.labels)
    found = alpha_of_counts(counts, metric)
    raw_interval, alpha_interval = _intervals(table, counts, metric, seed, resamples)
    is_set = scale is Scale.SETS
    raw = raw_agreement(counts)
    no_list = undefined(raw.reason or words.NO_FIXED_LABELS)
    plain_alpha = alpha_of_counts(counts, metric_of(Scale.NOMINAL, table.labels))
    ac1 = no_list if is_set else gwet(counts)
    by_chance = no_list if is_set else gwet_by_chance(counts)
    chosen = table.pairable()
    n_pairable = len(np.unique(table.item_of[chosen]))
    alpha_shown = None if found.number is None else alpha_interval
    return Agreement(
        scale=scale,
        n_items=len(table.items),
        n_pairable=n_pairable,
        n_raters=len(table.raters),
        raw=raw,
        raw_interval=raw_interval,
        alpha=found,
        alpha_interval=alpha_shown,
        ac1=ac1,
        ac1_by_chance=by_chance,
        fleiss=no_list if is_set else fleiss(counts),
        brennan_prediger=no_list if is_set else brennan_prediger(counts),
        weighted=_weighted(counts) if scale is Scale.ORDINAL else None,
        pairs=_pairs(table, scale),
        labels=by_label(table),
        warnings=warnings_of(table, Seen(n_pairable, plain_alpha, ac1, by_chance, alpha_shown)),
    )


def _intervals(
    table: RatingTable, counts: Integers, metric: Metric, seed: int, resamples: int
) -> tuple[Interval | None, Interval | None]:
    """Return the intervals of raw agreement and of alpha, from the same resamples."""
    chosen = table.pairable()
    if not chosen.any():
        return None, None
    kept = counts[chosen]
    agreeing = unit_agreement(kept, np.eye(kept.shape[1]))
    rows = np.column_stack([np.ones(len(kept)), agreeing, metric.unit_rows(kept)])
    sums = resampled_sums(table.by_item(rows, chosen), resamples=resamples, seed=seed)
    return interval_of(sums[:, 1] / sums[:, 0]), interval_of(metric.alphas(sums[:, 2:]))


def _weighted(counts: Integers) -> Weighted:
    weights = weight_matrix(Weights.QUADRATIC, counts.shape[1])
    return Weighted(
        raw=raw_agreement(counts, weights),
        ac2=gwet(counts, weights),
        fleiss=fleiss(counts, weights),
        brennan_prediger=brennan_prediger(counts, weights),
    )


def _pairs(table: RatingTable, scale: Scale) -> tuple[PairAgreement, ...]:
    weights = weight_matrix(Weights.QUADRATIC, len(table.labels))
    return tuple(
        PairAgreement(
            raters=(pair.first, pair.second),
            n=pair.n,
            raw=pair.raw,
            cohen=cohen(pair.both),
            standard_error=cohen_standard_error(pair.both),
            cohen_quadratic=cohen(pair.both, weights) if scale is Scale.ORDINAL else None,
        )
        for pair in pairs(table)
    )
