"""What reviewers disagree about: in one line, and side by side with what differs marked."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from review.core.consensus import Cause, Tally, Vote, settle_tally, tally

# The sentences are looked up in the interface's language before their values are put in.
LINES: Mapping[Cause | None, str] = {
    Cause.DECISIONS: "Decisions differ: %(approve)s approve, %(reject)s reject.",
    Cause.BLIND_ANSWERS: (
        "All %(votes)s approve, but only %(matched)s of %(votes)s blind answers match gold."
    ),
    Cause.FINDINGS: (
        "All %(votes)s approve, but not all dismiss the findings that block a release"
        " (%(findings)s open)."
    ),
    Cause.RUN: "All %(votes)s approve, but %(unseen)s of %(votes)s do not see the run solve its task.",
    None: "The %(votes)s reviews that count do not differ under today's rules; decide all the same.",
}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """What a dispute is about; ``cause`` is None where the rules have changed since.

    ``template`` is one sentence with places for ``values``; ``line`` is it, in English.
    """

    cause: Cause | None
    template: str
    values: Mapping[str, int] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """The disagreement in one line."""
        return self.template % self.values


def disagreement(votes: Sequence[Vote], *, blocking: Collection[int]) -> Disagreement:
    """Return what ``votes``, all that count in a disputed revision, disagree about.

    ``blocking`` are the revision's findings of severity 3.
    """
    return counted_disagreement(tally(votes, blocking))


def counted_disagreement(counts: Tally) -> Disagreement:
    """Return what votes of these counts disagree about, as ``disagreement`` says of the votes.

    Consensus itself names the cause, so that the page can't say another than the one that made
    the dispute.
    """
    cause = settle_tally(counts).cause if counts.votes else None
    values = {
        "votes": counts.votes,
        "approve": counts.approve,
        "reject": counts.reject,
        "matched": counts.matched,
        "findings": counts.standing,
        "unseen": counts.unseen,
    }
    return Disagreement(cause, LINES[cause], values)


@dataclass(frozen=True, slots=True)
class Cell:
    """What one reviewer says of one thing: ``label`` is compared, ``words`` are beside it.

    ``label`` is None where the reviewer was not asked or said nothing.
    """

    label: str | None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing as every reviewer sees it, in the order of the reviewers."""

    title: str
    cells: tuple[Cell, ...]
    differs: bool


def row(title: str, cells: Sequence[Cell], *, same: Sequence[Hashable] = ()) -> Row:
    """Return a row; it differs where the given labels do, or ``same`` (one each) where given.

    What nobody or only some said is no difference: silence is not a verdict.
    """
    compared = set(same) if same else {cell.label for cell in cells if cell.label is not None}
    return Row(title, tuple(cells), differs=len(compared) > 1)
