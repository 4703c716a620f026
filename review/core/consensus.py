"""Decides whether the reviews of a revision settle it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What the reviews come to."""

    APPROVED = "approved"
    REJECTED = "rejected"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Vote:
    """What one counted review says, as far as consensus looks.

    ``decision`` is approve, reject or edit; ``knew_gold`` whether the blind answer matched gold
    or was marked as the same in other words; ``dismissed`` the findings the reviewer dismissed;
    ``source_is_success`` the word on a run whose success was unknown, None where not asked.
    """

    decision: str
    knew_gold: bool
    dismissed: frozenset[int] = frozenset()
    source_is_success: bool | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """The verdict and, in one line for people, why."""

    verdict: Verdict
    why: str


def settle(votes: Sequence[Vote], *, wanted: int, blocking: frozenset[int]) -> Settlement | None:
    """Return what ``wanted`` reviews of one revision settle, None while fewer are there.

    Approved when all approve, at least ``wanted - 1`` blind answers matched gold and every
    finding in ``blocking`` (severity 3) was dismissed by all; rejected when all reject;
    otherwise disputed.

    Raises:
        ValueError: more votes than wanted, or none are wanted.
    """
    if wanted < 1 or len(votes) > wanted:
        msg = f"{len(votes)} votes where {wanted} are wanted"
        raise ValueError(msg)
    if len(votes) < wanted:
        return None
    decisions = [vote.decision for vote in votes]
    if all(decision == "reject" for decision in decisions):
        return Settlement(Verdict.REJECTED, f"all {wanted} reject")
    if any(decision != "approve" for decision in decisions):
        counts = ", ".join(f"{decisions.count(d)} {d}" for d in sorted(set(decisions)))
        return Settlement(Verdict.DISPUTED, f"decisions differ: {counts}")
    matched = sum(vote.knew_gold for vote in votes)
    if matched < wanted - 1:
        why = f"all approve, but only {matched} of {wanted} blind answers match gold"
        return Settlement(Verdict.DISPUTED, why)
    standing = sorted(f for f in blocking if not all(f in vote.dismissed for vote in votes))
    if standing:
        why = f"all approve, but {len(standing)} severity-3 finding(s) are not dismissed by all"
        return Settlement(Verdict.DISPUTED, why)
    if any(vote.source_is_success is False for vote in votes):
        return Settlement(Verdict.DISPUTED, "all approve, but the run is not seen as a success")
    return Settlement(Verdict.APPROVED, f"all {wanted} approve")
