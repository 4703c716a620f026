"""Decides whether the reviews of a revision settle it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What the reviews come to."""

    APPROVED = "approved"
    REJECTED = "rejected"
    DISPUTED = "disputed"


class Cause(StrEnum):
    """What a dispute is about: the first rule of consensus that does not hold."""

    DECISIONS = "decisions"
    BLIND_ANSWERS = "blind_answers"
    FINDINGS = "findings"
    RUN = "run"


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
class Tally:
    """How often the votes on one revision say what consensus asks; all that it looks at.

    ``matched`` votes knew gold; ``standing`` findings that block a release are not dismissed by
    every vote; ``unseen`` votes do not see the run solve its task.
    """

    votes: int
    approve: int
    reject: int
    matched: int
    standing: int
    unseen: int

    @property
    def edit(self) -> int:
        """How many decided to edit."""
        return self.votes - self.approve - self.reject


@dataclass(frozen=True, slots=True)
class Settlement:
    """The verdict and, in one line for people, why; ``cause`` where it is a dispute."""

    verdict: Verdict
    why: str
    cause: Cause | None = None


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
    return settle_tally(tally(votes, blocking))


def tally(votes: Sequence[Vote], blocking: Collection[int]) -> Tally:
    """Return the counts of ``votes`` on a revision with the severity-3 findings ``blocking``."""
    decisions = [vote.decision for vote in votes]
    return Tally(
        votes=len(votes),
        approve=decisions.count("approve"),
        reject=decisions.count("reject"),
        matched=sum(vote.knew_gold for vote in votes),
        standing=len(not_dismissed(votes, blocking)),
        unseen=sum(vote.source_is_success is False for vote in votes),
    )


def settle_tally(counts: Tally) -> Settlement:
    """Return what all wanted reviews of one revision settle, as ``settle`` says."""
    wanted = counts.votes
    if counts.reject == wanted:
        return Settlement(Verdict.REJECTED, f"all {wanted} reject")
    if counts.approve != wanted:
        taken = {"approve": counts.approve, "edit": counts.edit, "reject": counts.reject}
        words = ", ".join(f"{n} {decision}" for decision, n in taken.items() if n)
        return Settlement(Verdict.DISPUTED, f"decisions differ: {words}", Cause.DECISIONS)
    if counts.matched < wanted - 1:
        why = f"all approve, but only {counts.matched} of {wanted} blind answers match gold"
        return Settlement(Verdict.DISPUTED, why, Cause.BLIND_ANSWERS)
    if counts.standing:
        why = f"all approve, but {counts.standing} severity-3 finding(s) are not dismissed by all"
        return Settlement(Verdict.DISPUTED, why, Cause.FINDINGS)
    if counts.unseen:
        why = "all approve, but the run is not seen as a success"
        return Settlement(Verdict.DISPUTED, why, Cause.RUN)
    return Settlement(Verdict.APPROVED, f"all {wanted} approve")


def not_dismissed(votes: Sequence[Vote], blocking: Collection[int]) -> list[int]:
    """Return the findings in ``blocking`` that stand: some vote does not dismiss them; sorted."""
    return sorted(f for f in blocking if not all(f in vote.dismissed for vote in votes))
