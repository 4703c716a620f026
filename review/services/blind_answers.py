"""Blind answers: stored before gold is shown, and never changed."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from generation.models import Revision
from generation.services import audit
from generation.services.texts import storable
from review.models import Assignment, BlindAnswer
from review.services.gold import is_completion, matches_gold
from review.services.leases import renewed
from review.services.turns import ReviewRefused, locked_turn, stored_answer


@transaction.atomic
def answer_blind(
    *,
    assignment: Assignment,
    positions: Sequence[int] = (),
    text: str = "",
    not_determined: bool = False,
    confidence: int,
    active_seconds: float,
    now: datetime,
) -> BlindAnswer:
    """Store the blind answer and renew a running lease; a second one changes nothing.

    ``positions`` are given-order option positions; ``confidence`` goes from 1 to 5.

    Raises:
        ReviewRefused: no answer, an option that does not exist, or a confidence out of range.
    """
    return answer_locked(
        locked_turn(assignment),
        positions=positions,
        text=text,
        not_determined=not_determined,
        confidence=confidence,
        active_seconds=active_seconds,
        now=now,
    )


def answer_locked(
    turn: Assignment,
    *,
    positions: Sequence[int],
    text: str,
    not_determined: bool,
    confidence: int,
    active_seconds: float,
    now: datetime,
) -> BlindAnswer:
    """Do what ``answer_blind`` does with a turn that the caller holds locked.

    Raises:
        ReviewRefused: as ``answer_blind`` does.
    """
    if first := stored_answer(turn):
        return first
    revision = turn.revision
    count = 0 if is_completion(revision) else len(revision.option_keys)
    _check_blind(
        revision, positions, text, count, not_determined=not_determined, confidence=confidence
    )
    answer = BlindAnswer.objects.create(
        assignment=turn,
        positions=sorted(set(positions)),
        text="" if not_determined else storable(text),
        not_determined=not_determined,
        confidence=confidence,
        matches_gold=matches_gold(
            revision, count, positions=positions, text=text, not_determined=not_determined
        ),
        active_seconds=max(0.0, active_seconds),
    )
    turn.draft, turn.draft_saved_at = {}, None
    turn.leased_until = renewed(turn, now=now)
    turn.save(update_fields=["draft", "draft_saved_at", "leased_until"])
    audit.record(
        "blind_answer.given",
        turn,
        actor=turn.reviewer,
        after=[answer.positions, answer.text, answer.not_determined, answer.confidence],
    )
    return answer


def _check_blind(
    revision: Revision,
    positions: Sequence[int],
    text: str,
    count: int,
    *,
    not_determined: bool,
    confidence: int,
) -> None:
    found: dict[str, str] = {}
    if is_completion(revision):
        if not text.strip() and not not_determined:
            found["answer"] = "Write your answer, or say that the prompt does not determine it."
    elif not positions or any(not 0 <= position < count for position in positions):
        found["answer"] = "Choose one of the options."
    if not 1 <= confidence <= 5:
        found["confidence"] = "Say how sure you are, from 1 to 5."
    if found:
        raise ReviewRefused(found)
