"""Cues by hand, and the ledger that keeps them level."""

import pytest

from generation.core.selection.cues import (
    centrality,
    lateness,
    length,
    marks,
    rarity,
    reversed_cue,
    top_share,
)
from generation.core.selection.ledger import Ledger


def test_cues_by_hand():
    options = ("a b", "a c", "d")
    assert length(options) == (3.0, 3.0, 1.0)
    assert centrality(options) == (1 / 3, 1 / 3, 0.0)
    assert rarity(options) == (0.5, 0.5, 1.0)
    assert marks(("a-b!", "")) == (0.5, 0.0)
    assert reversed_cue(length)(options) == (-3.0, -3.0, -1.0)


def test_ties_share_the_guess():
    assert top_share((3.0, 3.0, 1.0)) == (0.5, 0.5, 0.0)
    with pytest.raises(ValueError, match="empty"):
        top_share(())


def test_what_is_said_late_sounds_late():
    cue = lateness([("start here", 0.0), ("start there", 0.1), ("finish here", 1.0)] * 3)
    early, late = cue(("start", "finish"))
    assert early < 0.3 < 0.7 < late


def test_a_set_that_evens_out_a_cue_costs_less():
    ledger = Ledger({"length": length})
    # The longest option is never right here, and never was.
    ledger.add(("a", "bb", "ccc"), (False, False, True))
    again = ledger.imbalance_with(("a", "bb", "ccc"), (False, False, True))
    evened = ledger.imbalance_with(("aaa", "bb", "c"), (False, False, True))
    assert evened < again
    # Surplus of the longest 2/3 and 2/3 - 1/3 - 1/3 = 0; of the shortest -1/3 and 1/3.
    assert evened == pytest.approx((2 / 3 - 1 / 3) ** 2 + (-1 / 3 + 2 / 3) ** 2)
