"""The learned attack: trees that know how like each option is to each other one.

It needs no vocabulary, so it finds any regular place of gold in the family of its options.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from generation.core.attacks.folds import held_out_hits
from generation.core.attacks.option_set import OptionSet, groups_of
from generation.core.attacks.steps import step_similarity, steps_of
from generation.core.selection.texts import overlap, tokens

_ROUNDS = 60
_READ = 2_000

_T = TypeVar("_T")


def learned_attack(corpus: Sequence[OptionSet], *, seed: int) -> list[float]:
    """Return how often the trained attack is right on each set, 0 to 1.

    Gradient boosting on all pairwise similarities of a set (words in common, steps in common in
    their order, steps in common in any order), lengths and positions; five folds, grouped by
    community where there are enough, else by cluster, and by block where sets were made together.

    Raises:
        ValueError: there are fewer groups than folds.
    """
    widest = max(len(question.options) for question in corpus)
    rows = np.concatenate([features(question.options, widest) for question in corpus])

    def scores(
        train: NDArray[np.intp], labels: NDArray[np.bool_], test: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        model = HistGradientBoostingClassifier(
            max_iter=_ROUNDS, learning_rate=0.1, max_leaf_nodes=15, random_state=seed
        )
        model.fit(rows[train], labels)
        decided: NDArray[np.float64] = model.predict_proba(rows[test])[:, 1]
        return decided

    return held_out_hits(corpus, groups_of(corpus, by_community=True), scores, seed=seed)[0]


def features(options: Sequence[str], widest: int) -> NDArray[np.float64]:
    """Return one row an option; places of options that a smaller set lacks hold NaN.

    Of each kind of similarity: those to the other options, highest first; those among the others,
    highest first; its rank by their sum. Then lengths in characters and in steps, as they are and
    ranked, and the position.
    """
    read = [option[:_READ] for option in options]
    words = [frozenset(tokens(option)) for option in read]
    plans = [steps_of(option) for option in read]
    step_sets = [frozenset(plan) for plan in plans]
    matrices = [
        _matrix(words, overlap),
        _matrix(plans, step_similarity),
        _matrix(step_sets, overlap),
    ]
    columns = [_similarities(matrix, widest) for matrix in matrices]
    for sizes in ([float(len(option)) for option in options], [float(len(plan)) for plan in plans]):
        lengths = np.array(sizes)
        columns.append(np.column_stack([lengths, lengths - lengths.mean(), _ranks(lengths)]))
    columns.append(np.arange(len(options), dtype=float)[:, None])
    return np.column_stack(columns)


def _similarities(matrix: NDArray[np.float64], widest: int) -> NDArray[np.float64]:
    count = len(matrix)
    own = np.full((count, widest - 1), np.nan)
    rest = np.full((count, (widest - 1) * (widest - 2) // 2), np.nan)
    for place in range(count):
        others = np.delete(np.arange(count), place)
        own[place, : count - 1] = -np.sort(-matrix[place, others])
        among = matrix[np.ix_(others, others)][np.triu_indices(count - 1, 1)]
        rest[place, : len(among)] = -np.sort(-among)
    total = np.nansum(own, axis=1)
    return np.column_stack([own, rest, total - total.mean(), _ranks(total)])


def _matrix(items: Sequence[_T], similarity: Callable[[_T, _T], float]) -> NDArray[np.float64]:
    found = np.ones((len(items), len(items)))
    for left in range(len(items)):
        for right in range(left + 1, len(items)):
            found[left, right] = found[right, left] = similarity(items[left], items[right])
    return found


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how many values are larger, ties by half."""
    larger = (values[None, :] > values[:, None]).sum(axis=1)
    equal = (values[None, :] == values[:, None]).sum(axis=1) - 1
    ranks: NDArray[np.float64] = larger + equal / 2
    return ranks
