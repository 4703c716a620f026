"""Consensus: what N reviews of one revision come to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.consensus import Verdict, Vote, settle

NONE: frozenset[int] = frozenset()
YES = Vote("approve", knew_gold=True)
BLIND_WRONG = Vote("approve", knew_gold=False)
NO = Vote("reject", knew_gold=True)


@pytest.mark.parametrize(
    ("votes", "verdict"),
    [
        ([YES, YES], Verdict.APPROVED),
        ([YES, BLIND_WRONG], Verdict.APPROVED),
        ([BLIND_WRONG, BLIND_WRONG], Verdict.DISPUTED),
        ([NO, NO], Verdict.REJECTED),
        ([YES, NO], Verdict.DISPUTED),
        ([YES, Vote("edit", knew_gold=True)], Verdict.DISPUTED),
        ([YES, Vote("approve", knew_gold=True, source_is_success=False)], Verdict.DISPUTED),
    ],
)
def test_two_votes_settle(votes, verdict):
    settlement = settle(votes, wanted=2, blocking=NONE)
    assert settlement is not None
    assert settlement.verdict is verdict


def test_too_few_votes_settle_nothing():
    assert settle([YES], wanted=2, blocking=NONE) is None


def test_blocking_finding_must_be_dismissed_by_all():
    dismissed = Vote("approve", knew_gold=True, dismissed=frozenset({7}))
    both = settle([dismissed, dismissed], wanted=2, blocking=frozenset({7}))
    one = settle([dismissed, YES], wanted=2, blocking=frozenset({7}))
    assert both is not None
    assert both.verdict is Verdict.APPROVED
    assert one is not None
    assert one.verdict is Verdict.DISPUTED


@pytest.mark.parametrize(("votes", "wanted"), [([YES, YES, YES], 2), ([], 0)])
def test_impossible_numbers_are_refused(votes, wanted):
    with pytest.raises(ValueError, match="votes where"):
        settle(votes, wanted=wanted, blocking=NONE)


@given(
    st.lists(
        st.builds(Vote, st.sampled_from(["approve", "reject", "edit"]), knew_gold=st.booleans()),
        min_size=1,
        max_size=5,
    ),
    st.randoms(),
)
def test_order_of_votes_does_not_matter(votes, random):
    shuffled = votes[:]
    random.shuffle(shuffled)
    assert settle(votes, wanted=len(votes), blocking=NONE) == settle(
        shuffled, wanted=len(votes), blocking=NONE
    )
