"""Attacks on option sets: guesses that never read the question, to measure what gives gold away.

An attack maps a set's options to scores and takes the highest; ties are shared evenly, so that an
attack that sees no difference scores exactly chance. The names are those of the set audits.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log, sqrt
from types import MappingProxyType
from typing import TypeVar

from generation.core.selection.cues import (
    centrality,
    coherence,
    length,
    marks,
    rarity,
    reversed_cue,
    top_share,
)
from generation.core.selection.texts import normalise, overlap, tokens

Attack = Callable[[Sequence[str]], tuple[float, ...]]
"""Scores of one set's options, in their order; the attack takes the highest."""

_STEP_MARK = re.compile(r"^[\s*-]*(?:step\s*)?\d*\s*[.:)]?\s*", re.IGNORECASE)
_STEM = 5

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class OptionSet:
    """One question as an attack sees it: options in the order presented, and gold's place."""

    options: tuple[str, ...]
    gold: int


@dataclass(frozen=True, slots=True)
class AttackResult:
    """How an attack did: ``accuracy`` in [0, 1] over ``n`` sets, and what chance gives.

    ``low`` and ``high`` bound the accuracies that guessing gives in 95 of 100 cases.
    """

    name: str
    n: int
    accuracy: float
    chance: float
    low: float
    high: float

    @property
    def within_chance(self) -> bool:
        """Whether the accuracy is one that guessing gives."""
        return self.low <= self.accuracy <= self.high


def steps_of(option: str) -> list[str]:
    """Return the steps of a plan, normalised: its lines, or its parts between semicolons."""
    parts = option.split("\n") if "\n" in option.strip() else option.split(";")
    steps = (normalise(_STEP_MARK.sub("", part)) for part in parts)
    return [step for step in steps if step]


def step_consensus(options: Sequence[str]) -> tuple[float, ...]:
    """Return each option's summed LCS similarity of steps to the others, order included."""
    plans = [steps_of(option) for option in options]
    return _summed(plans, _step_similarity)


def spanning_tree_centre(options: Sequence[str]) -> tuple[float, ...]:
    """Return each option's number of neighbours in the tree that joins the most similar ones.

    Options without a step in common are not joined.
    """
    plans = [steps_of(option) for option in options]
    degree = [0.0] * len(plans)
    nearest = {
        index: (_step_similarity(plans[0], plans[index]), 0) for index in range(1, len(plans))
    }
    while nearest:
        new = max(nearest, key=lambda index: (nearest[index][0], -index))
        similarity_to_parent, parent = nearest.pop(new)
        # What has nothing in common is no neighbour; else the first option would join them all.
        if similarity_to_parent > 0:
            degree[new] += 1
            degree[parent] += 1
        for index, (similarity, _) in nearest.items():
            closer = _step_similarity(plans[new], plans[index])
            if closer > similarity:
                nearest[index] = (closer, new)
    return tuple(degree)


def steps_in_half(options: Sequence[str]) -> tuple[float, ...]:
    """Return the share of each option's steps that half of the options or more have."""
    plans = [set(steps_of(option)) for option in options]
    counts = Counter(step for plan in plans for step in plan)
    half = ceil(len(plans) / 2)
    return tuple(sum(counts[step] >= half for step in plan) / max(1, len(plan)) for plan in plans)


def step_majority(options: Sequence[str]) -> tuple[float, ...]:
    """Return how many options, on average, have each step of an option."""
    plans = [set(steps_of(option)) for option in options]
    counts = Counter(step for plan in plans for step in plan)
    return tuple(sum(counts[step] for step in plan) / max(1, len(plan)) for plan in plans)


def stem_overlap(options: Sequence[str]) -> tuple[float, ...]:
    """Return each option's summed overlap of word stems (five letters) with the others."""
    stems = [frozenset(word[:_STEM] for word in tokens(option)) for option in options]
    return _summed(stems, overlap)


def format_outlier(options: Sequence[str]) -> tuple[float, ...]:
    """Return in how many traits of form each option differs from most of the others."""
    traits = [_form(option) for option in options]
    usual = [Counter(column).most_common(1)[0][0] for column in zip(*traits, strict=True)]
    return tuple(
        float(sum(mine != most for mine, most in zip(row, usual, strict=True))) for row in traits
    )


def tfidf_centroid(corpus: Sequence[OptionSet]) -> Attack:
    """Return the attack that takes the option nearest to the set's mean in TF-IDF space.

    Document frequencies are those of all options of ``corpus``.
    """
    documents = [set(tokens(option)) for question in corpus for option in question.options]
    frequency = Counter(word for document in documents for word in document)

    def weights(text: str) -> dict[str, float]:
        counts = Counter(tokens(text))
        raw = {
            word: count * log((1 + len(documents)) / (1 + frequency[word]))
            for word, count in counts.items()
        }
        norm = sqrt(sum(value * value for value in raw.values())) or 1.0
        return {word: value / norm for word, value in raw.items()}

    def scores(options: Sequence[str]) -> tuple[float, ...]:
        vectors = [weights(option) for option in options]
        total: Counter[str] = Counter()
        for vector in vectors:
            for word, value in vector.items():
                total[word] += value  # type: ignore[assignment]  # a Counter of floats
        return tuple(
            sum(value * (total[word] - value) for word, value in vector.items())
            for vector in vectors
        )

    return scores


def tool_frequency(corpus: Sequence[OptionSet]) -> Attack:
    """Return the attack that takes the option whose tool is right most often in ``corpus``."""
    seen: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for question in corpus:
        seen.update(tool_of(option) for option in question.options)
        right[tool_of(question.options[question.gold])] += 1

    def scores(options: Sequence[str]) -> tuple[float, ...]:
        return tuple(
            right[tool] / max(1, seen[tool]) for tool in (tool_of(option) for option in options)
        )

    return scores


def tool_of(option: str) -> str:
    """Return the tool that an option calls, or ``""`` where it is no plan with a call."""
    try:
        value = json.loads(option)
    except ValueError:
        return ""
    execution = value.get("execution") if isinstance(value, dict) else None
    return str(execution.get("name", "")) if isinstance(execution, dict) else ""


def position(corpus: Sequence[OptionSet]) -> Attack:
    """Return the attack that takes the place where gold stands most often in ``corpus``."""
    places = Counter(question.gold for question in corpus)

    def scores(options: Sequence[str]) -> tuple[float, ...]:
        return tuple(float(places[index]) for index in range(len(options)))

    return scores


_PLAIN: Mapping[str, Attack] = MappingProxyType(
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
        "coherence": coherence,
        "stem_overlap": stem_overlap,
        "format_outlier": format_outlier,
    }
)


def attacks_on(corpus: Sequence[OptionSet]) -> Mapping[str, Attack]:
    """Return all attacks by name; those that need to know the whole set learn it from ``corpus``.

    ``tool_frequency`` and ``position`` see the right answers they are then measured on: they are
    upper bounds, and to be judged on sets that are large against their few values.
    """
    nearest = tfidf_centroid(corpus)
    learned = {
        "tfidf_centroid": nearest,
        "tfidf_outlier": reversed_cue(nearest),
        "tool_frequency": tool_frequency(corpus),
        "position": position(corpus),
    }
    return MappingProxyType({**_PLAIN, **learned})


def blocks_of(corpus: Sequence[OptionSet]) -> list[int]:
    """Return a number for each set, the same for sets that hold the same options.

    Such questions were made together, each option right in turn. A learned attack must have them
    in one fold: with some of a block's answers it can tell the others by elimination.
    """
    numbers: dict[frozenset[str], int] = {}
    return [numbers.setdefault(frozenset(question.options), len(numbers)) for question in corpus]


def measure(name: str, attack: Attack, corpus: Sequence[OptionSet]) -> AttackResult:
    """Return how ``attack`` does on ``corpus``; see ``AttackResult``.

    Chance is the mean of 1/K over the sets; its interval is the normal one,
    mean ± 1.96 · sqrt(Σ p(1−p)) / n.

    Raises:
        ValueError: the corpus is empty.
    """
    if not corpus:
        msg = "there is no option set to attack"
        raise ValueError(msg)
    hits = sum(top_share(attack(question.options))[question.gold] for question in corpus)
    chances = [1 / len(question.options) for question in corpus]
    chance = sum(chances) / len(corpus)
    half = 1.96 * sqrt(sum(p * (1 - p) for p in chances)) / len(corpus)
    return AttackResult(
        name=name,
        n=len(corpus),
        accuracy=hits / len(corpus),
        chance=chance,
        low=chance - half,
        high=chance + half,
    )


def measure_all(corpus: Sequence[OptionSet]) -> list[AttackResult]:
    """Return the results of all attacks on ``corpus``, in the order of ``attacks_on``."""
    return [measure(name, attack, corpus) for name, attack in attacks_on(corpus).items()]


def _summed(items: Sequence[_T], similarity: Callable[[_T, _T], float]) -> tuple[float, ...]:
    return tuple(
        sum(similarity(mine, other) for index, other in enumerate(items) if index != own)
        for own, mine in enumerate(items)
    )


def _step_similarity(left: Sequence[str], right: Sequence[str]) -> float:
    longest = max(len(left), len(right))
    return _common_length(left, right) / longest if longest else 0.0


def _common_length(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the length of the longest common subsequence."""
    row = [0] * (len(right) + 1)
    for mine in left:
        above_left = 0
        for index, other in enumerate(right, start=1):
            above = row[index]
            row[index] = above_left + 1 if mine == other else max(above, row[index - 1])
            above_left = above
    return row[-1]


def _form(option: str) -> tuple[bool | str, ...]:
    return (
        "\n" in option,
        "`" in option,
        "://" in option,
        any(character.isdigit() for character in option),
        option.rstrip()[-1:] in ".!?:",
        tool_of(option),
    )
