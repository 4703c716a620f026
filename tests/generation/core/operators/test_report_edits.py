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
    sections_of,
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
CHINESE = "# 窑\n\n代尔夫特有12座窑。每座烧140片。\n\n## 燃料\n\n泥炭烧9小时。木柴烧7小时。价35盾。\n\n## 贸易\n\n船运瓦到伦敦。很少回来。"
OTHERS = (
    "# Ovens\n\n## Bread\n\nIt bakes for an hour in the oldest of the ovens. Then it rests on a cold "
    "stone until the evening bell.\n\n## Salt\n\nSalt came by sea in grey sacks. It was dear in "
    "winter.\n\n## Dough\n\nIt rises.",
)
CHINESE_OTHERS = ("# 面包\n\n## 盐\n\n盐从海上来。它很贵。冬天更贵。\n\n## 面\n\n面团要发一夜。",)
TASK = Context(task="What fuel did kilns burn?", others=OTHERS)
CHINESE_TASK = Context(task="燃料是什么？", others=CHINESE_OTHERS)
EVERY = (perturb_facts, break_logic, harm_readability, miss_request)
numbers = st.integers(0, 10_000)


@pytest.mark.parametrize("operator", EVERY)
@pytest.mark.parametrize(("report", "context"), [(REPORT, TASK), (CHINESE, CHINESE_TASK)])
@given(seed=numbers)
def test_each_makes_another_report_with_a_reason_and_the_same_again(
    operator, report, context, seed
):
    wrong = operator(report, context, seed)
    assert wrong == operator(report, context, seed)
    assert isinstance(wrong, Wrong)
    assert normalise(wrong.text) != normalise(report)
    assert wrong.reason.endswith(".")


@pytest.mark.parametrize("operator", EVERY)
@given(seed=numbers)
def test_neither_length_nor_layout_tells_which_report_is_worse(operator, seed):
    wrong = operator(REPORT, TASK, seed)
    assert isinstance(wrong, Wrong)
    assert 0.8 < len(wrong.text) / len(REPORT) < 1.25
    levels = [line.split(" ")[0] for line in REPORT.splitlines() if line.startswith("#")]
    assert [
        line.split(" ")[0] for line in wrong.text.splitlines() if line.startswith("#")
    ] == levels
    if operator is not miss_request:
        assert [bool(line) for line in wrong.text.splitlines()] == [
            bool(line) for line in REPORT.splitlines()
        ]


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


@given(seed=numbers)
def test_a_harmed_report_has_its_sentences_mixed_up_within_their_sections(seed):
    wrong = harm_readability(REPORT, Context(), seed)
    assert isinstance(wrong, Wrong)
    for mine, theirs in zip(sections_of(wrong.text), sections_of(REPORT), strict=True):
        assert Counter(mine.split()) == Counter(theirs.split())


def test_the_section_nearest_to_the_request_gives_way_to_one_of_another_report():
    wrong = miss_request(REPORT, TASK, 1)
    assert isinstance(wrong, Wrong)
    assert "## Fuel" not in wrong.text
    assert "## Bread" in wrong.text
    assert "## Trade" in wrong.text
    assert wrong.reason == "Instead of 'Fuel' it treats what was not asked."


def test_a_section_that_comes_in_takes_the_level_and_number_of_the_one_it_replaces():
    numbered = REPORT.replace("## Fuel", "## 2. Fuel")
    wrong = miss_request(numbered, TASK, 1)
    assert isinstance(wrong, Wrong)
    assert "## 2. Bread" in wrong.text


def test_a_report_without_sections_or_with_no_other_report_at_hand_can_not_miss_its_request():
    assert isinstance(miss_request("They fire.", TASK, 1), Unfit)
    assert isinstance(miss_request(REPORT, Context(task="What fuel?"), 1), Unfit)


@given(st.text(alphabet="# \nAb.12。年|-", max_size=80), numbers)
def test_any_text_is_survived(text, seed):
    for operator in EVERY:
        result = operator(text, TASK, seed)
        assert not isinstance(result, Wrong) or result.text != text


@pytest.mark.parametrize("operator", [perturb_facts, break_logic, harm_readability])
def test_a_report_that_has_nothing_to_harm_gives_none(operator):
    assert isinstance(operator("They fire.", Context(), 1), Unfit)
    assert isinstance(operator("", Context(), 1), Unfit)
