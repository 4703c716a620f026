"""Operators on reports: what each makes worse, and what it leaves alone."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.operators.operator import Context, Unfit, Wrong
from generation.core.operators.report_edits import (
    break_logic,
    harm_readability,
    miss_request,
    perturb_facts,
)
from generation.core.selection.texts import normalise

REPORT = """\
# Kilns in 3 towns

Delft fired 1650 tiles in 12 kilns. Each held 140 of them [4].

## Fuel

1. Peat burned for 9 hours. It cost 35 guilders.
2. Wood burned for 7 hours. It cost 48 guilders.

## Trade

Ships took 1,200 tiles to London. Few came back. The rest stayed."""
CHINESE = "# 窑\n\n代尔夫特有12座窑。每座烧140片。\n\n## 燃料\n\n泥炭烧9小时。木柴烧7小时。价35盾。"
TASK = Context(task="What fuel did kilns burn?", others=("# Ovens\n\nThey bake.",))
EVERY = (perturb_facts, break_logic, harm_readability, miss_request)
numbers = st.integers(0, 10_000)


@pytest.mark.parametrize("operator", EVERY)
@pytest.mark.parametrize("report", [REPORT, CHINESE])
@given(seed=numbers)
def test_each_makes_another_report_with_a_reason_and_the_same_again(operator, report, seed):
    wrong = operator(report, TASK, seed)
    assert wrong == operator(report, TASK, seed)
    assert isinstance(wrong, Wrong)
    assert normalise(wrong.text) != normalise(report) or operator is harm_readability
    assert wrong.text != report
    assert wrong.reason.endswith(".")


@given(seed=numbers)
def test_false_numbers_are_the_report_s_own_and_lists_headings_and_citations_stay(seed):
    wrong = perturb_facts(REPORT, Context(), seed)
    assert isinstance(wrong, Wrong)
    assert "# Kilns in 3 towns" in wrong.text
    assert "[4]" in wrong.text
    assert "\n1. Peat" in wrong.text
    assert "\n2. Wood" in wrong.text
    words = Counter(wrong.text.split()) - Counter(REPORT.split())
    assert set(words) <= set(REPORT.split())


@given(seed=numbers)
def test_broken_logic_keeps_every_sentence(seed):
    wrong = break_logic(REPORT, Context(), seed)
    assert isinstance(wrong, Wrong)
    assert Counter(wrong.text.split()) == Counter(REPORT.split())


def test_a_harmed_report_is_one_line_without_marks():
    wrong = harm_readability(REPORT, Context(), 1)
    assert isinstance(wrong, Wrong)
    assert "\n" not in wrong.text
    assert "#" not in wrong.text
    assert len(wrong.text) > len(normalise(REPORT))


def test_the_section_nearest_to_the_request_is_gone():
    wrong = miss_request(REPORT, TASK, 1)
    assert isinstance(wrong, Wrong)
    assert "## Fuel" not in wrong.text
    assert "## Trade" in wrong.text
    assert "'Fuel'" in wrong.reason


def test_a_report_without_sections_gives_way_to_one_on_another_request():
    assert miss_request("They fire.", TASK, 1) == Wrong(TASK.others[0], "It answers another request.")  # fmt: skip
    assert isinstance(miss_request("They fire.", Context(), 1), Unfit)


@pytest.mark.parametrize("operator", [perturb_facts, break_logic, harm_readability])
def test_a_report_that_has_nothing_to_harm_gives_none(operator):
    assert isinstance(operator("They fire.", Context(), 1), Unfit)
    assert isinstance(operator("", Context(), 1), Unfit)
