"""A question as an attack sees it, and which questions a trained attack must keep together."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Attack = Callable[[Sequence[str]], tuple[float, ...]]
"""Scores of one set's options, in their order; the attack takes the highest."""

FOLDS = 5
"""Parts that a trained attack is trained and measured on in turn."""


@dataclass(frozen=True, slots=True)
class OptionSet:
    """One question's options in the order presented, and the place of the right one.

    ``also_right`` are the places of further right ones; ``cluster`` is the task behind the
    question and ``community`` its repository or topic, both empty where unknown.
    """

    options: tuple[str, ...]
    gold: int
    also_right: frozenset[int] = frozenset()
    cluster: str = ""
    community: str = ""

    @property
    def right(self) -> frozenset[int]:
        """The places of all right options."""
        return self.also_right | {self.gold}

    @property
    def chance(self) -> float:
        """How often a guess is right."""
        return len(self.right) / len(self.options)


def blocks_of(corpus: Sequence[OptionSet]) -> list[int]:
    """Return a number for each set, the same for sets that hold the same options.

    Such questions were made together, each option right in turn. A learned attack must have them
    in one fold: with some of a block's answers it can tell the others by elimination.
    """
    numbers: dict[frozenset[str], int] = {}
    return [numbers.setdefault(frozenset(question.options), len(numbers)) for question in corpus]


def clusters_of(corpus: Sequence[OptionSet]) -> list[int]:
    """Return a number for each set, the same for sets of one cluster; unknown ones stand alone."""
    return _numbered([question.cluster or f"\0{n}" for n, question in enumerate(corpus)])


def groups_of(corpus: Sequence[OptionSet], *, by_community: bool) -> list[int]:
    """Return a number for each set; what shares one must lie in one fold of a trained attack.

    Sets made together go by their block alone, since blocks chain the tasks of a community into
    one. Others go by community where there are ``FOLDS`` of them and it is asked for, else by
    cluster.
    """
    blocks = blocks_of(corpus)
    sizes = Counter(blocks)
    communities = {question.community for question in corpus}
    use_community = by_community and "" not in communities and len(communities) >= FOLDS
    clusters = clusters_of(corpus)
    names = []
    for question, block, cluster in zip(corpus, blocks, clusters, strict=True):
        if sizes[block] > 1:
            names.append(f"block {block}")
        else:
            names.append(f"community {question.community}" if use_community else f"task {cluster}")
    return _numbered(names)


def _numbered(names: Sequence[str]) -> list[int]:
    numbers: dict[str, int] = {}
    return [numbers.setdefault(name, len(numbers)) for name in names]
