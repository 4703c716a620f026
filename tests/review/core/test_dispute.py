"""The disagreement in one line, and which rows of the side-by-side table differ."""

import pytest

from review.core.consensus import Cause, Verdict, Vote, settle
from review.core.dispute import LINES, Cell, disagreement, row

YES, NO = Vote("approve", knew_gold=True), Vote("reject", knew_gold=True)
BLIND_MISS = Vote("approve", knew_gold=False)


@pytest.mark.parametrize(
    ("votes", "blocking", "cause", "line"),
    [
        ([YES, NO], [], Cause.DECISIONS, "Decisions differ: 1 approve, 1 reject."),
        (
            [BLIND_MISS, BLIND_MISS],
            [],
            Cause.BLIND_ANSWERS,
            "All 2 approve, but only 0 of 2 blind answers match gold.",
        ),
        (
            [YES, Vote("approve", knew_gold=True, dismissed=frozenset({7}))],
            [7, 9],
            Cause.FINDINGS,
            "All 2 approve, but not all dismiss the findings that block a release (2 open).",
        ),
        (
            [YES, Vote("approve", knew_gold=True, source_is_success=False)],
            [],
            Cause.RUN,
            "All 2 approve, but 1 of 2 do not see the run solve its task.",
        ),
    ],
)
def test_line_says_what_the_dispute_is_about(votes, blocking, cause, line):
    found = disagreement(votes, blocking=blocking)
    assert (found.cause, found.line) == (cause, line)


@pytest.mark.parametrize("votes", [[], [YES, YES], [NO, NO]])
def test_votes_that_would_settle_today_have_no_cause(votes):
    found = disagreement(votes, blocking=[])
    assert found.cause is None
    assert "do not differ under today's rules" in found.line


def test_every_cause_has_a_line():
    assert set(LINES) == {*Cause, None}


def test_settlement_names_a_cause_exactly_where_it_is_a_dispute():
    for votes in ([YES, YES], [NO, NO], [YES, NO], [BLIND_MISS, BLIND_MISS]):
        settlement = settle(votes, wanted=2, blocking=frozenset())
        assert settlement is not None
        assert (settlement.cause is None) == (settlement.verdict is not Verdict.DISPUTED)


@pytest.mark.parametrize(
    ("labels", "differs"),
    [
        (["valid", "valid"], False),
        (["valid", "too_easy"], True),
        (["valid", None], False),
        ([None, None], False),
        ([], False),
    ],
)
def test_row_differs_where_two_labels_do(labels, differs):
    assert row("Option B", [Cell(label) for label in labels]).differs is differs


def test_row_may_be_compared_by_what_stands_behind_its_labels():
    cells = [Cell("A, B"), Cell("B, A")]
    assert row("Blind answer", cells, same=[frozenset("AB"), frozenset("BA")]).differs is False
    assert row("Blind answer", cells, same=[(0,), (1,)]).differs is True
