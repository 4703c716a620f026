"""What becomes of a made-up item: its rounds of reviews, how they end, and where it stands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from review.core.consensus import Verdict, Vote, settle
from review.core.synthetic.judging import MadePerson, MadeQuestion, MadeReview, made_review

_BLOCKS = 3
_ADJUDICATED = 0.85
_PARTLY_REVIEWED = 0.05
_EDITED_BY_A_REVIEWER = 0.02
_EXTRA = 0.005
_UNDONE = 0.005
_SKIPPED = 0.01
CONTROL_REVIEWS = 8


@dataclass(frozen=True, slots=True)
class Turn:
    """A person's turn, ``after`` hours from the item's first: a review, or a skip without one."""

    reviewer: int
    after: float
    review: MadeReview | None
    is_counted: bool = True
    is_undone: bool = False


@dataclass(frozen=True, slots=True)
class Round:
    """The turns of one round and how it ended.

    ``verdict`` is what consensus said and ``why``, empty while reviews are missing; ``outcome``
    what a lead decided ``after`` hours from the item's first turn, empty without a lead.
    """

    turns: tuple[Turn, ...]
    verdict: str = ""
    why: str = ""
    outcome: str = ""
    reason: str = ""
    after: float = 0.0


@dataclass(frozen=True, slots=True)
class MadeHistory:
    """The rounds of each revision, oldest first, and the state that the item ends in.

    The last turn of a round that ends in ``edit`` without a verdict is by the reviewer who wrote
    the next revision; else a lead did.
    """

    state: str
    revisions: tuple[tuple[Round, ...], ...] = field(default=((),))

    @property
    def reviews(self) -> int:
        """How many reviews were made."""
        turns = (t for rounds in self.revisions for one in rounds for t in one.turns)
        return sum(turn.review is not None for turn in turns)


class _People:
    """Draws people in turn, each once for a revision."""

    def __init__(self, draw: Random, people: Sequence[MadePerson]) -> None:
        self._people = people
        self._order = draw.sample(range(len(people)), len(people))
        self._next = 0

    def take(self) -> Iterator[tuple[int, MadePerson]]:
        while self._next < len(self._order):
            number = self._order[self._next]
            self._next += 1
            yield number, self._people[number]


def control_history(
    draw: Random, people: Sequence[MadePerson], question: MadeQuestion, *, left: int
) -> MadeHistory:
    """Return the history of a control item: some people's reviews, which settle nothing."""
    some = draw.sample(range(len(people)), min(CONTROL_REVIEWS, len(people), left))
    turns = tuple(
        Turn(number, 30.0 * place, made_review(draw, people[number], question))
        for place, number in enumerate(some)
    )
    return MadeHistory("in_review", ((Round(turns),),))


def made_history(
    draw: Random,
    people: Sequence[MadePerson],
    question: MadeQuestion,
    *,
    wanted: int,
    left: int,
) -> MadeHistory:
    """Return an item's history with at most ``left`` reviews, ``wanted`` of which settle it."""
    if not left:
        state = draw.choices(("in_review", "checked", "draft"), (80, 10, 10))[0]
        return MadeHistory(state)
    queue = _People(draw, people)
    if draw.random() < _PARTLY_REVIEWED:
        return MadeHistory(
            "in_review", ((_round(draw, queue, question, draw.randrange(wanted), 0.0, left),),)
        )
    if draw.random() < _EDITED_BY_A_REVIEWER and left > wanted:
        first = _round(draw, queue, question, 1, 0.0, 1)
        edited = Round(first.turns, outcome="edit")
        state, rounds = _reviewed(draw, queue, question, wanted, left - 1, may_go_on=False)
        return MadeHistory(state, ((edited,), rounds))
    state, rounds = _reviewed(draw, queue, question, wanted, left, may_go_on=True)
    used = sum(turn.review is not None for one in rounds for turn in one.turns)
    if state != "edit":
        return MadeHistory(state, (rounds,))
    again, more = _reviewed(
        draw, _People(draw, people), question, wanted, left - used, may_go_on=False
    )
    return MadeHistory(again, (rounds, more))


def _reviewed(
    draw: Random,
    queue: _People,
    question: MadeQuestion,
    wanted: int,
    left: int,
    *,
    may_go_on: bool,
) -> tuple[str, tuple[Round, ...]]:
    """Return the state that a revision's rounds lead to (``edit``: to another revision)."""
    one = _round(draw, queue, question, wanted, 48.0 * (not may_go_on), left)
    if not one.verdict:
        return "in_review", (one,)
    if one.verdict != Verdict.DISPUTED or draw.random() > _ADJUDICATED:
        return one.verdict, (one,)
    usual = "reject" if question.reason else "approve"
    outcome = draw.choices((usual, "edit", "return"), (80, 14, 6))[0] if may_go_on else usual
    after = max(turn.after for turn in one.turns) + draw.uniform(1, 40)
    ended = Round(
        one.turns,
        one.verdict,
        one.why,
        outcome,
        (question.reason or "other") if outcome == "reject" else "",
        after,
    )
    if outcome == "edit":
        return "edit", (ended,)
    if outcome == "return":
        used = sum(turn.review is not None for turn in one.turns)
        second = _round(draw, queue, question, wanted, after + 1, left - used)
        return (second.verdict or "in_review"), (ended, second)
    return ("approved" if outcome == "approve" else "rejected"), (ended,)


def _round(
    draw: Random, queue: _People, question: MadeQuestion, wanted: int, start: float, left: int
) -> Round:
    """Return a round of up to ``wanted`` counted reviews that starts ``start`` hours on."""
    turns: list[Turn] = []
    votes: list[Vote] = []
    after, made = start, 0
    for number, person in queue.take():
        chance = draw.random()
        if len(votes) >= wanted and chance > _EXTRA:
            break
        if made >= left:
            break
        after += draw.expovariate(1 / 9)
        if chance > 1 - _SKIPPED:
            turns.append(Turn(number, after, None))
            continue
        review = made_review(draw, person, question)
        made += 1
        is_extra = len(votes) >= wanted
        is_undone = not is_extra and chance > 1 - _SKIPPED - _UNDONE
        turns.append(Turn(number, after, review, not is_extra, is_undone))
        if not is_extra and not is_undone:
            votes.append(_vote(review))
        if is_extra:
            break
    blocking = frozenset(
        place for place, (_kind, severity) in enumerate(question.findings) if severity == _BLOCKS
    )
    ended = settle(votes, wanted=wanted, blocking=blocking) if wanted else None
    return Round(tuple(turns), ended.verdict if ended else "", ended.why if ended else "")


def _vote(review: MadeReview) -> Vote:
    dismissed = frozenset(place for place, gone in enumerate(review.dismissed) if gone)
    return Vote(review.decision, review.knew, dismissed)
