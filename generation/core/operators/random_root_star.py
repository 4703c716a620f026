"""Operator ``random_root_star``: the options of a plan question are one plan and edits of it.

If gold were always the plan that was edited, the option most like the others would be gold. So
gold's place in the family is drawn before anything else: with the same chance as any other
option, gold is the hub that the others are edits of, or one of the edits of a hub that is wrong.
Of several such families the one is kept that comes nearest to ranks drawn for the soft cues:
length, how well steps follow from one another, words in common with the prompt, marks. Ranks on any cue
of the family tree are left alone: to even those out would give gold a place of its own again.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import chain, combinations
from random import Random
from types import MappingProxyType

from generation.core.near_texts import RATIO, similarity
from generation.core.operators.donors import Donors
from generation.core.operators.plan_text import PlanText, read_plan
from generation.core.operators.step_edits import Plan, edited
from generation.core.selection.texts import normalise, tokens
from generation.core.subtask import OptionDraft, PoolEntry, Rejection

OPERATOR = "random_root_star"
TRIALS = 16
"""Families made for one question."""
FEWEST_STEPS = 3
FEWEST_DONORS = 12
"""Steps of other tasks that a community must have."""
ENOUGH_STEPS = 100
"""Steps of a community that stands for itself; smaller ones lend to one another."""
_MORE_TRIALS = 64
_EDITS_TRIED = 40
_CUES = 4


@dataclass(frozen=True, slots=True)
class _Question:
    entry: PoolEntry
    plan: Plan
    numbered: bool
    prompt: frozenset[str]


def star_options(
    entries: Sequence[PoolEntry], seed: int, *, choices: int, fewest: int = FEWEST_STEPS
) -> Mapping[str, tuple[OptionDraft, ...] | Rejection]:
    """Return for each entry's key ``choices`` plans, gold first, or why there are none.

    A plan is the gold's lines, those under a numbered one with it; numbers are put anew. Donors are
    steps of other tasks of the same community, near the plan's topic (``donors``); communities with
    fewer than ``ENOUGH_STEPS`` steps lend to one another. ``fewest`` are the steps that a plan must
    have, 2 at least. No option is nearly another one. The same entries, in any order, and seed give
    the same options.

    Raises:
        ValueError: ``choices`` is less than 3, for then there is no family to hide in.
    """
    if choices < 3:
        msg = f"{choices} options: at least 3 are needed"
        raise ValueError(msg)
    communities = _communities([_question(e) for e in sorted(entries, key=lambda e: e.key)])
    found: dict[str, tuple[OptionDraft, ...] | Rejection] = {}
    for community, questions in communities.items():
        maker = _Star(questions, choices, fewest, Random(f"star {seed} {community}"))  # noqa: S311
        order = sorted(
            questions, key=lambda one: sha256(f"{seed} {one.entry.key}".encode()).digest()
        )
        found.update((one.entry.key, maker.options(one)) for one in order)
    return MappingProxyType({key: found[key] for key in sorted(found)})


def _communities(questions: Sequence[_Question]) -> dict[str, list[_Question]]:
    """Return the questions by community; those of small ones together, under no name."""
    steps: Counter[str] = Counter()
    for one in questions:
        steps[one.entry.community] += len(one.plan)
    communities: dict[str, list[_Question]] = defaultdict(list)
    for one in questions:
        name = one.entry.community
        communities[name if steps[name] >= ENOUGH_STEPS else ""].append(one)
    return communities


def _question(entry: PoolEntry) -> _Question:
    read = read_plan(entry.draft.gold)
    prompt = frozenset(word for text in entry.draft.slots.values() for word in tokens(text))
    return _Question(entry, read.steps, read.numbered, prompt)


class _Star:
    def __init__(
        self, questions: Sequence[_Question], choices: int, fewest: int, random: Random
    ) -> None:
        self._choices = choices
        self._fewest = fewest
        self._random = random
        plans = [(one.entry.cluster, one.plan) for one in questions]
        self._donors = Donors(plans, seed=random.randrange(2**31))
        ranks = [number % choices for number in range(len(questions))]
        self._decks = [random.sample(ranks, len(ranks)) for _ in range(_CUES)]
        self._hubs = random.sample(ranks, len(ranks))

    def options(self, asked: _Question) -> tuple[OptionDraft, ...] | Rejection:
        """Return the options of one question, gold first."""
        cut = asked.entry.draft.cut
        if len(asked.plan) < self._fewest:
            return Rejection(cut, f"the plan has fewer than {self._fewest} steps")
        near = self._donors.near(asked.entry.cluster, asked.plan)
        if len(near) < FEWEST_DONORS:
            return Rejection(cut, f"fewer than {FEWEST_DONORS} steps of other tasks to borrow")
        gold_is_hub = self._hubs.pop() == 0
        targets = [deck.pop() for deck in self._decks]
        families = [
            family
            for _ in range(TRIALS)
            if (family := self._family(asked, near, gold_is_hub=gold_is_hub)) is not None
        ]
        if not families:
            return Rejection(cut, "too few different edits of the plan")
        families.sort(key=lambda family: self._distance(asked, family, targets))
        # Edits of a long plan are often nearly the same: then the first family that is fit is kept.
        more = (self._family(asked, near, gold_is_hub=gold_is_hub) for _ in range(_MORE_TRIALS))
        apart = (one for one in chain(families, more) if one and not _has_near(asked, one))
        best = next(apart, None)
        if best is None:
            return Rejection(cut, "the plan is so long that its edits are nearly the same")
        self._donors.use({step for plan in best for step in plan if step not in asked.plan})
        gold = OptionDraft(asked.entry.draft.gold, "gold", "The plan as it was carried out.", True)
        return (gold, *(_wrong(asked, plan) for plan in best))

    def _family(
        self, asked: _Question, near: Sequence[str], *, gold_is_hub: bool
    ) -> list[Plan] | None:
        """Return the wrong plans of one family, or None where edits do not differ enough."""
        gold = asked.plan
        # A step borrowed twice in one family would tell who is whose edit.
        near = list(near)
        hub = gold if gold_is_hub else self._edit(asked, near, gold, [gold])
        if hub is None:
            return None
        wrong = [] if gold_is_hub else [hub]
        while len(wrong) < self._choices - 1:
            plan = self._edit(asked, near, hub, [gold, *wrong])
            if plan is None:
                return None
            wrong.append(plan)
        return wrong

    def _edit(
        self, asked: _Question, near: list[str], hub: Plan, others: Sequence[Plan]
    ) -> Plan | None:
        """Return an edit of ``hub`` that is another plan than the others; None if none is found."""

        def donor(plan: Plan, place: float) -> str:
            return self._donors.draw(near, plan, self._random, place=place)

        taken = {_normal(other) for other in others}
        gold_steps = sorted(_normal(asked.plan))
        for _ in range(_EDITS_TRIED):
            plan = edited(hub, donor, self._random)
            normal = _normal(plan)
            if normal not in taken and sorted(normal) != gold_steps:
                lines = {line for step in plan for line in step.splitlines()}
                for step in [step for step in near if not lines.isdisjoint(step.splitlines())]:
                    if len(near) > FEWEST_DONORS:
                        near.remove(step)
                return plan
        return None

    def _distance(self, asked: _Question, family: Sequence[Plan], targets: Sequence[int]) -> float:
        """Return how far gold's rank is from its target, summed over the soft cues."""
        plans = (asked.plan, *family)
        cues = (
            [float(len(_text(asked, plan))) for plan in plans],
            [self._donors.coherence(plan) for plan in plans],
            [_share_of_prompt(asked, plan) for plan in plans],
            [_share_of_marks(plan) for plan in plans],
        )
        distance = 0.0
        for (gold, *others), target in zip(cues, targets, strict=True):
            ties = sum(other == gold for other in others)
            distance += abs(sum(other > gold for other in others) + ties / 2 - target)
        return distance


def _normal(plan: Plan) -> tuple[str, ...]:
    return tuple(map(_normal_step, plan))


@lru_cache(maxsize=1 << 16)
def _normal_step(step: str) -> str:
    return normalise(step)


@lru_cache(maxsize=1 << 16)
def _words(step: str) -> frozenset[str]:
    return frozenset(tokens(step))


@lru_cache(maxsize=1 << 16)
def _marks(step: str) -> int:
    return sum(not (character.isalpha() or character.isspace()) for character in step)


def _has_near(asked: _Question, family: Sequence[Plan]) -> bool:
    """Return whether two options of a family are nearly the same text."""
    texts = [_text(asked, plan).casefold() for plan in (asked.plan, *family)]
    return any(similarity(one, other) >= RATIO for one, other in combinations(texts, 2))


def _text(asked: _Question, plan: Plan) -> str:
    return PlanText(plan, asked.numbered).written(plan)


def _share_of_prompt(asked: _Question, plan: Plan) -> float:
    words = frozenset().union(*map(_words, plan))
    return len(words & asked.prompt) / max(1, len(words))


def _share_of_marks(plan: Plan) -> float:
    return sum(map(_marks, plan)) / max(1, sum(map(len, plan)))


def _wrong(asked: _Question, plan: Plan) -> OptionDraft:
    return OptionDraft(text=_text(asked, plan), operator=OPERATOR, reason=_reason(asked.plan, plan))


def _reason(gold: Plan, plan: Plan) -> str:
    right, wrong = _lines(gold), _lines(plan)
    missing = [line for line in right if line not in wrong]
    added = [line for line in wrong if line not in right]
    parts = [f"lacks {missing[0]!r}"] if missing else []
    parts += [f"has {added[0]!r}, which belongs to another plan"] if added else []
    return f"The plan {' and '.join(parts) or 'has its steps in another order'}."


def _lines(plan: Plan) -> list[str]:
    return [line.strip(" -") for step in plan for line in step.splitlines()]
