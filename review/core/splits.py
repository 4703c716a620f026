"""Picks which approved items become worked examples, and orders the options of a release."""

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


def drawn(seed: str, name: str) -> str:
    """Return a digest to sort by: an order that is random but repeats for the same seed."""
    return hashlib.sha256(f"{seed}\n{name}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class SplitItem:
    """What the split looks at: the item's id, subtask, scenario, cluster and option texts.

    ``texts`` is empty for completions: that two commands are the same gives nothing away.
    """

    item_id: str
    subtask: str
    scenario: str
    cluster: str
    texts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Split:
    """Worked examples by subtask, test items, and those held out with the reason."""

    shots: Mapping[str, tuple[str, ...]]
    test: tuple[str, ...]
    held_out: Mapping[str, str]
    short_of_shots: Mapping[str, int]


def split_items(items: Sequence[SplitItem], *, shots: Mapping[str, int], seed: str) -> Split:
    """Reserve clusters for worked examples and return who goes where.

    ``shots`` is the number wanted by subtask. The examples of a subtask come from separate
    clusters; a reserved cluster gives no test item to any subtask of its scenario, and a test
    item that shares an option's text with an example of its subtask is held out. Clusters are reserved only while at least one test item would be left.
    ``short_of_shots`` holds by subtask how many examples are missing.
    """
    reserved = _reserve(items, shots, seed)
    chosen: dict[str, tuple[str, ...]] = {}
    shot_texts: dict[str, set[str]] = defaultdict(set)
    for subtask in sorted({item.subtask for item in items}):
        examples = _one_of_each_cluster(items, subtask, reserved, seed)[: shots[subtask]]
        chosen[subtask] = tuple(item.item_id for item in examples)
        shot_texts[subtask].update(text for item in examples for text in item.texts)
    taken = {item_id for ids in chosen.values() for item_id in ids}
    test: list[str] = []
    held_out: dict[str, str] = {}
    for item in items:
        if item.item_id in taken:
            continue
        if (item.scenario, item.cluster) in reserved:
            held_out[item.item_id] = "its source is reserved for worked examples"
        elif item.texts & shot_texts[item.subtask]:
            held_out[item.item_id] = "a worked example shares an option with it"
        else:
            test.append(item.item_id)
    short = {s: shots[s] - len(ids) for s, ids in chosen.items() if len(ids) < shots[s]}
    return Split(chosen, tuple(sorted(test)), held_out, short)


def _reserve(
    items: Sequence[SplitItem], shots: Mapping[str, int], seed: str
) -> frozenset[tuple[str, str]]:
    """Return (scenario, cluster) pairs: small clusters first, equal sizes in drawn order."""
    sizes: Counter[tuple[str, str]] = Counter((i.scenario, i.cluster) for i in items)
    subtasks: dict[tuple[str, str], set[str]] = defaultdict(set)
    clusters_left: dict[str, set[str]] = defaultdict(set)
    for item in items:
        subtasks[item.scenario, item.cluster].add(item.subtask)
        clusters_left[item.subtask].add(item.cluster)
    missing = dict(shots)
    reserved: set[tuple[str, str]] = set()
    for pair in sorted(sizes, key=lambda p: (sizes[p], drawn(seed, "\n".join(p)))):
        helps = any(missing[subtask] > 0 for subtask in subtasks[pair])
        leaves_tests = all(len(clusters_left[subtask]) > 1 for subtask in subtasks[pair])
        if helps and leaves_tests:
            reserved.add(pair)
            for subtask in subtasks[pair]:
                missing[subtask] -= 1
                clusters_left[subtask].discard(pair[1])
    return frozenset(reserved)


def _one_of_each_cluster(
    items: Iterable[SplitItem], subtask: str, reserved: frozenset[tuple[str, str]], seed: str
) -> list[SplitItem]:
    found: dict[str, SplitItem] = {}
    mine = (i for i in items if i.subtask == subtask and (i.scenario, i.cluster) in reserved)
    for item in sorted(mine, key=lambda i: drawn(seed, i.item_id)):
        found.setdefault(item.cluster, item)
    return list(found.values())


def balanced_orders(
    counts: Mapping[str, tuple[int, tuple[int, ...]]], *, seed: str
) -> dict[str, tuple[int, ...]]:
    """Return an order of options by item id, gold spread evenly over the places.

    ``counts`` holds by item id the number of options and gold's given-order positions. Where
    one option is right, the items of each option count deal gold's place out of a shuffled deck
    in which every place occurs equally often (give or take one); where several are right, the
    whole order is drawn. The order of an item depends on the seed and the set of items.
    """
    orders: dict[str, tuple[int, ...]] = {}
    by_count: dict[int, list[str]] = defaultdict(list)
    for item_id, (count, _gold) in counts.items():
        by_count[count].append(item_id)
    for count, ids in by_count.items():
        ids.sort(key=lambda item_id: drawn(seed, item_id))
        deck = random.Random(drawn(seed, f"places of {count}"))  # noqa: S311  must repeat
        places = deck.sample(range(count), count)
        for index, item_id in enumerate(ids):
            gold = counts[item_id][1]
            order = list(range(count))
            random.Random(drawn(seed, f"order of {item_id}")).shuffle(order)  # noqa: S311
            if len(gold) == 1:
                order.remove(gold[0])
                order.insert(places[index % count], gold[0])
            orders[item_id] = tuple(order)
    return orders
