"""Sets of four reports: gold and three that are worse, in which gold's place is drawn."""

from collections import Counter
from itertools import combinations

import pytest

from generation.core.near_texts import RATIO, similarity
from generation.core.operators.report_star import CHOICES, report_options
from generation.core.registry import SUBTASKS
from generation.core.subtask import Rejection
from tests.generation.core.documents import document_pool, report

SUBTASK = SUBTASKS["open_report_en"]
_WORDS = ["kiln", "fuel", "peat", "wood", "trade", "ships", "guild", "toll", "river", "market"]


_SHAPES = (
    "In {year} the {a} of town {number} gave {b} for {n} {c} loads.",
    "Nobody counted {c}, although {n} men of the {b} had asked for it in {year}.",
    "What the {a} lost, the {c} won back within {n} summers.",
    "After {year} only {n} of the old {b} were left beside the {a}.",
)


def _sentence(number: int, place: int) -> str:
    a, b, c = (_WORDS[(number * 7 + place * k) % len(_WORDS)] for k in (1, 3, 5))
    shape = _SHAPES[(number + place * 3 + place // 4) % len(_SHAPES)]
    return shape.format(a=a, b=b, c=c, number=number, n=place + 3, year=1600 + number * 9 + place)


def written(number: int, *, sections: int = 5) -> str:
    parts = [f"# Town {number}\n\nThis is about town {number}."]
    for section in range(sections):
        body = " ".join(_sentence(number, section * 5 + place) for place in range(4))
        parts.append(f"## {_WORDS[(number + section) % len(_WORDS)].title()} {section}\n\n{body}")
    return "\n\n".join(parts)


def pool(count: int):
    reports = [report(written(n), query=f"What of town {n}?") for n in range(count)]
    return document_pool(SUBTASK, reports)


@pytest.fixture(scope="module")
def made():
    return dict(report_options(pool(8), 1))


def test_gold_stands_first_among_four_that_differ_in_more_than_a_few_characters(made):
    for options in made.values():
        assert [option.is_gold for option in options] == [True, False, False, False]
        assert len({option.operator for option in options}) == CHOICES
        assert all(option.reason.endswith(".") for option in options)
    texts = [option.text for option in next(iter(made.values()))]
    assert all(similarity(one, other) < RATIO for one, other in combinations(texts, 2))


def test_the_order_of_the_pool_changes_nothing_and_the_seed_does():
    entries = pool(2)
    first = report_options(entries, 1)
    assert first == report_options(entries[::-1], 1)
    assert first != report_options(entries, 2)


def test_gold_is_what_the_others_are_made_of_as_often_as_by_chance(made):
    hubs: Counter[bool] = Counter()
    for options in made.values():
        first, *others = (option.reason for option in options[1:])
        hubs[all(reason.startswith(first) for reason in others)] += 1
    assert hubs == {False: 2, True: 6}


def test_lengths_say_nothing(made):
    for options in made.values():
        gold, *wrong = (len(option.text) for option in options)
        assert all(0.85 < length / gold < 1.15 for length in wrong)


def test_a_report_that_is_too_short_to_be_made_worse_is_left_out():
    reports = [report(written(1, sections=3).replace(".", ""), query="What of it?")]
    (only,) = report_options(document_pool(SUBTASK, reports), 1).values()
    assert only == Rejection(1, "it can be made worse in too few respects")
