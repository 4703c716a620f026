"""How well the steps of an option follow from one another, by latent semantic analysis.

A borrowed step breaks the topic of a plan even where it shares no word with its neighbours.
"""

from collections.abc import Sequence

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from threadpoolctl import threadpool_limits

from generation.core.attacks.option_set import OptionSet
from generation.core.attacks.steps import steps_of
from generation.core.selection.texts import normalise

_TOPICS = 50
_WORDS_A_TOPIC = 5
_SENTENCES = (". ", "。", "\n")


def coherence_scores(corpus: Sequence[OptionSet], *, seed: int) -> list[list[float]]:
    """Return the mean likeness, -1 to 1, of neighbouring steps of each option of each set.

    Steps are sentences where an option has one step alone. Topics (50 at most, one for five words) are those of
    all steps of the corpus. An option of one sentence scores 0.
    """
    parts = [[_parts(option) for option in question.options] for question in corpus]
    steps = [step for question in parts for option in question for step in option]
    with threadpool_limits(limits=1):
        vectors = _topics(steps, seed)
    found, place = [], 0
    for question in parts:
        row = []
        for option in question:
            own = vectors[place : place + len(option)]
            place += len(option)
            likeness = (own[:-1] * own[1:]).sum(axis=1)
            # Rounded, so that equal options tie.
            row.append(round(float(likeness.mean()), 9) if len(likeness) else 0.0)
        found.append(row)
    return found


def _parts(option: str) -> list[str]:
    steps = steps_of(option)
    if len(steps) > 1:
        return steps
    text = option
    for mark in _SENTENCES:
        text = text.replace(mark, "\n")
    return [normal for line in text.split("\n") if (normal := normalise(line))]


def _topics(steps: Sequence[str], seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return one vector of length 1 a step, or of zeros where nothing of it is known."""
    try:
        words = TfidfVectorizer(analyzer=str.split, sublinear_tf=True).fit_transform(steps)
    except ValueError:  # no word at all
        return np.zeros((len(steps), 1))
    # As many topics as words would tell no more than the words.
    count = min(_TOPICS, max(2, words.shape[1] // _WORDS_A_TOPIC), min(words.shape) - 1)
    dense = (
        TruncatedSVD(count, random_state=seed).fit_transform(words)
        if count >= 1
        else words.toarray()
    )
    norms = np.linalg.norm(dense, axis=1, keepdims=True)
    vectors: np.ndarray[tuple[int, int], np.dtype[np.float64]] = dense / np.where(norms, norms, 1)
    return vectors
