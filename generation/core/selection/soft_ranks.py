"""Ranks of gold on the soft cues, drawn before options are chosen, and how near a choice comes.

Over a pool each rank is drawn equally often on each cue, so that a guesser who takes the longest
option, or the one with the rarest words, is right as often as by chance.
"""

from collections.abc import Mapping, Sequence
from random import Random

from generation.core.selection.cues import SOFT_CUES


def drawn_ranks(keys: Sequence[str], choices: int, random: Random) -> dict[str, dict[str, int]]:
    """Return for each key a rank, 0 for the largest, on each soft cue: ranks of a shuffled deck."""
    ranks = [place % choices for place in range(len(keys))]
    decks = {name: random.sample(ranks, len(ranks)) for name in SOFT_CUES}
    return {
        key: {name: deck[place] for name, deck in decks.items()} for place, key in enumerate(keys)
    }


def distance(options: Sequence[str], ranks: Mapping[str, int]) -> float:
    """Return how far the first option's ranks are from those drawn, summed over the soft cues."""
    found = 0.0
    for name, cue in SOFT_CUES.items():
        own, *others = cue(options)
        ties = sum(other == own for other in others)
        found += abs(sum(other > own for other in others) + ties / 2 - ranks[name])
    return found
