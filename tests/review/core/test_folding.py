import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.folding import PIECE, fold, piece, step_limit

TEXTS = st.text(st.sampled_from("ab\n"), max_size=400)


def test_short_text_is_not_folded():
    folded = fold("abc", limit=3)
    assert (folded.head, folded.tail, folded.is_folded) == ("abc", "", False)


def test_long_text_is_cut_at_line_ends():
    text = "".join(f"{n:03d}\n" for n in range(100))
    folded = fold(text, limit=80)
    assert folded.head == "".join(f"{n:03d}\n" for n in range(15))
    assert folded.tail == "".join(f"{n:03d}\n" for n in range(96, 100))
    assert (folded.folded_lines, folded.size) == (81, 400)


def test_one_endless_line_is_cut_inside():
    folded = fold("x" * 2_000_000, limit=6_000)
    assert (len(folded.head), len(folded.tail)) == (4_500, 1_500)
    assert (folded.folded_lines, folded.folded_size) == (0, 1_994_000)


@given(TEXTS, st.integers(8, 100))
def test_head_middle_and_tail_are_the_text(text, limit):
    folded = fold(text, limit=limit)
    middle = text[folded.middle_start : folded.middle_end]
    assert folded.head + middle + folded.tail == text
    assert len(folded.head) + len(folded.tail) <= max(limit, 0) or not folded.is_folded


@pytest.mark.parametrize("middle", [1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])
def test_pieces_are_the_middle_in_order(middle):
    text = "h" * 75 + "m" * middle + "t" * 25
    found, number, left = "", 1, middle
    while part := piece(text, limit=100, number=number):
        found += part.text
        left -= len(part.text)
        assert part.left == left
        assert part.following == (number + 1 if left else None)
        number += 1
    assert found == "m" * middle


@pytest.mark.parametrize("number", [-1, 0, 2, 99])
def test_piece_that_is_not_there(number):
    assert piece("x" * 300, limit=100, number=number) is None
    assert piece("short", limit=100, number=1) is None


@pytest.mark.parametrize(("steps", "limit"), [(0, 6_000), (100, 6_000), (300, 2_000), (1_000, 800)])
def test_the_more_steps_the_less_of_each(steps, limit):
    assert step_limit(steps) == limit
