"""Options of report questions: one report and others made worse than it in a known respect.

As with plans (``random_root_star``), gold's place among its kin is drawn first. Either all others are
gold made worse, each in its own respect, or one of them is and the rest are that one made worse
once more: then it, not gold, is what the others are most like.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

from generation.core.near_texts import RATIO, similarity
from generation.core.operators.operator import Context, Operator, Wrong
from generation.core.operators.report_edits import (
    break_logic,
    harm_readability,
    miss_request,
    perturb_facts,
)
from generation.core.subtask import OptionDraft, PoolEntry, Rejection

CHOICES = 4
_RESPECTS: Mapping[str, Operator] = MappingProxyType(
    {
        "perturb_facts": perturb_facts,
        "break_logic": break_logic,
        "harm_readability": harm_readability,
        "miss_request": miss_request,
    }
)
_TIMES = 4
"""How often a report is made worse in one respect until it is not nearly another option."""
_ENOUGH_OTHERS = 12


def report_options(
    entries: Sequence[PoolEntry], seed: int
) -> Mapping[str, tuple[OptionDraft, ...] | Rejection]:
    """Return four reports for each entry's key, gold first, or why there are none.

    Sections that come in are of the reports on other requests in the pool. The same entries, in any order, and
    seed give the same options.
    """
    communities: dict[str, list[PoolEntry]] = defaultdict(list)
    for entry in sorted(entries, key=lambda entry: entry.key):
        communities[entry.community].append(entry)
    found: dict[str, tuple[OptionDraft, ...] | Rejection] = {}
    for community, members in communities.items():
        random = Random(f"reports {seed} {community}")  # noqa: S311 - a choice, not a secret
        hubs = [number % CHOICES == 0 for number in range(len(members))]
        random.shuffle(hubs)
        for entry, gold_is_hub in zip(members, hubs, strict=True):
            others = [each for each in members if each.cluster != entry.cluster]
            drawn = random.sample(others, min(len(others), _ENOUGH_OTHERS))
            context = Context(
                task=entry.draft.slots.get("query", ""),
                others=tuple(each.draft.gold for each in drawn),
            )
            found[entry.key] = _options(entry, context, random, gold_is_hub=gold_is_hub)
    return MappingProxyType({key: found[key] for key in sorted(found)})


def _options(
    entry: PoolEntry, context: Context, random: Random, *, gold_is_hub: bool
) -> tuple[OptionDraft, ...] | Rejection:
    gold = OptionDraft(entry.draft.gold, "gold", "The report as it was written.", is_gold=True)
    options = [gold]
    base = gold
    for name in random.sample(sorted(_RESPECTS), len(_RESPECTS)):
        if len(options) == CHOICES:
            break
        worse = _worse(base, name, context, random, [each.text for each in options])
        if worse is not None:
            options.append(worse)
            base = gold if gold_is_hub else options[1]
    if len(options) < CHOICES:
        return Rejection(entry.draft.cut, "it can be made worse in too few respects")
    return tuple(options)


def _worse(
    base: OptionDraft, name: str, context: Context, random: Random, others: Sequence[str]
) -> OptionDraft | None:
    """Return the base made worse in one respect, until it is not nearly one of the others."""
    text, reason = base.text, ""
    for _ in range(_TIMES):
        wrong = _RESPECTS[name](text, context, random.randrange(2**31))
        if not isinstance(wrong, Wrong):
            return None
        text, reason = wrong.text, reason or wrong.reason
        if all(similarity(text, other) < RATIO for other in others):
            before = "" if base.is_gold else f"{base.reason} "
            return OptionDraft(text, name, f"{before}{reason}")
    return None
