"""Guesses at completions that never read the question: constants and rules on the last step."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generation.core.attacks.measuring import design_effect, wilson_interval

_TAKES_A_VALUE = frozenset(
    {"-b", "--branch", "--depth", "-j", "--jobs", "-o", "--origin", "-c", "--config", "--filter"}
)


@dataclass(frozen=True, slots=True)
class Completion:
    """A question to be completed as an attack sees it: accepted texts and the last shown action."""

    gold: tuple[str, ...]
    last_shown: str = ""
    cluster: str = ""


@dataclass(frozen=True, slots=True)
class CompletionResult:
    """How a rule did on ``n`` questions; shares in [0, 1] with a 95 % interval.

    ``detail`` is the constant, or says what the rule does.
    """

    name: str
    n: int
    accuracy: float
    accuracy_low: float
    accuracy_high: float
    detail: str


def guess_completions(corpus: Sequence[Completion]) -> list[CompletionResult]:
    """Return how the most frequent gold, repeating the last action and simple rules do.

    Texts are equal where they are but for blanks. The most frequent gold is that of the whole
    corpus (what a constant can reach at best); the rule that goes by the program of the last
    action does not look at questions of the asked one's cluster.

    Raises:
        ValueError: the corpus is empty.
    """
    if not corpus:
        msg = "there is no completion to guess"
        raise ValueError(msg)
    golds = Counter(text for question in corpus for text in {_folded(g) for g in question.gold})
    constant = min(golds, key=lambda text: (-golds[text], text))
    guesses: Mapping[str, tuple[Sequence[str], str]] = {
        "most_frequent_gold": ([constant] * len(corpus), constant),
        "repeat_last": ([question.last_shown for question in corpus], "the last shown action"),
        "after_last_program": (
            _after_last_program(corpus),
            "what most often follows an action of the last one's program in other clusters",
        ),
        "enter_clone": (
            [entered(question.last_shown) for question in corpus],
            "cd into what the last action cloned",
        ),
    }
    return [_result(name, made, why, corpus) for name, (made, why) in guesses.items()]


def entered(command: str) -> str:
    """Return ``cd`` into the folder that a ``git clone`` makes; empty for another command."""
    words = command.split()
    if words[:2] != ["git", "clone"]:
        return ""
    flags = {place for place, word in enumerate(words) if word.startswith("-")}
    values = {place + 1 for place in flags if words[place] in _TAKES_A_VALUE}
    plain = [word for place, word in enumerate(words) if place not in flags | values][2:]
    if not plain:
        return ""
    name = plain[0].rstrip("/").removesuffix(".git")
    return f"cd {plain[1] if len(plain) > 1 else re.split('[/:]', name)[-1]}"


def _after_last_program(corpus: Sequence[Completion]) -> list[str]:
    after: dict[str, Counter[str]] = defaultdict(Counter)
    own: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for question in corpus:
        program = _program(question.last_shown)
        golds = [_folded(text) for text in question.gold]
        after[program].update(golds)
        own[question.cluster, program].update(golds)
    guesses = []
    for question in corpus:
        program = _program(question.last_shown)
        others = after[program] - own[question.cluster, program]
        guesses.append(min(others, key=lambda text: (-others[text], text), default=""))
    return guesses


def _result(
    name: str, guesses: Sequence[str], detail: str, corpus: Sequence[Completion]
) -> CompletionResult:
    hits = [
        float(bool(guess) and _folded(guess) in {_folded(text) for text in question.gold})
        for guess, question in zip(guesses, corpus, strict=True)
    ]
    accuracy = sum(hits) / len(hits)
    clusters: dict[str, int] = {}
    numbers = [
        clusters.setdefault(question.cluster or f"\0{n}", len(clusters))
        for n, question in enumerate(corpus)
    ]
    low, high = wilson_interval(accuracy, len(hits) / design_effect(hits, numbers))
    return CompletionResult(name, len(hits), accuracy, low, high, detail)


def _program(command: str) -> str:
    return next(iter(command.split()), "")


def _folded(text: str) -> str:
    return " ".join(text.split())
