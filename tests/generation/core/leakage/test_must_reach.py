"""The promised recall and precision, on items made from fixed seeds, 200 of a kind."""

from collections.abc import Callable, Sequence
from functools import partial

import pytest

from generation.core.items import Finding
from generation.core.leakage.check import LeakChecker
from tests.generation.core.leakage.planting import (
    NEGATIVE_KINDS,
    Planted,
    clean,
    hard_negative,
    plant_fact,
    plant_success,
    plant_window,
    respaced,
)
from tests.generation.core.leakage.runs import WRITTEN, Run, real_repairs, real_searches
from tests.shared_data import needs_shared

COUNT = 200

POOLS = {
    "written": lambda: WRITTEN,
    "real": lambda: (*real_repairs(), *real_searches("en"), *real_searches("zh")),
}
pools = pytest.mark.parametrize(
    "pool", ["written", pytest.param("real", marks=[needs_shared, pytest.mark.shared])]
)

window = partial(plant_window, low=60, high=200, words=8)
PLANTS: dict[str, Callable[[Sequence[Run], str], Planted]] = {
    "verbatim": window,
    "whitespace and case": partial(window, change=respaced),
    "observation in an option": partial(window, into_option=True),
    "number": partial(plant_fact, kind="number"),
    "date": partial(plant_fact, kind="date"),
    "url": partial(plant_fact, kind="url"),
    "hash": partial(plant_fact, kind="hash"),
    "success phrase": plant_success,
}
COPIES = {"verbatim", "whitespace and case", "observation in an option"}
cut_short = partial(plant_window, low=30, high=45, words=0)


def findings(item: Planted) -> list[Finding]:
    seen = LeakChecker.for_trajectory(
        task=item.run.task, steps=item.run.steps, final_answer=item.run.final_answer
    )
    found = seen.check(
        cut=item.cut, prompt=item.prompt, options=item.options, gold=item.options[:1]
    )
    for finding in found:
        text = item.prompt if finding.field == "prompt" else item.options[int(finding.field[7:])]
        assert text[finding.start : finding.end] == finding.evidence != ""
    return found


def hits(item: Planted, found: list[Finding]) -> list[Finding]:
    return [
        f
        for f in found
        if f.field == item.field and f.severity > 0 and f.start < item.end and f.end > item.start
    ]


@pools
@pytest.mark.parametrize("kind", PLANTS)
def test_planted_leaks_are_found_with_exact_offsets(kind, pool):
    items = [PLANTS[kind](POOLS[pool](), f"{kind} {n}") for n in range(COUNT)]
    found = [hits(item, findings(item)) for item in items]
    assert sum(map(bool, found)) >= 0.99 * COUNT
    grave = sum(any(f.severity >= 2 for f in each) for each in found)
    assert grave >= 0.99 * COUNT
    if kind != "success phrase":  # the phrase is a part of the planted sentence
        exact = sum(
            any((f.start, f.end) == (item.start, item.end) for f in each)
            for item, each in zip(items, found, strict=True)
        )
        assert exact >= 0.99 * COUNT
    if kind in COPIES:
        right_step = sum(
            any(f.source_step == item.step for f in each)
            for item, each in zip(items, found, strict=True)
        )
        assert right_step >= 0.95 * COUNT


@pools
def test_leaks_cut_to_30_to_45_characters_are_found(pool):
    items = [cut_short(POOLS[pool](), f"cut {n}") for n in range(COUNT)]
    assert sum(bool(hits(item, findings(item))) for item in items) >= 0.95 * COUNT


@pools
@pytest.mark.parametrize("kind", NEGATIVE_KINDS)
def test_what_only_looks_like_a_leak_is_seldom_called_one(kind, pool):
    found = [findings(hard_negative(POOLS[pool](), f"{kind} {n}", kind)) for n in range(COUNT)]
    assert sum(any(f.severity >= 2 for f in each) for each in found) <= 0.02 * COUNT


@pools
def test_no_clean_item_is_flagged(pool):
    flagged = total = 0
    for run in POOLS[pool]():
        seen = LeakChecker.for_trajectory(
            task=run.task, steps=run.steps, final_answer=run.final_answer
        )
        for cut in range(1, len(run.steps) + 1):
            item = clean(run, cut)
            for options in (item.options, ()):
                found = seen.check(
                    cut=cut, prompt=item.prompt if options else _asked(item),
                    options=options, gold=item.options[:1],
                )  # fmt: skip
                total += 1
                flagged += any(f.severity >= 1 for f in found)
                assert not [f for f in found if f.severity >= 2]
    assert total > 20
    assert flagged <= 0.02 * total


def _asked(item: Planted) -> str:
    return item.prompt[: item.prompt.index("\n\nRemarks:")]
