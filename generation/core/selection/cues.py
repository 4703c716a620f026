"""What can be seen of an option without the question: the cues that must not point at gold.

Each cue gives every option of a set a number; a guesser takes the largest. The same cues serve
the ledger that keeps them level while sets are made and the attacks that measure them after.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from generation.core.selection.texts import overlap, tokens

Cue = Callable[[Sequence[str]], tuple[float, ...]]
"""Scores of the options of one set, in their order."""

_PART = re.compile(r"[\n;.]")
_MIDDLE = 0.6
_PRIOR = 3
"""Weight, in texts, of the middle for a word's mean time."""


def length(options: Sequence[str]) -> tuple[float, ...]:
    """Return each option's characters."""
    return tuple(float(len(text)) for text in options)


def centrality(options: Sequence[str]) -> tuple[float, ...]:
    """Return each option's summed overlap of words with the others."""
    words = [frozenset(tokens(text)) for text in options]
    return tuple(
        sum(overlap(mine, other) for index, other in enumerate(words) if index != own)
        for own, mine in enumerate(words)
    )


def marks(options: Sequence[str]) -> tuple[float, ...]:
    """Return each option's share of characters that are neither letters nor blanks."""
    return tuple(
        sum(not (character.isalpha() or character.isspace()) for character in text)
        / max(1, len(text))
        for text in options
    )


def rarity(options: Sequence[str]) -> tuple[float, ...]:
    """Return the share of each option's words that no other option of the set has."""
    words = [frozenset(tokens(text)) for text in options]
    return tuple(
        len(mine.difference(*(other for index, other in enumerate(words) if index != own)))
        / max(1, len(mine))
        for own, mine in enumerate(words)
    )


def coherence(options: Sequence[str]) -> tuple[float, ...]:
    """Return how much neighbouring steps, or sentences, of each option share their words."""
    return tuple(_inner_overlap(option) for option in options)


def lateness(timed: Iterable[tuple[str, float]]) -> Cue:
    """Return the cue that tells how late in a run an option sounds.

    Args:
        timed: Texts, and when in their run each was said: 0 at its start, 1 at its end.

    An option scores the mean time of its words, each the mean over the texts that have it, drawn
    to the middle where few do.
    """
    sums: dict[str, float] = defaultdict(float)
    counts: Counter[str] = Counter()
    for text, time in timed:
        for word in set(tokens(text)):
            sums[word] += time
            counts[word] += 1
    times = {word: (sums[word] + _MIDDLE * _PRIOR) / (counts[word] + _PRIOR) for word in counts}

    def scores(options: Sequence[str]) -> tuple[float, ...]:
        return tuple(
            sum(times.get(word, _MIDDLE) for word in words) / max(1, len(words))
            for words in ([*dict.fromkeys(tokens(text))] for text in options)
        )

    return scores


SOFT_CUES: Mapping[str, Cue] = MappingProxyType(
    {
        "length": length,
        "centrality": centrality,
        "marks": marks,
        "rarity": rarity,
        "coherence": coherence,
    }
)


def top_share(scores: Sequence[float]) -> tuple[float, ...]:
    """Return the chance of each option to be taken as the largest; ties share it evenly.

    Raises:
        ValueError: there is no option.
    """
    best = max(scores)
    winners = sum(score == best for score in scores)
    return tuple(1 / winners if score == best else 0.0 for score in scores)


def reversed_cue(cue: Cue) -> Cue:
    """Return the cue of a guesser who takes the option that ``cue`` ranks last."""

    def scores(options: Sequence[str]) -> tuple[float, ...]:
        return tuple(-score for score in cue(options))

    return scores


def _inner_overlap(option: str) -> float:
    parts = [frozenset(tokens(part)) for part in _PART.split(option) if part.strip()]
    pairs = [overlap(left, right) for left, right in pairwise(parts)]
    return sum(pairs) / len(pairs) if pairs else 0.0
