"""How made-up people review a made-up question: drawn from their skill and from its quality."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

_REASONS = (
    "bad_question",
    "bad_options",
    "no_correct",
    "multiple_correct",
    "wrong_gold",
    "leak",
    "contaminated",
    "harmful",
    "other",
)
_REASON_WEIGHTS = (20, 12, 8, 18, 22, 12, 3, 1, 4)
_VERDICTS = ("valid", "also_correct", "too_easy", "malformed", "duplicate")
_VERDICT_WEIGHTS = (84, 5, 8, 2, 1)
_OPERATORS = ("later_step", "wrong_argument", "drop_step", "swap_steps", "llm_distractor")
_FINDINGS = (
    ("looked_up", 1),
    ("first_seen", 2),
    ("near_duplicate_choice", 2),
    ("target_already_executed", 1),
    ("distractor_same_action_as_gold", 3),
)


@dataclass(frozen=True, slots=True)
class MadePerson:
    """A reviewer: ``skill`` is the chance to know gold of an easy item, ``mildness`` to approve."""

    skill: float
    mildness: float
    seconds: float


@dataclass(frozen=True, slots=True)
class MadeQuestion:
    """What a question is, as its makers can't see it.

    ``reason`` is why it can't be used, empty where it can; ``ease`` 0 to 1; ``tempting`` is the
    wrong option that most people who miss gold choose. ``options`` are the operators of the
    options in the given order, none where the answer is written; ``gold`` the right positions.
    """

    reason: str
    ease: float
    tempting: int
    options: tuple[str, ...]
    gold: tuple[int, ...]
    findings: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class MadeReview:
    """What one person says of a question; ``positions`` and the ``*_verdicts`` are in given order."""

    positions: tuple[int, ...]
    knew: bool
    not_determined: bool
    confidence: int
    decision: str
    reason: str
    well_specified: int
    gold_quality: int
    option_verdicts: tuple[str, ...]
    dismissed: tuple[bool, ...]
    blind_seconds: float
    open_seconds: float


def made_people(draw: Random, count: int) -> list[MadePerson]:
    """Return the reviewers, the first a little hasty and the last a little mild."""
    people = [
        MadePerson(draw.uniform(0.72, 0.96), draw.uniform(0.9, 0.99), draw.uniform(40, 160))
        for _ in range(count)
    ]
    people[0] = MadePerson(0.6, 0.98, 9.0)
    return people


def made_question(draw: Random, *, choices: int, is_set: bool) -> MadeQuestion:
    """Return a question with ``choices`` options, of which several are right where ``is_set``."""
    right = draw.sample(range(choices), 2) if is_set else [0] if choices else []
    wrong = [position for position in range(choices) if position not in right]
    return MadeQuestion(
        reason=draw.choices(_REASONS, _REASON_WEIGHTS)[0] if draw.random() < 0.16 else "",
        ease=draw.betavariate(6, 2),
        tempting=draw.choice(wrong) if wrong else 0,
        options=tuple(
            "gold" if position in right else draw.choice(_OPERATORS) for position in range(choices)
        ),
        gold=tuple(sorted(right)),
        findings=tuple(draw.sample(_FINDINGS, draw.choice((1, 1, 2))))
        if draw.random() < 0.3
        else (),
    )


def made_review(draw: Random, person: MadePerson, question: MadeQuestion) -> MadeReview:
    """Return the person's review of the question."""
    hard = question.reason in {"no_correct", "wrong_gold", "multiple_correct"}
    knew = draw.random() < person.skill * (0.35 if hard else 0.6 + 0.4 * question.ease)
    rejects = draw.random() < (0.86 if question.reason else 1 - person.mildness * 0.985)
    reason = question.reason if draw.random() < 0.7 else ""
    reason = reason or draw.choices(_REASONS, _REASON_WEIGHTS)[0]
    bad = draw.choice((2, 2, 3)) if rejects else draw.choice((0, 0, 0, 0, 1))
    blames_gold = reason in {"no_correct", "multiple_correct", "wrong_gold"}
    return MadeReview(
        positions=_positions(draw, question, knew=knew),
        knew=knew,
        not_determined=not question.options and not knew and draw.random() < 0.3,
        confidence=min(5, max(1, round(draw.gauss(4.1 if knew else 3.0, 0.9)))),
        decision="reject" if rejects else "approve",
        reason=reason if rejects else "",
        well_specified=bad if not blames_gold else 0,
        gold_quality=bad if blames_gold else 0,
        option_verdicts=tuple(_verdict(draw, question, p) for p in _distractors(question)),
        dismissed=tuple(draw.random() < 0.85 for _ in question.findings),
        blind_seconds=round(person.seconds * draw.lognormvariate(0, 0.5), 1),
        open_seconds=round(person.seconds * 0.7 * draw.lognormvariate(0, 0.5), 1),
    )


def _distractors(question: MadeQuestion) -> Sequence[int]:
    return [p for p in range(len(question.options)) if p not in question.gold]


def _positions(draw: Random, question: MadeQuestion, *, knew: bool) -> tuple[int, ...]:
    if not question.options or knew:
        return question.gold
    wrong = _distractors(question)
    chosen = question.tempting if draw.random() < 0.6 else draw.choice(wrong)
    return tuple(sorted({chosen, *question.gold[:-1]}))


def _verdict(draw: Random, question: MadeQuestion, position: int) -> str:
    if question.reason == "multiple_correct" and position == question.tempting:
        return "also_correct" if draw.random() < 0.8 else "valid"
    return draw.choices(_VERDICTS, _VERDICT_WEIGHTS)[0]
