"""Scores that a trained attack gives to options it was not trained on."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from generation.core.attacks.measuring import hits_of
from generation.core.attacks.option_set import FOLDS, OptionSet

DRAWS = 3
"""Ways to cut a corpus into folds that are averaged; one alone moves an accuracy by 0.03."""

Scorer = Callable[[NDArray[np.intp], NDArray[np.bool_], NDArray[np.intp]], NDArray[np.float64]]
"""Trains on rows with their labels, returns the scores of other rows."""


def folds(groups: Sequence[int], seed: int) -> list[int]:
    """Return a fold, 0 to ``FOLDS`` - 1, for each set; a group lies in one, folds are level.

    Raises:
        ValueError: there are fewer groups than folds.
    """
    sizes = Counter(groups)
    if len(sizes) < FOLDS:
        msg = f"{len(sizes)} groups, {FOLDS} are needed to train on some and measure on others"
        raise ValueError(msg)
    order = sorted(sizes)
    Random(f"folds {seed}").shuffle(order)  # noqa: S311 - a choice, not a secret
    filled = [0] * FOLDS
    fold_of = {}
    for group in sorted(order, key=lambda group: -sizes[group]):
        emptiest = min(range(FOLDS), key=lambda fold: filled[fold])
        fold_of[group] = emptiest
        filled[emptiest] += sizes[group]
    return [fold_of[group] for group in groups]


def held_out_hits(
    corpus: Sequence[OptionSet], groups: Sequence[int], scorer: Scorer, *, seed: int
) -> tuple[list[float], list[float]]:
    """Return how often the highest and how often the lowest score is right, for each set.

    ``scorer`` sees all options as rows, in the order of the corpus. Both are means over
    ``DRAWS`` ways to cut the corpus into folds.

    Raises:
        ValueError: there are fewer groups than folds.
    """
    highest = np.zeros(len(corpus))
    lowest = np.zeros(len(corpus))
    # On sets of this size threads only wait for one another: with them it took 20 times as long.
    with threadpool_limits(limits=1):
        for draw in range(DRAWS):
            scores = _held_out_scores(corpus, folds(groups, seed * DRAWS + draw), scorer)
            highest += np.asarray(hits_of(scores, corpus))
            lowest += np.asarray(hits_of([[-score for score in row] for row in scores], corpus))
    return (highest / DRAWS).tolist(), (lowest / DRAWS).tolist()


def _held_out_scores(
    corpus: Sequence[OptionSet], fold_of: Sequence[int], scorer: Scorer
) -> list[list[float]]:
    sizes = [len(question.options) for question in corpus]
    row_folds = np.repeat(np.asarray(fold_of), sizes)
    is_right = np.fromiter(_labels(corpus), dtype=np.bool_)
    scores = np.zeros(len(row_folds))
    for fold in range(FOLDS):
        train = np.flatnonzero(row_folds != fold)
        test = np.flatnonzero(row_folds == fold)
        scores[test] = scorer(train, is_right[train], test)
    ends = np.cumsum(sizes)[:-1]
    return [part.tolist() for part in np.split(scores, ends)]


def _labels(corpus: Sequence[OptionSet]) -> Iterator[bool]:
    for question in corpus:
        for place in range(len(question.options)):
            yield place in question.right
