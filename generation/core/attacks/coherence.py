"""How well the steps of an option follow from one another, by latent semantic analysis.

A borrowed step breaks the topic of a plan even where it shares no word with its neighbours.
"""

from collections.abc import Sequence

from generation.core.attacks.option_set import OptionSet
from generation.core.attacks.steps import steps_of
from generation.core.selection.texts import normalise
from generation.core.selection.topics import TopicSpace, neighbour_likeness

_SENTENCES = (". ", "。", "\n")


def coherence_scores(corpus: Sequence[OptionSet], *, seed: int) -> list[list[float]]:
    """Return the mean likeness, -1 to 1, of neighbouring steps of each option of each set.

    Steps are sentences where an option has one step alone; topics are those of all steps of the
    corpus. An option of one sentence scores 0.
    """
    parts = [[_parts(option) for option in question.options] for question in corpus]
    steps = [step for question in parts for option in question for step in option]
    vectors = TopicSpace(steps, seed=seed).vectors(steps)
    found, place = [], 0
    for question in parts:
        row = []
        for option in question:
            row.append(neighbour_likeness(vectors[place : place + len(option)]))
            place += len(option)
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
