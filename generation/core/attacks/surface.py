"""Guesses from words and form: stems in common, the odd one out, the tool most often right."""

import json
from collections import Counter
from collections.abc import Sequence
from math import log, sqrt

from generation.core.attacks.option_set import Attack, OptionSet, groups_of
from generation.core.attacks.steps import summed
from generation.core.selection.texts import overlap, tokens

_STEM = 5


def stem_overlap(options: Sequence[str]) -> tuple[float, ...]:
    """Return each option's summed overlap of word stems (five letters) with the others."""
    stems = [frozenset(word[:_STEM] for word in tokens(option)) for option in options]
    return summed(stems, overlap)


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
        total: dict[str, float] = {}
        for vector in vectors:
            for word, value in vector.items():
                total[word] = total.get(word, 0.0) + value
        return tuple(
            sum(value * (total[word] - value) for word, value in vector.items())
            for vector in vectors
        )

    return scores


def tool_frequency(corpus: Sequence[OptionSet]) -> list[tuple[float, ...]]:
    """Return, for each set, how often each option's tool is right in the rest of ``corpus``.

    The set itself and those of its group (``groups_of``) are not looked at.
    """
    groups = groups_of(corpus, by_community=False)
    tools = [[tool_of(option) for option in question.options] for question in corpus]
    seen: Counter[str] = Counter()
    right: Counter[str] = Counter()
    of_group: dict[int, tuple[Counter[str], Counter[str]]] = {}
    for question, names, group in zip(corpus, tools, groups, strict=True):
        golds = [names[place] for place in question.right]
        own_seen, own_right = of_group.setdefault(group, (Counter(), Counter()))
        for count, more in ((seen, names), (own_seen, names), (right, golds), (own_right, golds)):
            count.update(more)
    found = []
    for names, group in zip(tools, groups, strict=True):
        own_seen, own_right = of_group[group]
        found.append(
            tuple(
                (right[name] - own_right[name]) / max(1, seen[name] - own_seen[name])
                for name in names
            )
        )
    return found


def tool_of(option: str) -> str:
    """Return the tool that an option calls, or ``""`` where it is no plan with a call."""
    try:
        value = json.loads(option)
    except (ValueError, RecursionError):
        return ""
    execution = value.get("execution") if isinstance(value, dict) else None
    return str(execution.get("name", "")) if isinstance(execution, dict) else ""


def _form(option: str) -> tuple[bool | str, ...]:
    return (
        "\n" in option,
        "`" in option,
        "://" in option,
        any(character.isdigit() for character in option),
        option.rstrip()[-1:] in ".!?:",
        tool_of(option),
    )
