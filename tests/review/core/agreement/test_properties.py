"""What no number may depend on, whatever the ratings."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.core.agreement.alpha import Scale, alpha
from review.core.agreement.coefficients import brennan_prediger, fleiss, gwet, raw_agreement
from review.core.agreement.cohen import cohen, conger, pairs
from review.core.agreement.specific import by_label
from review.core.agreement.summary import agreement_of
from review.core.agreement.table import RatingTable
from review.core.agreement.weights import Weights, weight_matrix
from tests.review.core.agreement.tables import table_of

LABELS = (0, 1, 2, 3)
label = st.none() | st.sampled_from(LABELS)
Rows = list[tuple[Any, ...]]
ratings = st.lists(st.tuples(label, label, label), min_size=1, max_size=12)
quick = settings(max_examples=60, deadline=None)


def numbers(table: RatingTable) -> dict[str, float | None]:
    counts = table.counts()
    quadratic = weight_matrix(Weights.QUADRATIC, len(table.labels))
    values = {
        "raw": raw_agreement(counts),
        "fleiss": fleiss(counts),
        "gwet": gwet(counts),
        "bp": brennan_prediger(counts),
        "conger": conger(table),
        "nominal": alpha(table, Scale.NOMINAL),
        "ordinal": alpha(table, Scale.ORDINAL),
        "fleiss quadratic": fleiss(counts, quadratic),
        "gwet quadratic": gwet(counts, quadratic),
    }
    return {name: value.number for name, value in values.items()}


def same(ours: dict[str, float | None], others: dict[str, float | None]) -> bool:
    return set(ours) == set(others) and all(
        value == pytest.approx(others[name], abs=1e-9) for name, value in ours.items()
    )


@given(ratings, st.permutations(range(3)))
@quick
def test_order_of_raters_changes_nothing(rows: Rows, order: list[int]):
    turned = [tuple(row[place] for place in order) for row in rows]
    assert same(numbers(table_of(rows, LABELS)), numbers(table_of(turned, LABELS)))


@given(ratings.flatmap(lambda rows: st.tuples(st.just(rows), st.permutations(rows))))
@quick
def test_order_of_items_changes_nothing_not_even_the_interval(both: tuple[Rows, Rows]):
    first, second = (table_of(rows, LABELS) for rows in both)
    assert same(numbers(first), numbers(second))
    summaries = [agreement_of(t, Scale.ORDINAL, seed=5, resamples=40) for t in (first, second)]
    assert summaries[0].alpha_interval == summaries[1].alpha_interval


@given(ratings, st.permutations(LABELS))
@quick
def test_names_of_labels_change_nothing(rows: Rows, names: list[int]):
    renamed = [tuple(None if x is None else f"label {names[x]}" for x in row) for row in rows]
    declared = [f"label {name}" for name in names]
    ours, others = numbers(table_of(rows, LABELS)), numbers(table_of(renamed, declared))
    assert same(ours, others)
    # Another order of the declaration leaves what does not look at order.
    shuffled = numbers(table_of(renamed, sorted(declared)))
    nominal = ("raw", "fleiss", "gwet", "bp", "conger", "nominal")
    assert same({n: ours[n] for n in nominal}, {n: shuffled[n] for n in nominal})


@given(ratings)
@quick
def test_duplicated_items_leave_shares_and_move_alpha_by_its_small_sample_term(rows: Rows):
    once, twice = numbers(table_of(rows, LABELS)), numbers(table_of(rows * 2, LABELS))
    unmoved = ("raw", "fleiss", "gwet", "bp", "conger")
    assert same({n: once[n] for n in unmoved}, {n: twice[n] for n in unmoved})
    size = sum(len(kept) for row in rows if len(kept := [x for x in row if x is not None]) > 1)
    if once["nominal"] is not None:
        # 1 - alpha grows with n - 1 over n: (2n - 1) / 2n against (n - 1) / n.
        lost = (1 - once["nominal"]) * (2 * size - 1) / (2 * size - 2)
        assert twice["nominal"] == pytest.approx(1 - lost)


@given(ratings)
@quick
def test_items_and_raters_without_labels_change_nothing(rows: Rows):
    padded = [(None, *row, None) for row in rows] + [(None,) * 5] * 3
    assert same(numbers(table_of(rows, LABELS)), numbers(table_of(padded, LABELS)))


@given(ratings)
@quick
def test_single_labels_do_not_touch_raw_and_alpha(rows: Rows):
    alone = [(3, None, None), (None, 0, None)]
    ours, others = numbers(table_of(rows, LABELS)), numbers(table_of([*rows, *alone], LABELS))
    for name in ("raw", "nominal", "ordinal"):
        assert same({name: ours[name]}, {name: others[name]})


@given(ratings)
@quick
def test_every_number_is_defined_or_has_a_reason_and_none_is_above_one(rows: Rows):
    table = table_of(rows, LABELS)
    for value in numbers(table).values():
        assert value is None or value <= 1 + 1e-12
    for found in by_label(table):
        assert found.specific.reason or 0 <= (found.specific.number or 0) <= 1
        assert found.alpha.reason or (found.alpha.number or 0) <= 1 + 1e-12


@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1))
@quick
def test_two_raters_without_gaps_make_conger_cohen(rows: Rows):
    table = table_of(rows, LABELS)
    (pair,) = pairs(table)
    for weights in (None, weight_matrix(Weights.LINEAR, 4)):
        ours, theirs = conger(table, weights).number, cohen(pair.both, weights).number
        assert (ours is None) == (theirs is None)
        assert ours is None or ours == pytest.approx(theirs, abs=1e-9)


@given(ratings)
@quick
def test_pairs_count_what_two_loops_count(rows: Rows):
    found = {(p.first, p.second): p.both for p in pairs(table_of(rows, LABELS))}
    for first in range(3):
        for second in range(first + 1, 3):
            both = np.zeros((4, 4), dtype=int)
            for row in rows:
                if row[first] is not None and row[second] is not None:
                    both[row[first], row[second]] += 1
            counted = found.get((f"r{first}", f"r{second}"))
            assert (counted is None) == (not both.any())
            assert counted is None or np.array_equal(counted, both)
