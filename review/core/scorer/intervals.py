"""Standard errors and 95 % intervals of means over items that come in clusters."""

from collections.abc import Iterable, Sequence
from math import fsum, sqrt

Z95 = 1.959963984540054
NORMAL_NEEDS = 10


def wilson_interval(share: float, total: int, *, z: float = Z95) -> tuple[float, float]:
    """Return the (low, high) bounds of a share in 0..1 seen over ``total`` items.

    Raises:
        ValueError: ``total`` is under 1 or ``share`` is outside 0..1.

    Source: Wilson (1927), JASA 22 (158), 209-212.
    """
    if total < 1 or not 0 <= share <= 1:
        msg = f"impossible share: {share} of {total} items"
        raise ValueError(msg)
    shrink = z * z / total
    half = z * sqrt(share * (1 - share) / total + shrink / (4 * total))
    low = (share + shrink / 2 - half) / (1 + shrink)
    high = (share + shrink / 2 + half) / (1 + shrink)
    return max(0.0, low), min(1.0, high)


def clustered_se(values: Sequence[float], clusters: Sequence[str]) -> float | None:
    """Return the standard error of the mean of ``values``; None where there is one cluster only.

    The square root of the summed squares of the clusters' summed deviations, over n: items of
    one cluster need not be independent, clusters are. As published, without a factor for few
    clusters. Source: Miller (2024), Adding Error Bars to Evals, arXiv 2411.00640.
    """
    return weighted_clustered_se([(1.0, values, clusters)])


Part = tuple[float, Sequence[float], Sequence[str]]


def weighted_clustered_se(parts: Iterable[Part]) -> float | None:
    """Return the standard error of a weighted mean of the means of several parts.

    A part is (weight, values, clusters); weights sum to 1. Deviations are taken from each part's
    own mean and summed by cluster over all parts, so a source that gives items to two subtasks
    counts as one source. Where no cluster is shared this is the usual square root of the summed
    squares of weight times standard error. None where a part has fewer than two clusters.
    """
    sums: dict[str, float] = {}
    for weight, values, clusters in parts:
        if len(set(clusters)) < 2:
            return None
        mean = fsum(values) / len(values)
        scale = weight / len(values)
        for value, cluster in zip(values, clusters, strict=True):
            sums[cluster] = sums.get(cluster, 0.0) + scale * (value - mean)
    return sqrt(fsum(total * total for total in sums.values()))


def interval(
    value: float, se: float | None, total: int, *, share: bool
) -> tuple[float | None, float | None]:
    """Return the 95 % bounds of a mean of ``total`` items; (None, None) where nothing is known.

    ``share`` says that the values lie in 0..1; then Wilson's interval is taken where
    n·p or n·(1-p) is under 10, and bounds stay in 0..1. Else value ± 1.96 standard errors.
    """
    if share and min(total * value, total * (1 - value)) < NORMAL_NEEDS:
        return wilson_interval(min(1.0, max(0.0, value)), total)
    if se is None:
        return None, None
    low, high = value - Z95 * se, value + Z95 * se
    return (max(0.0, low), min(1.0, high)) if share else (low, high)
