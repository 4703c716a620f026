"""Steps of other plans that can stand in a plan: near its topic, the least used first."""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

import numpy as np

from generation.core.selection.texts import normalise
from generation.core.selection.topics import TopicSpace, neighbour_likeness

FEWEST_NEAR = 48
SHARE_NEAR = 0.125
"""Donors are drawn of that share of the steps of other tasks, those nearest to a plan's topic.

Of fewer, the same would come into several options of a set and so tell who is whose edit.
"""
_DRAWN = 16
_FITTING = 0.4
"""Share of the drawn steps that fit best between the steps on both sides."""


class Donors:
    """The steps of a community's plans, each with its cluster, what it is about and its uses."""

    def __init__(self, plans: Iterable[tuple[str, Sequence[str]]], *, seed: int) -> None:
        """Take each plan's cluster and steps."""
        pairs = {(cluster, step): None for cluster, plan in plans for step in plan}
        self._steps = [step for _, step in pairs]
        self._clusters = np.array([cluster for cluster, _ in pairs], dtype=object)
        normal = [normalise(step) for step in self._steps]
        self._space = TopicSpace(normal, seed=seed)
        self._vectors = self._space.vectors(normal)
        self._known = dict(zip(self._steps, self._vectors, strict=True))
        self._uses: Counter[str] = Counter()

    def near(self, cluster: str, plan: Sequence[str]) -> list[str]:
        """Return the steps of other clusters nearest to the topic of ``plan``, nearest first.

        ``SHARE_NEAR`` of all, ``FEWEST_NEAR`` at least; none that the plan itself has.
        """
        topic = self._of(plan).mean(axis=0)
        likeness = np.round(self._vectors @ topic, 9)
        own = {normalise(step) for step in plan}
        wanted = max(FEWEST_NEAR, round(SHARE_NEAR * len(self._steps)))
        found: dict[str, str] = {}
        for index in np.argsort(-likeness, kind="stable"):
            step = self._steps[index]
            normal = normalise(step)
            if self._clusters[index] != cluster and normal not in own:
                found.setdefault(normal, step)
            if len(found) >= wanted:
                break
        return list(found.values())

    def draw(
        self, near: Sequence[str], plan: Sequence[str], random: Random, *, place: float = 0.5
    ) -> str:
        """Return the least used of some of ``near`` that ``plan`` does not have.

        They are those that are most like the steps on both sides of ``place`` (0 is the plan's
        start, 1 its end). ``near`` must hold more steps than the plan has.
        """
        free = [step for step in near if step not in plan]
        drawn: list[str] = random.sample(free, k=min(_DRAWN, len(free)))
        at = round(place * (len(plan) - 1))
        beside = self._of(plan[max(0, at - 1) : at + 2]).mean(axis=0)
        likeness = np.round(self._of(drawn) @ beside, 9)
        order: list[int] = np.argsort(-likeness, kind="stable").tolist()
        fitting = [drawn[index] for index in order[: max(1, round(_FITTING * len(drawn)))]]
        return min(fitting, key=lambda step: (self._uses[step], step))

    def use(self, steps: Iterable[str]) -> None:
        """Note that these steps were put into the options of one question."""
        self._uses.update(steps)

    def coherence(self, plan: Sequence[str]) -> float:
        """Return how well the steps of a plan follow from one another, -1 to 1."""
        return neighbour_likeness(self._of(plan))

    def _of(self, plan: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        new = [step for step in dict.fromkeys(plan) if step not in self._known]
        if new:
            vectors = self._space.vectors([normalise(step) for step in new])
            self._known.update(zip(new, vectors, strict=True))
        return np.array([self._known[step] for step in plan])
