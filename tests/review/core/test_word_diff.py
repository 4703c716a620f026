"""The word diff is exact, minimal where it can be, and bounded in time."""

import random
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from review.core.edits import Change
from review.core.word_diff import Piece, is_changed, matches, shortened, tokens, word_diff

KEPT, REMOVED, ADDED = Change.KEPT, Change.REMOVED, Change.ADDED
TEXTS = st.text(alphabet="ab 甲乙\n.-_é\U0001f600", max_size=60)


def signed(old: str, new: str) -> list[str]:
    return [piece.change.value + piece.text for piece in word_diff(old, new)]


@given(TEXTS, TEXTS)
@example("", "")
@example("a b", "a  b")
def test_pieces_are_both_texts_and_applying_them_gives_the_new_one(old, new):
    pieces = word_diff(old, new)
    assert "".join(p.text for p in pieces if p.change is not ADDED) == old
    assert "".join(p.text for p in pieces if p.change is not REMOVED) == new
    assert all(piece.text for piece in pieces)
    assert is_changed(pieces) == (old != new)


@given(TEXTS, TEXTS, st.integers(0, 40))
def test_comparison_that_may_take_few_steps_is_still_exact(old, new, steps):
    pieces = word_diff(old, new, steps=steps)
    assert "".join(p.text for p in pieces if p.change is not ADDED) == old
    assert "".join(p.text for p in pieces if p.change is not REMOVED) == new


def longest_common(old: list[str], new: list[str]) -> int:
    """The textbook's table of longest common subsequences."""
    row = [0] * (len(new) + 1)
    for left in old:
        before = row[:]
        for at, right in enumerate(new):
            row[at + 1] = before[at] + 1 if left == right else max(before[at + 1], row[at])
    return row[-1]


@given(st.lists(st.sampled_from("abc"), max_size=25), st.lists(st.sampled_from("abc"), max_size=25))
def test_as_much_is_kept_as_can_be(old, new):
    runs = matches(old, new)
    assert sum(run.length for run in runs) == longest_common(old, new)
    for run in runs:
        assert old[run.old : run.old + run.length] == new[run.new : run.new + run.length]
    assert all(a.old + a.length <= b.old for a, b in pairwise(runs))
    assert all(a.new + a.length <= b.new for a, b in pairwise(runs))


def test_example_of_the_published_algorithm_has_five_differences():
    old, new = list("ABCABBA"), list("CBABAC")
    kept = sum(run.length for run in matches(old, new))
    assert len(old) + len(new) - 2 * kept == 5


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Fix the kiln.", "Fix the old kiln.", [" Fix the ", "+old ", " kiln."]),
        ("Fix the kiln.", "Sell the kiln.", ["-Fix", "+Sell", "  the kiln."]),
        ("one two three", "1 2 three", ["-one two", "+1 2", "  three"]),
        ("修复窑炉。", "修理窑炉。", [" 修", "-复", "+理", " 窑炉。"]),
        ("print(x)", "print(y)", [" print(", "-x", "+y", " )"]),
        ("", "new", ["+new"]),
        ("old", "", ["-old"]),
        ("same", "same", [" same"]),
    ],
)
def test_changes_are_whole_words_and_single_cjk_characters(old, new, expected):
    assert signed(old, new) == expected


def test_lines_between_two_changes_stay():
    assert signed("a\nb", "c\nd") == ["-a", "+c", " \n", "-b", "+d"]


def test_tokens_are_words_blanks_signs_and_cjk_characters():
    assert tokens("go_on  到2号, ok") == ["go_on", "  ", "到", "2", "号", ",", " ", "ok"]


def drawn(seed: int, words: str, count: int) -> str:
    return " ".join(random.Random(seed).choices(words, k=count))


HOSTILE = {
    "unlike": (drawn(1, "abcdefgh", 100_000), drawn(2, "abcdefgh", 100_000)),
    "repeated": ("a " * 100_000, "a b " * 50_000),
    "reversed": (" ".join(map(str, range(33_000))), " ".join(map(str, range(33_000, 0, -1)))),
    "shifted": ("ab" * 50 + "ab " * 66_000, "ba " * 66_000),
    "one word": ("a" * 200_000, "b" * 200_000),
    "cjk": (drawn(3, "的一是在不了有和", 100_000), drawn(4, "的一是在不了有和", 100_000)),
    "punctuation": ("({[" * 66_000, ")}]" * 66_000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_of_200_kb_takes_less_than_two_seconds(name):
    old, new = HOSTILE[name]
    begin = process_time()
    pieces = word_diff(old, new)
    assert process_time() - begin < 2
    assert "".join(p.text for p in pieces if p.change is not REMOVED) == new


def test_few_changes_in_long_text_are_found_one_by_one():
    words = [f"word{number}" for number in range(20_000)]
    changed = [f"new{n}" if n % 200 == 100 else word for n, word in enumerate(words)]
    pieces = word_diff(" ".join(words), " ".join(changed))
    assert sum(piece.change is ADDED for piece in pieces) == 100


def test_many_changes_in_long_text_are_found_beside_anchors():
    words = [f"word{number}" for number in range(20_000)]
    changed = [f"new{n}" if n % 10 == 5 else word for n, word in enumerate(words)]
    pieces = word_diff(" ".join(words), " ".join(changed))
    assert sum(piece.change is ADDED for piece in pieces) == 2_000


def test_long_kept_text_is_shortened_beside_changes_only():
    pieces = (Piece(KEPT, "x" * 100), Piece(ADDED, "new"), Piece(KEPT, "y" * 100))
    assert shortened(pieces, around=10) == (
        90,
        Piece(KEPT, "x" * 10),
        Piece(ADDED, "new"),
        Piece(KEPT, "y" * 10),
        90,
    )
    assert shortened((Piece(KEPT, "x" * 15), Piece(ADDED, "n")), around=10) == (
        Piece(KEPT, "x" * 15),
        Piece(ADDED, "n"),
    )
