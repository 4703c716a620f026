"""Makes sets of real steps in which every option that can be right is right equally often.

A set takes one step each of several runs (its *roots*) and, for some of them, a later step of the
same run. Each root in turn is the right answer of its own question, the whole set its options. So
whatever a guesser does who sees only the set, he is right at most once in as many questions as
the set has roots, and exactly by chance if he can't tell a later step from a root. This is so as
long as he has no other question of the same set with its answer: a set belongs in one split, and
a learned attack must have it in one fold (``generation.core.attacks.option_set``). An earlier
step of a run is never an option where it is done already: it stands in the shown history.
"""

import heapq
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from random import Random

from generation.core.selection.conflicts import foreign_names, why_not
from generation.core.selection.cues import SOFT_CUES, lateness
from generation.core.selection.ledger import Ledger
from generation.core.selection.nodes import Node
from generation.core.selection.texts import overlap

Shape = tuple[int, ...]
"""How many steps a set takes of each of its runs, e.g. (2, 1, 1): one later step, three roots."""

_NEIGHBOURS = 12
"""Runs looked at as partners of a root."""
_STEPS_OF_A_NEIGHBOUR = 6
_TRIALS = 16
"""Sets made of the same roots, of which the one that evens out the cues is kept."""


@dataclass(frozen=True, slots=True)
class Block:
    """A set: ``roots`` are right in turn, ``later`` never are."""

    roots: tuple[Node, ...]
    later: tuple[Node, ...]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All options of the set, the roots first."""
        return self.roots + self.later


def seeded_order(nodes: Iterable[Node], seed: int) -> list[Node]:
    """Return the nodes in an order that depends on the seed and on each node's key alone."""
    return sorted(nodes, key=lambda node: sha256(f"{seed}\x1f{node.key}".encode()).digest())


def make_blocks(
    nodes: Sequence[Node], shapes: Sequence[Shape], seed: int
) -> tuple[list[Block], list[Node]]:
    """Return the sets made of these nodes, and the nodes that no set could take as a root.

    Each node is a root once. The shapes are tried in their order, each on what the ones before
    left. Takes time in proportion to the number of nodes.
    """
    ordered = seeded_order(nodes, seed)
    maker = _Maker(ordered, Random(f"blocks {seed}"))  # noqa: S311 - a choice, not a secret
    blocks: list[Block] = []
    left = ordered
    for shape in shapes:
        made, left = maker.fill(left, shape)
        blocks += made
    return blocks, left


class _Maker:
    def __init__(self, ordered: Sequence[Node], random: Random) -> None:
        self._random = random
        timed = [(node.text, node.cut / node.run.length) for node in ordered]
        self._ledger = Ledger({**SOFT_CUES, "lateness": lateness(timed)})
        self._uses: Counter[str] = Counter()
        self._by_run: dict[str, list[Node]] = defaultdict(list)
        for node in ordered:
            self._by_run[node.run.identity].append(node)

    def fill(self, nodes: Sequence[Node], shape: Shape) -> tuple[list[Block], list[Node]]:
        """Make sets of one shape until no root finds partners."""
        waiting = _Waiting(nodes)
        blocks: list[Block] = []
        stuck: list[Node] = []
        while (anchor := waiting.take()) is not None:
            block = self._block(anchor, waiting, shape)
            if block is None:
                stuck.append(anchor)
                continue
            waiting.remove(block.roots[1:])
            self._enter(block)
            blocks.append(block)
        return blocks, stuck

    def _enter(self, block: Block) -> None:
        self._uses.update(node.key for node in block.later)
        self._ledger.add(*_as_options(block))

    def _block(self, anchor: Node, waiting: "_Waiting", shape: Shape) -> Block | None:
        candidates = sorted(
            (node for node in waiting.others(anchor.entry.cluster) if _fit(anchor, node)),
            key=lambda node: (-_affinity(anchor, node), node.key),
        )
        for first in range(min(len(candidates), _NEIGHBOURS) if len(shape) > 1 else 1):
            roots = _clique(anchor, candidates[first:], len(shape))
            block = None if roots is None else self._with_later(roots, shape)
            if block is not None:
                return block
        return None

    def _with_later(self, roots: tuple[Node, ...], shape: Shape) -> Block | None:
        wanted = sum(shape) - len(shape)
        if not wanted:
            return Block(roots, ())
        choices = [self._later_of(root, roots) for root in roots]
        best: tuple[float, Block] | None = None
        for sizes in _assignments(shape, len(roots), self._random):
            block = self._later_nodes(roots, choices, sizes)
            if block is None:
                continue
            cost = self._ledger.imbalance_with(*_as_options(block))
            cost += sum(self._uses[node.key] for node in block.later)
            if best is None or cost < best[0]:
                best = (cost, block)
        return None if best is None else best[1]

    def _later_of(self, root: Node, roots: Sequence[Node]) -> list[Node]:
        fitting = (
            node
            for node in self._by_run[root.run.identity]
            if node.cut > root.cut and all(why_not(other, node) is None for other in roots)
        )
        return sorted(islice(fitting, 4 * _TRIALS), key=lambda node: self._uses[node.key])

    def _later_nodes(
        self, roots: tuple[Node, ...], choices: Sequence[Sequence[Node]], sizes: Shape
    ) -> Block | None:
        later: list[Node] = []
        for choice, size in zip(choices, sizes, strict=True):
            pool = list(choice[:_TRIALS])
            self._random.shuffle(pool)
            for node in pool:
                if size > 1 and all(_unlike(node, other) for other in later):
                    later.append(node)
                    size -= 1
            if size > 1:
                return None
        return Block(roots, tuple(later))


def _assignments(shape: Shape, roots: int, random: Random) -> Iterator[Shape]:
    """Yield ``_TRIALS`` ways to give the shape's sizes to the roots, drawn at random."""
    for _ in range(_TRIALS):
        sizes = list(shape)
        random.shuffle(sizes)
        yield tuple(sizes[:roots])


def _as_options(block: Block) -> tuple[list[str], list[bool]]:
    never = [False] * len(block.roots) + [True] * len(block.later)
    return [node.text for node in block.nodes], never


def _fit(left: Node, right: Node) -> bool:
    return why_not(left, right) is None and why_not(right, left) is None


def _unlike(left: Node, right: Node) -> bool:
    return left.normal != right.normal and left.call != right.call


def _clique(anchor: Node, candidates: Sequence[Node], size: int) -> tuple[Node, ...] | None:
    """Return the anchor and the first candidates that fit it and one another; None if too few."""
    chosen = [anchor]
    for node in candidates:
        if len(chosen) == size:
            break
        if all(
            node.entry.cluster != other.entry.cluster and _fit(node, other) for other in chosen[1:]
        ):
            chosen.append(node)
    return tuple(chosen) if len(chosen) == size else None


def _affinity(left: Node, right: Node) -> float:
    """Return how plausible two steps are in each other's place: topic, time, nothing foreign."""
    strange = len(foreign_names(left, right)) + len(foreign_names(right, left))
    apart = abs(left.cut / left.run.length - right.cut / right.run.length)
    return 2 * overlap(left.words, right.words) - 0.3 * strange - 0.5 * apart


class _Waiting:
    """The nodes that are not roots yet, by cluster; hands out the fullest clusters first.

    Taking from the fullest cluster leaves as few nodes as possible without partners of others.
    """

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._clusters: dict[str, deque[Node]] = defaultdict(deque)
        for node in nodes:
            self._clusters[node.entry.cluster].append(node)
        self._rank = {cluster: rank for rank, cluster in enumerate(self._clusters)}
        self._heap = [self._entry(cluster) for cluster in self._clusters]
        heapq.heapify(self._heap)
        self._gone: set[str] = set()

    def _entry(self, cluster: str) -> tuple[int, int, str]:
        return (-len(self._clusters[cluster]), self._rank[cluster], cluster)

    def take(self) -> Node | None:
        """Return the next node of the fullest cluster and forget it; None when none is left."""
        while self._heap:
            cluster = self._fullest()
            if cluster is None:
                return None
            node = self._clusters[cluster].popleft()
            heapq.heapreplace(self._heap, self._entry(cluster))
            return node
        return None

    def _fullest(self) -> str | None:
        # Entries whose count is out of date are put right when they come up.
        while self._heap:
            count, _, cluster = self._heap[0]
            actual = len(self._clusters[cluster])
            if not actual:
                heapq.heappop(self._heap)
            elif -count != actual:
                heapq.heapreplace(self._heap, self._entry(cluster))
            else:
                return cluster
        return None

    def others(self, cluster: str) -> list[Node]:
        """Return some nodes of some of the fullest other clusters."""
        popped: list[tuple[int, int, str]] = []
        found: list[Node] = []
        while len(popped) < _NEIGHBOURS + 1 and (fullest := self._fullest()) is not None:
            popped.append(heapq.heappop(self._heap))
            if fullest != cluster:
                found += islice(self._clusters[fullest], _STEPS_OF_A_NEIGHBOUR)
        for entry in popped:
            heapq.heappush(self._heap, entry)
        return found

    def remove(self, nodes: Iterable[Node]) -> None:
        """Forget these nodes."""
        for node in nodes:
            self._clusters[node.entry.cluster].remove(node)
