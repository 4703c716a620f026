"""Operator ``real_step_block``: the options of a question are real steps of this and other runs.

No wording is made up, so none can be told from real wording; which sets are made, and why a
guesser who sees only the options gains nothing, stands in ``generation.core.selection.blocks``.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from generation.core.selection.blocks import Block, Shape, make_blocks, seeded_order
from generation.core.selection.conflicts import reason
from generation.core.selection.nodes import Node, nodes_of
from generation.core.subtask import OptionDraft, PoolEntry, Rejection

OPERATOR = "real_step_block"
LATER_STEP = "later_step"

_THOUGHT_SHAPES: tuple[Shape, ...] = ((2, 1, 1), (2, 2))
_CALL_SHAPES: tuple[Shape, ...] = ((2, 2, 1, 1), (2, 1, 1, 1, 1), (2, 2, 2))


def thought_options(
    entries: Sequence[PoolEntry], seed: int
) -> Mapping[str, tuple[OptionDraft, ...] | Rejection]:
    """Return four thoughts for each entry, gold first, or why there are none.

    The same entries, in any order, and seed give the same options.
    """
    return real_step_options(entries, seed, shapes=_THOUGHT_SHAPES)


def call_options(
    entries: Sequence[PoolEntry], seed: int
) -> Mapping[str, tuple[OptionDraft, ...] | Rejection]:
    """Return six plans with tool calls for each entry, gold first, or why there are none.

    The same entries, in any order, and seed give the same options.
    """
    return real_step_options(entries, seed, shapes=_CALL_SHAPES)


def real_step_options(
    entries: Sequence[PoolEntry], seed: int, *, shapes: Sequence[Shape]
) -> Mapping[str, tuple[OptionDraft, ...] | Rejection]:
    """Return for each entry's key the options of a set of one of the shapes, or a rejection.

    Every community makes its own sets, so that one does not change another's; those with fewer
    tasks than the smallest shape needs share theirs.

    Raises:
        ValueError: two entries have the same key, or the shapes differ in size.
    """
    if len({sum(shape) for shape in shapes}) != 1:
        msg = f"shapes of different size: {shapes}"
        raise ValueError(msg)
    if len({entry.key for entry in entries}) != len(entries):
        msg = "two entries of the pool have the same key"
        raise ValueError(msg)
    found: dict[str, tuple[OptionDraft, ...] | Rejection] = {}
    nodes = []
    for node, first in _with_first_alike(nodes_of(entries)):
        if first is None:
            nodes.append(node)
        else:
            found[node.key] = Rejection(node.cut, f"the same question as {first.key}")
    smallest = min(len(shape) for shape in shapes)
    for community, members in sorted(_communities(nodes, smallest).items()):
        blocks, left = make_blocks(members, shapes, seed)
        for block in blocks:
            found.update((root.key, _options(root, block, seed)) for root in block.roots)
        where = f"community {community!r}" if community else "the small communities together"
        for node in left:
            why = f"not enough steps of other tasks fit with this one in {where}"
            found[node.key] = Rejection(node.cut, why)
    return MappingProxyType({key: found[key] for key in sorted(found)})


def _with_first_alike(nodes: Sequence[Node]) -> list[tuple[Node, Node | None]]:
    """Return each node with the first one that asks the same: the same run, recorded twice."""
    firsts: dict[tuple[str, int, str], Node] = {}
    pairs: list[tuple[Node, Node | None]] = []
    for node in nodes:
        same = (node.entry.cluster, node.cut, node.normal)
        first = firsts.setdefault(same, node)
        pairs.append((node, None if first is node else first))
    return pairs


def _communities(nodes: Sequence[Node], smallest: int) -> dict[str, list[Node]]:
    clusters: dict[str, set[str]] = defaultdict(set)
    for node in nodes:
        clusters[node.entry.community].add(node.entry.cluster)
    members: dict[str, list[Node]] = defaultdict(list)
    for node in nodes:
        community = node.entry.community
        members[community if len(clusters[community]) >= smallest else ""].append(node)
    return members


def _options(root: Node, block: Block, seed: int) -> tuple[OptionDraft, ...]:
    gold = OptionDraft(
        text=root.text,
        operator="gold",
        reason=f"What the run did at step {root.cut}; the run was successful.",
        is_gold=True,
    )
    others = seeded_order((node for node in block.nodes if node is not root), seed)
    return (gold, *(_wrong(root, other) for other in others))


def _wrong(root: Node, other: Node) -> OptionDraft:
    operator = LATER_STEP if other.run is root.run else OPERATOR
    return OptionDraft(text=other.text, operator=operator, reason=reason(root, other))
