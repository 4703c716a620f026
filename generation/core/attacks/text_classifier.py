"""A text classifier that reads options one by one and never the question."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log1p

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from generation.core.attacks.folds import Scorer, held_out_hits
from generation.core.attacks.option_set import OptionSet, groups_of
from generation.core.selection.cues import centrality

READ = 2_000
"""Characters of an option that the classifier reads; its length is told besides."""

_FORMS = {
    "characters 1-4": {"analyzer": "char", "ngram_range": (1, 4)},
    "words 1-2": {"analyzer": "word", "ngram_range": (1, 2), "token_pattern": r"(?u)\w+|[^\w\s]"},
}


@dataclass(frozen=True, slots=True)
class ClassifierHits:
    """How often the classifier is right on each set, in the form that is right more often.

    ``reversed_hits`` is what its option with the lowest score gives, in the form that is right
    more often by that.
    """

    hits: list[float]
    form: str
    reversed_hits: list[float]
    reversed_form: str


def text_classifier(corpus: Sequence[OptionSet], *, seed: int) -> ClassifierHits:
    """Return how a classifier of single options does on sets that it was not trained on.

    Logistic regression (C = 3, classes balanced) on TF-IDF of character 1-4-grams or of word
    1-2-grams, each with shape features, in five folds grouped by cluster or by block.

    Raises:
        ValueError: there are fewer groups than folds.
    """
    groups = groups_of(corpus, by_community=False)
    shapes = _shapes(corpus)
    texts = [option[:READ] for question in corpus for option in question.options]
    found = {
        form: held_out_hits(corpus, groups, _scorer(texts, shapes, form), seed=seed)
        for form in _FORMS
    }
    form = max(found, key=lambda form: sum(found[form][0]))
    reversed_form = max(found, key=lambda form: sum(found[form][1]))
    return ClassifierHits(found[form][0], form, found[reversed_form][1], reversed_form)


def _scorer(texts: Sequence[str], shapes: NDArray[np.float64], form: str) -> Scorer:
    # Weights of words come from all options: they know nothing of what is right.
    try:
        words = TfidfVectorizer(**_FORMS[form]).fit_transform(texts)
    except ValueError:  # nothing but blanks: the shape is all there is
        words = sparse.csr_matrix((len(texts), 0))
    rows = sparse.hstack([words, StandardScaler().fit_transform(shapes)]).tocsr()

    def scores(
        train: NDArray[np.intp], labels: NDArray[np.bool_], test: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        model = LogisticRegression(C=3, class_weight="balanced", max_iter=1_000, tol=1e-3)
        model.fit(rows[train], labels)
        decided: NDArray[np.float64] = model.decision_function(rows[test])
        return decided

    return scores


def _shapes(corpus: Sequence[OptionSet]) -> NDArray[np.float64]:
    """Return for each option: log length, length z-score in its set, overlap, lines, digits."""
    rows = []
    for question in corpus:
        lengths = np.array([len(option) for option in question.options], dtype=float)
        deviation = float(lengths.std()) or 1.0
        central = centrality(question.options)
        rows += [
            (
                log1p(length),
                (length - lengths.mean()) / deviation,
                nearness / max(1, len(central) - 1),
                option.count("\n"),
                sum(character.isdigit() for character in option),
            )
            for option, length, nearness in zip(question.options, lengths, central, strict=True)
        ]
    return np.array(rows, dtype=float)
