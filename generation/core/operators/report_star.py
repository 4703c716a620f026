"""Options of report questions: one report and others made worse than it in a known respect.

As with plans (``random_root_star``), gold's place among its kin is drawn first. Either all others are
gold made worse, each in its own respect, or one of them is and the rest are that one made worse
once more: then it, not gold, is what the others are most like. Of several families the one is kept
that comes nearest to ranks drawn for length and for how well sentences follow one another.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
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
from generation.core.selection.cues import coherence, length
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
_TRIALS = 16
"""Families made for one question."""
_CUES = (coherence, length)
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
        hubs = _hubs(len(members), random)
        for entry, hub in zip(members, hubs, strict=True):
            others = [each for each in members if each.cluster != entry.cluster]
            drawn = random.sample(others, min(len(others), _ENOUGH_OTHERS))
            context = Context(
                task=entry.draft.slots.get("query", ""),
                others=tuple(each.draft.gold for each in drawn),
            )
            found[entry.key] = _options(entry, context, random, hub)
    return MappingProxyType({key: found[key] for key in sorted(found)})


def _hubs(count: int, random: Random) -> list[str]:
    """Return what each set's hub is, evenly: gold (""), or gold made worse in the respect named.

    A section that comes in at the hub leaves gold alone with the one that went: no more often than
    by chance, then.
    """
    respects = random.sample(sorted(_RESPECTS), len(_RESPECTS))
    ways = [respects[way // CHOICES] if way % CHOICES else "" for way in range(CHOICES**2)]
    return random.sample([ways[number % len(ways)] for number in range(count)], count)


def _options(
    entry: PoolEntry, context: Context, random: Random, hub: str
) -> tuple[OptionDraft, ...] | Rejection:
    """Return gold and the family, of several drawn, whose soft cues are nearest to drawn ranks."""
    reason = "The report as it was written."
    gold = OptionDraft(entry.draft.gold, "gold", reason, is_gold=True)
    targets = [random.randrange(CHOICES) for _ in _CUES]
    drawn = (_family(gold, context, random, hub) for _ in range(_TRIALS))
    families = [family for family in drawn if family is not None]
    families.sort(key=lambda family: _distance(family, targets))
    apart = (family for family in families if _is_apart(family))
    why = Rejection(entry.draft.cut, "it can be made worse in too few respects")
    return next(apart, why)


def _family(
    gold: OptionDraft, context: Context, random: Random, hub: str
) -> tuple[OptionDraft, ...] | None:
    options = [gold]
    base = gold
    respects = random.sample(sorted(_RESPECTS), len(_RESPECTS))
    for name in sorted(respects, key=lambda name: name != hub):
        if len(options) == CHOICES:
            break
        worse = _worse(base, name, context, random.randrange(2**31))
        if worse is not None:
            options.append(worse)
            base = options[1] if hub else gold
    return tuple(options) if len(options) == CHOICES else None


def _worse(base: OptionDraft, name: str, context: Context, seed: int) -> OptionDraft | None:
    """Return the base made worse in one respect; None where it can't be."""
    wrong = _RESPECTS[name](base.text, context, seed)
    if not isinstance(wrong, Wrong):
        return None
    before = "" if base.is_gold else f"{base.reason} Besides: "
    return OptionDraft(wrong.text, name, f"{before}{wrong.reason}")


def _is_apart(family: Sequence[OptionDraft]) -> bool:
    """Return whether no option is nearly another one, letter by letter."""
    pairs = combinations([" ".join(option.text.casefold().split()) for option in family], 2)
    return all(similarity(one, other) < RATIO for one, other in pairs)


def _distance(family: Sequence[OptionDraft], targets: Sequence[int]) -> float:
    """Return how far gold's rank is from the drawn one, summed over the soft cues."""
    distance = 0.0
    for cue, target in zip(_CUES, targets, strict=True):
        gold, *others = cue([option.text for option in family])
        ties = sum(other == gold for other in others)
        distance += abs(sum(other > gold for other in others) + ties / 2 - target)
    return distance
