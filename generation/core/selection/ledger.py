"""Keeps account, set by set, of where each cue points, so that the next set evens it out.

In a set some options are right answers of its questions in turn, the others never are. A guesser
who sees only the set gains exactly where a cue picks the first kind more often than their share.
"""

from collections.abc import Mapping, Sequence

from generation.core.selection.cues import SOFT_CUES, Cue, reversed_cue, top_share


class Ledger:
    """How far each cue, taken either way, has picked never-right options more than their share."""

    def __init__(self, cues: Mapping[str, Cue] = SOFT_CUES) -> None:
        self._cues = [way for cue in cues.values() for way in (cue, reversed_cue(cue))]
        self._surplus = [0.0] * len(self._cues)

    def imbalance_with(self, options: Sequence[str], never_right: Sequence[bool]) -> float:
        """Return the sum of squared surpluses if this set were added; the smaller the better."""
        changes = self._changes(options, never_right)
        return sum((old + change) ** 2 for old, change in zip(self._surplus, changes, strict=True))

    def add(self, options: Sequence[str], never_right: Sequence[bool]) -> None:
        """Enter a set that was taken."""
        changes = self._changes(options, never_right)
        self._surplus = [old + change for old, change in zip(self._surplus, changes, strict=True)]

    def _changes(self, options: Sequence[str], never_right: Sequence[bool]) -> list[float]:
        share = sum(never_right) / len(options)
        return [
            sum(
                chance
                for chance, never in zip(top_share(cue(options)), never_right, strict=True)
                if never
            )
            - share
            for cue in self._cues
        ]
