"""Estimated skills: known raters are found again, and nothing is made up."""

import numpy as np
import pytest

from review.core.agreement.dawid_skene import estimate_skills
from tests.review.core.agreement.tables import table_of


def simulated(accuracies, *, units=3000, labels=3, seed=11):
    random = np.random.default_rng(seed)
    truth = random.integers(0, labels, size=units)
    columns = []
    for accuracy in accuracies:
        wrong = (truth + random.integers(1, labels, size=units)) % labels
        columns.append(np.where(random.random(units) < accuracy, truth, wrong))
    return truth, table_of(np.column_stack(columns).tolist(), range(labels))


@pytest.mark.parametrize("one_coin", [True, False])
def test_accuracies_are_found_again(one_coin):
    known = [0.95, 0.8, 0.7, 0.55, 0.9]
    truth, table = simulated(known)
    skills = estimate_skills(table, one_coin=one_coin)
    assert skills is not None
    assert skills.has_converged
    assert skills.accuracy == pytest.approx(known, abs=0.03)
    assert (skills.posterior.argmax(axis=1) == truth).mean() > 0.96
    assert skills.shares == pytest.approx([1 / 3] * 3, abs=0.03)


def test_likelihood_never_falls():
    _, table = simulated([0.7, 0.6, 0.65], units=300)
    for one_coin in (True, False):
        skills = estimate_skills(table, one_coin=one_coin)
        assert skills is not None
        assert (np.diff(skills.log_likelihood) > -1e-6).all()


def test_confusion_finds_who_mixes_up_which_labels():
    rows = [[0, 0, 0], [1, 1, 2], [2, 2, 1]] * 50
    skills = estimate_skills(table_of(rows, range(3)), one_coin=False)
    assert skills is not None
    assert skills.confusion[2] == pytest.approx(
        np.array([[1, 0, 0], [0, 0, 1], [0, 1, 0]]), abs=1e-6
    )
    assert skills.accuracy == pytest.approx([1, 1, 1 / 3], abs=1e-6)


def test_unanimous_raters_are_taken_to_be_right():
    skills = estimate_skills(table_of([["a", "a", None], ["b", "b", "b"]]), one_coin=True)
    assert skills is not None
    assert skills.accuracy == pytest.approx([1, 1, 1])
    assert skills.posterior == pytest.approx(np.eye(2))


def test_rows_are_shares():
    _, table = simulated([0.7, 0.6], units=40, labels=4)
    skills = estimate_skills(table, one_coin=False)
    assert skills is not None
    assert skills.confusion.sum(axis=2) == pytest.approx(np.ones((2, 4)))
    assert skills.posterior.sum(axis=1) == pytest.approx(np.ones(40))


def test_no_labels_say_nothing():
    assert estimate_skills(table_of([], ["a", "b"]), one_coin=True) is None
