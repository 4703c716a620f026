"""All attacks on option sets by name, and their results on a corpus."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType

from generation.core.attacks.coherence import coherence_scores
from generation.core.attacks.learned import learned_attack
from generation.core.attacks.measuring import (
    AttackResult,
    holm_adjusted,
    measure_hits,
    measure_scores,
)
from generation.core.attacks.option_set import Attack, OptionSet, groups_of
from generation.core.attacks.steps import (
    spanning_tree_centre,
    step_consensus,
    step_majority,
    steps_in_half,
)
from generation.core.attacks.surface import (
    format_outlier,
    stem_overlap,
    tfidf_centroid,
    tool_frequency,
)
from generation.core.attacks.text_classifier import text_classifier
from generation.core.selection.cues import (
    centrality,
    coherence,
    length,
    marks,
    rarity,
    reversed_cue,
)

MOST_TRAINED = 1_000
"""Sets that the trained attacks look at; of more, whole groups are drawn."""

LEARNED = "learned"
CLASSIFIER = "text_classifier"
CLASSIFIER_REVERSED = "text_classifier_reversed"
TRAINED = (CLASSIFIER, CLASSIFIER_REVERSED, LEARNED)

PLAIN: Mapping[str, Attack] = MappingProxyType(
    {
        "longest": length,
        "shortest": reversed_cue(length),
        "token_centroid": centrality,
        "token_outlier": reversed_cue(centrality),
        "most_marks": marks,
        "fewest_marks": reversed_cue(marks),
        "rarest_words": rarity,
        "step_consensus": step_consensus,
        "spanning_tree_centre": spanning_tree_centre,
        "steps_in_half": steps_in_half,
        "step_majority": step_majority,
        "words_kept_up": coherence,
        "stem_overlap": stem_overlap,
        "format_outlier": format_outlier,
    }
)
"""Attacks that look at one set alone."""


@dataclass(frozen=True, slots=True)
class Attacked:
    """The results of all attacks on a corpus, and why some could not be made, by name."""

    results: tuple[AttackResult, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)


def single_cues(corpus: Sequence[OptionSet], *, seed: int = 0) -> list[AttackResult]:
    """Return the results of the attacks that are not trained, not yet adjusted for their number.

    Raises:
        ValueError: the corpus is empty.
    """
    return [*_single_cues(corpus, seed)]


def _single_cues(corpus: Sequence[OptionSet], seed: int) -> Iterator[AttackResult]:
    for name, attack in PLAIN.items():
        yield measure_scores(name, [attack(question.options) for question in corpus], corpus)
    yield measure_scores("coherence", coherence_scores(corpus, seed=seed), corpus)
    attack = tfidf_centroid(corpus)
    nearest = [attack(question.options) for question in corpus]
    farthest = [[-score for score in row] for row in nearest]
    yield measure_scores("tfidf_centroid", nearest, corpus)
    yield measure_scores("tfidf_outlier", farthest, corpus)
    yield measure_scores("tool_frequency", tool_frequency(corpus), corpus)


def attack_all(
    corpus: Sequence[OptionSet],
    *,
    seed: int = 0,
    advance: Callable[[], None] = lambda: None,
) -> Attacked:
    """Return the results of all attacks on ``corpus``, Holm-adjusted for their number.

    The trained ones are left out, with the reason, where there are too few groups to train on
    some and measure on others. ``advance`` is called after each kind of attack.

    Raises:
        ValueError: the corpus is empty.
    """
    results = single_cues(corpus, seed=seed)
    advance()
    left_out: dict[str, str] = {}
    some = _some_of(corpus, seed)
    try:
        found = text_classifier(some, seed=seed)
    except ValueError as error:
        left_out |= {CLASSIFIER: str(error), CLASSIFIER_REVERSED: str(error)}
    else:
        results += [
            measure_hits(CLASSIFIER, found.hits, some, found.form),
            measure_hits(CLASSIFIER_REVERSED, found.reversed_hits, some, found.reversed_form),
        ]
    advance()
    try:
        results.append(measure_hits(LEARNED, learned_attack(some, seed=seed), some))
    except ValueError as error:
        left_out[LEARNED] = str(error)
    advance()
    return Attacked(tuple(holm_adjusted(results)), left_out)


def _some_of(corpus: Sequence[OptionSet], seed: int) -> Sequence[OptionSet]:
    """Return the corpus, or whole groups of it drawn by the seed, ``MOST_TRAINED`` sets at most."""
    if len(corpus) <= MOST_TRAINED:
        return corpus
    groups = groups_of(corpus, by_community=False)
    drawn: dict[int, list[int]] = {}
    for place, group in enumerate(groups):
        drawn.setdefault(group, []).append(place)
    order = sorted(drawn, key=lambda group: sha256(f"{seed} {group}".encode()).digest())
    places: list[int] = []
    for group in order:
        if len(places) + len(drawn[group]) <= MOST_TRAINED:
            places += drawn[group]
    return [corpus[place] for place in sorted(places)]
