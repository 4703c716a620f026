"""Guesses from a plan's steps: which option is the common ancestor of the others."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from math import ceil
from typing import TypeVar

from generation.core.selection.texts import normalise

_BULLET = re.compile(r"^[\s*-]*(?:step\s*)?\d*\s*[.:)]?\s*", re.IGNORECASE)
_NUMBER = re.compile(r"(?:^|(?<=\s))\W{0,3}(?:step\s*)?(\d{1,2})\s*[.:)](?=\s)", re.IGNORECASE)

_T = TypeVar("_T")


def raw_steps(option: str) -> list[str]:
    """Return the steps of a plan as written, without their numbers.

    Steps are what stands between the numbers 1, 2, 3 ... where a plan has them, on lines of their
    own or not; else its lines, or its parts between semicolons.
    """
    marks: list[re.Match[str]] = []
    for match in _NUMBER.finditer(option):
        if int(match.group(1)) == len(marks) + 1:
            marks.append(match)
    if len(marks) > 1:
        ends = [*(mark.start() for mark in marks[1:]), len(option)]
        parts = [option[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
        parts.insert(0, option[: marks[0].start()])
    else:
        lines = option.split("\n") if "\n" in option.strip() else option.split(";")
        parts = [_BULLET.sub("", line) for line in lines]
    return [part.strip() for part in parts if normalise(part)]


def steps_of(option: str) -> list[str]:
    """Return the steps of a plan, normalised; see ``raw_steps``."""
    return [normalise(step) for step in raw_steps(option)]


def step_similarity(left: Sequence[str], right: Sequence[str]) -> float:
    """Return the longest common subsequence of two plans' steps over the longer plan, 0 to 1."""
    longest = max(len(left), len(right))
    return _common_length(left, right) / longest if longest else 0.0


def step_consensus(options: Sequence[str]) -> tuple[float, ...]:
    """Return each option's summed LCS similarity of steps to the others, order included."""
    return summed([steps_of(option) for option in options], step_similarity)


def spanning_tree_centre(options: Sequence[str]) -> tuple[float, ...]:
    """Return each option's number of neighbours in the tree that joins the most similar ones.

    Options without a step in common are not joined.
    """
    plans = [steps_of(option) for option in options]
    degree = [0.0] * len(plans)
    nearest = {
        index: (step_similarity(plans[0], plans[index]), 0) for index in range(1, len(plans))
    }
    while nearest:
        new = max(nearest, key=lambda index: (nearest[index][0], -index))
        similarity_to_parent, parent = nearest.pop(new)
        # What has nothing in common is no neighbour; else the first option would join them all.
        if similarity_to_parent > 0:
            degree[new] += 1
            degree[parent] += 1
        for index, (similarity, _) in nearest.items():
            closer = step_similarity(plans[new], plans[index])
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


def summed(items: Sequence[_T], similarity: Callable[[_T, _T], float]) -> tuple[float, ...]:
    """Return each item's summed similarity to the others."""
    return tuple(
        sum(similarity(mine, other) for index, other in enumerate(items) if index != own)
        for own, mine in enumerate(items)
    )


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
