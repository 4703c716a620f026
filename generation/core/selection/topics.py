"""What short texts are about, by latent semantic analysis of all of them."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_TOPICS = 50
_WORDS_A_TOPIC = 5


class TopicSpace:
    """Vectors of texts in the topics of a corpus: 50 at most, one for five words."""

    def __init__(self, texts: Sequence[str], *, seed: int) -> None:
        """Learn the topics of ``texts``, which are normalised."""
        self._place: dict[str, int] = {}
        self._weight: NDArray[np.float64] = np.zeros(0)
        self._topics: NDArray[np.float64] = np.zeros((0, 1))
        if not any(text.split() for text in texts):
            return
        # Here, since every process knows the operators and few make options: 80 MB.
        from sklearn.decomposition import TruncatedSVD
        from sklearn.feature_extraction.text import TfidfVectorizer
        from threadpoolctl import threadpool_limits

        words = TfidfVectorizer(analyzer=str.split, sublinear_tf=True)
        weights = words.fit_transform(texts)
        self._place, self._weight = words.vocabulary_, words.idf_
        # As many topics as words would tell no more than the words.
        count = min(_TOPICS, max(2, weights.shape[1] // _WORDS_A_TOPIC), min(weights.shape) - 1)
        if count < 1:
            self._topics = np.eye(weights.shape[1])
            return
        svd = TruncatedSVD(count, random_state=seed)
        # On sets of this size threads only wait for one another.
        with threadpool_limits(limits=1):
            svd.fit(weights)
        self._topics = svd.components_.T

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return one vector of length 1 a text, or of zeros where none of its words is known."""
        found = np.zeros((len(texts), self._topics.shape[1]))
        for row, text in zip(found, texts, strict=True):
            counts = Counter(self._place[word] for word in text.split() if word in self._place)
            if counts:
                places = np.fromiter(counts, dtype=np.intp)
                often = 1 + np.log(np.fromiter(counts.values(), dtype=np.float64))
                row += (often * self._weight[places]) @ self._topics[places]
                length = float(np.linalg.norm(row))
                row /= length or 1.0
        return found


def neighbour_likeness(vectors: NDArray[np.float64]) -> float:
    """Return the mean cosine of neighbouring texts, -1 to 1; 0 where there is one or none.

    Rounded, so that equal sequences are equal.
    """
    if len(vectors) < 2:
        return 0.0
    return round(float((vectors[:-1] * vectors[1:]).sum(axis=1).mean()), 9)
