"""Plans a release: what would enter, what not and why, and what forbids freezing."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from generation.core.labels import index_of
from generation.core.registry import SUBTASKS
from generation.models.candidate import RevisionQuerySet
from review.core.render import Content, content_id
from review.core.splits import Split, SplitItem, balanced_orders, split_items
from review.services.release_contents import (
    REDISTRIBUTABLE,
    Entry,
    Standing,
    approved_revisions,
    entries,
    imported_revisions,
    objections,
    unscorable,
)
from review.services.release_gate import Judged, judge_release, refusals

Advance = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class FreezeOrder:
    """What is to be frozen and how.

    ``despite_audit`` is why it is frozen although the audit's gate fails; empty: then it is not.
    """

    name: str
    version: str
    at: datetime
    subtasks: tuple[str, ...] = ()
    shots: int = 3
    as_imported: bool = False
    allowed_licences: tuple[str, ...] = ()
    despite_audit: str = ""


@dataclass(slots=True)
class Plan:
    """What would enter a release, what not and why, and what forbids freezing.

    ``revisions`` and ``orders`` are by item id: the revision's key and the released order of its
    options; ``split`` says which item is for what; ``judged`` is what the audit's gate says.
    """

    order: FreezeOrder
    split: Split = field(default_factory=lambda: Split({}, (), {}, {}))
    revisions: dict[str, int] = field(default_factory=dict)
    orders: dict[str, tuple[int, ...]] = field(default_factory=dict)
    subtask_of: dict[str, str] = field(default_factory=dict)
    clusters: dict[str, str] = field(default_factory=dict)
    licence_of: dict[str, str] = field(default_factory=dict)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)

    def candidates(self) -> RevisionQuerySet:
        """Return the revisions that the release is chosen from."""
        choose = imported_revisions if self.order.as_imported else approved_revisions
        return choose(self.order.subtasks)

    @property
    def test_by_subtask(self) -> dict[str, list[str]]:
        """Sorted item ids of the test split by subtask."""
        found: dict[str, list[str]] = defaultdict(list)
        for item_id in sorted(self.split.test):
            found[self.subtask_of[item_id]].append(item_id)
        return dict(sorted(found.items()))


def plan_release(order: FreezeOrder, *, advance: Advance = lambda _subtask: None) -> Plan:
    """Return what ``freeze`` would do, reasons against it included; nothing is written.

    The test items of a reviewed release are audited, which takes some 0.02 s an item; ``advance``
    is told the subtask after each kind of attack.
    """
    if order.as_imported:
        return _plan_imported(order)
    plan = _plan_reviewed(order)
    plan.judged = judge_release(
        tests={
            subtask: [plan.revisions[item_id] for item_id in ids]
            for subtask, ids in plan.test_by_subtask.items()
        },
        orders={plan.revisions[item_id]: order for item_id, order in plan.orders.items()},
        advance=advance,
    )
    if not order.despite_audit:
        plan.reasons += refusals(plan.judged)
    return plan


def _plan_reviewed(order: FreezeOrder) -> Plan:
    plan = Plan(order)
    split: list[SplitItem] = []
    counts: dict[str, tuple[int, tuple[int, ...]]] = {}
    names: dict[str, str] = {}
    standing = Standing.of(plan.candidates())
    for entry in entries(plan.candidates()):
        content = entry.content
        if why := unscorable(content):
            plan.reasons.append(f"{entry.name}: {why}")
            continue
        plan.reasons += [f"{entry.name}: {why}" for why in objections(entry, standing)]
        licence = content.source.licence
        if licence not in REDISTRIBUTABLE and licence not in order.allowed_licences:
            plan.reasons.append(f"{entry.name}: licence {licence} (--allow-licence {licence})")
        item_id = content_id(content)
        if item_id in names:
            plan.reasons.append(f"{entry.name}: the same content as {names[item_id]}")
            continue
        names[item_id] = entry.name
        _note(plan, item_id, _row_of(entry))
        split.append(_split_item(item_id, content))
        if not content.is_completion:
            gold = tuple(index_of(label) for label in content.gold)
            counts[item_id] = (len(content.options), gold)
    wanted = {s: min(order.shots, SUBTASKS[s].shots) for s in {i.subtask for i in split}}
    plan.split = split_items(split, shots=wanted, seed=order.version)
    plan.left_out = [(names[i], why) for i, why in sorted(plan.split.held_out.items())]
    plan.orders = _orders(plan, counts)
    plan.reasons += [
        f"{subtask}: {missing} of {wanted[subtask]} worked examples are missing (--shots)"
        for subtask, missing in sorted(plan.split.short_of_shots.items())
    ]
    with_tests = {plan.subtask_of[i] for i in plan.split.test}
    plan.reasons += [f"{s}: no test item is left" for s in sorted(set(wanted) - with_tests)]
    if not split:
        plan.reasons.append("no approved revision enters: nothing to freeze")
    return plan


def _orders(
    plan: Plan, counts: Mapping[str, tuple[int, tuple[int, ...]]]
) -> dict[str, tuple[int, ...]]:
    """Return option orders, gold's places balanced within the test items of each subtask."""
    orders: dict[str, tuple[int, ...]] = {}
    groups: dict[tuple[str, bool], dict[str, tuple[int, tuple[int, ...]]]] = defaultdict(dict)
    test = set(plan.split.test)
    for item_id, count in counts.items():
        groups[plan.subtask_of[item_id], item_id in test][item_id] = count
    for (subtask, _is_test), group in groups.items():
        orders |= balanced_orders(group, seed=f"{plan.order.version} {subtask}")
    return orders


def _plan_imported(order: FreezeOrder) -> Plan:
    """Plan a set made elsewhere: all of it, unreviewed, options as given, repeats numbered."""
    plan = Plan(order)
    repeats: Counter[str] = Counter()
    found: list[tuple[str, tuple[str, int], _Row]] = []
    for entry in entries(plan.candidates()):
        if why := unscorable(entry.content):
            plan.left_out.append((entry.name, why))
            continue
        place = _by_line(entry.revision.candidate.source.place)
        found.append((content_id(entry.content), place, _row_of(entry)))
    for base, _place, row in sorted(found, key=lambda each: each[:2]):
        repeats[base] += 1
        item_id = base if repeats[base] == 1 else f"{base}-{repeats[base]}"
        _note(plan, item_id, row)
        if row.options:
            plan.orders[item_id] = tuple(range(row.options))
    plan.left_out.sort()
    plan.split = Split({}, tuple(sorted(plan.revisions)), {}, {})
    if not plan.revisions:
        plan.reasons.append("no imported question enters: nothing to freeze")
    return plan


def _by_line(place: str) -> tuple[str, int]:
    head, _colon, line = place.rpartition(":")
    return (head, int(line)) if line.isdecimal() else (place, 0)


@dataclass(frozen=True, slots=True)
class _Row:
    """What the plan keeps of an item: no text, so that memory does not grow with the prompts."""

    pk: int
    subtask: str
    cluster: str
    licence: str
    options: int


def _row_of(entry: Entry) -> _Row:
    content = entry.content
    return _Row(
        pk=entry.revision.pk,
        subtask=content.subtask.name,
        cluster=content.source.cluster,
        licence=content.source.licence,
        options=len(content.options),
    )


def _note(plan: Plan, item_id: str, row: _Row) -> None:
    plan.revisions[item_id] = row.pk
    plan.subtask_of[item_id] = row.subtask
    plan.clusters[item_id] = row.cluster
    plan.licence_of[item_id] = row.licence


def _split_item(item_id: str, content: Content) -> SplitItem:
    return SplitItem(
        item_id=item_id,
        subtask=content.subtask.name,
        scenario=content.subtask.scenario,
        cluster=content.source.cluster,
        texts=frozenset(content.options),
    )
