"""Patch options: real ones that failed, that apply, written as gold is; or the reason to wait."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.core.operators.failed_patches import failed_patches, rewritten
from generation.core.operators.patches import applied
from generation.core.operators.unified_diff import unified_diff
from generation.core.patches import PatchError
from generation.core.registry import SUBTASKS
from generation.core.subtask import Draft, PoolEntry, Rejection
from tests.generation.core.subtasks.bug_fix_documents import (
    FIX,
    PATH,
    SOURCE,
    TEST_FIX,
    TEST_PATH,
    TESTS,
    instance,
    patch,
    prediction,
    replaced,
)

FILES = {PATH: SOURCE, TEST_PATH: TESTS}


def wrong(number: int) -> str:
    return patch(SOURCE, replaced("warm > limit_5:", f"warm > limit_5 * {'2 + ' * number}1:"))


def entry(*failed, fix: str = FIX, key: str = "k") -> PoolEntry:
    document = instance(fix)
    gold = rewritten(fix, {PATH: SOURCE})
    return PoolEntry(key, key, "acme", Draft(1, gold, {}), (), (), document, tuple(failed))


def made(*failed, seed: int = 1):
    pool = [entry(*failed)]
    return failed_patches(pool, seed, choices=4, is_fit=lambda path: not path.startswith("tests"))[
        "k"
    ]


THREE = [prediction(wrong(number), f"model-{number}") for number in (1, 2, 3)]


def test_three_failed_patches_stand_beside_gold_with_their_reasons():
    options = made(*THREE)
    assert not isinstance(options, Rejection)
    assert [option.is_gold for option in options] == [True, False, False, False]
    assert len({option.text for option in options}) == 4
    assert all("does not resolve" in option.reason for option in options[1:])
    assert {option.operator for option in options[1:]} == {"failed_prediction"}
    assert all(applied(option.text, FILES) != FILES for option in options)


def test_an_option_is_written_by_rule_whoever_wrote_it():
    noisy = (
        wrong(1).replace("diff --git", "index 1..2\ndiff --git").replace(" @@\n", " @@ def f:\n")
    )
    options = made(replace(THREE[0], sections=prediction(noisy, "m").sections), *THREE[1:])
    assert not isinstance(options, Rejection)
    assert {option.text for option in options} >= {rewritten(wrong(1), FILES)}


@pytest.mark.parametrize(
    "useless",
    [
        "no patch",
        FIX,
        FIX.replace("margin:", "margin:  "),
        wrong(2),
        wrong(1).replace("limit_5", "limit_x"),
        patch(TESTS, TESTS + "# more\n", TEST_PATH),
        wrong(4) + patch(TESTS, TESTS + "# more\n", TEST_PATH),
        patch("a\n", "b\n", "kiln/unknown.py"),
    ],
)
def test_what_is_no_wrong_fix_is_not_counted_and_the_draft_waits(useless):
    assert made(THREE[0], THREE[1], prediction(useless, "x")) == Rejection(
        1, "waits: 2 of 3 wrong patches of the issue are known"
    )


def test_of_more_those_are_taken_that_hide_gold_and_the_same_ones_again():
    more = [prediction(wrong(number), f"model-{number}") for number in range(1, 8)]
    assert made(*more) == made(*reversed(more))
    drawn = {made(*more, seed=seed) for seed in range(6)}
    assert len(drawn) > 1


def test_gold_is_as_often_long_as_short_where_there_is_a_choice():
    more = [prediction(wrong(number), f"model-{number}") for number in range(8)]
    pool = [entry(*more, key=f"k{place:02}") for place in range(40)]
    sets = failed_patches(pool, 3, choices=4, is_fit=lambda _path: True)
    ranks = [
        sum(len(option.text) > len(options[0].text) for option in options)
        for options in sets.values()
        if not isinstance(options, Rejection)
    ]
    assert len(ranks) == 40
    assert len(set(ranks)) >= 3
    assert max(ranks.count(rank) for rank in range(4)) <= 24


lines = st.lists(st.sampled_from(["a\n", "b\n", "\n", "-c\n"]), max_size=14)


@given(old=lines, new=lines, bare=st.booleans())
def test_a_difference_applies_and_gives_the_new_text(old, new, bare):
    before, after = "".join(old), "".join(new)
    after = after[: -bare or None]
    text = unified_diff("x", before, after)
    assert (text == "") == (before == after)
    if text:
        assert applied(text, {"x": before}) == {"x": after}


@pytest.mark.parametrize(("old", "new"), [*product([None, "a\n", "a"], [None, "b\n", "a\nb"])])
def test_files_are_made_and_removed(old, new):
    if old is None and new is None:
        return
    there = {} if old is None else {"x": old}
    assert applied(unified_diff("x", old, new), there) == ({} if new is None else {"x": new})


def test_a_patch_that_changes_nothing_can_not_be_written():
    with pytest.raises(PatchError, match="changes nothing"):
        rewritten("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+a\n", {"x": "a\n"})


def test_both_patch_subtasks_take_what_is_theirs():
    tests = [
        prediction(
            patch(TESTS, TESTS + f"\n    def test_{n}(self):\n        pass\n", TEST_PATH), f"m{n}"
        )
        for n in range(3)
    ]
    for name, fix, gold_of in (
        ("issue_fix_fix_patch", "patch", FIX),
        ("issue_fix_test_patch", "test_patch", TEST_FIX),
    ):
        subtask = SUBTASKS[name]
        document = instance()
        assert subtask.build_document is not None
        assert subtask.make_options is not None
        (draft,) = subtask.build_document(document)
        assert isinstance(draft, Draft), (draft, fix)
        assert draft.gold == rewritten(gold_of, FILES)
        pool = [PoolEntry("k", "c", "a", draft, (), (), document, (*tests, *THREE))]
        options = subtask.make_options(pool, 1)["k"]
        assert not isinstance(options, Rejection)
        paths = {PATH} if fix == "patch" else {TEST_PATH}
        assert all(f"+++ b/{path}" in o.text for o in options for path in paths)


@pytest.mark.parametrize(
    ("name", "document", "why"),
    [
        (
            "issue_fix_fix_patch",
            instance(files={}),
            "the text of a changed file is not here: import with --repos",
        ),
        ("issue_fix_fix_patch", instance(TEST_FIX), "the right patch changes tests"),
        ("issue_fix_test_patch", instance(test_patch=""), "the instance has no test patch"),
        (
            "issue_fix_test_patch",
            instance(test_patch=FIX),
            "the test patch changes files that are no tests",
        ),
        (
            "issue_fix_test_patch",
            instance(problem="Fails\n\n    self.assertEqual(fire.stage_5(2), 7)"),
            "the issue shows the fix",
        ),
    ],
)
def test_every_instance_left_out_has_its_reason(name, document, why):
    build = SUBTASKS[name].build_document
    assert build is not None
    assert list(build(document)) == [Rejection(1, why)]
