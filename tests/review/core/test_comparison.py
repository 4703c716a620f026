"""Two options side by side: nothing is lost, nothing differs that both have."""

from hypothesis import given
from hypothesis import strategies as st

from review.core.comparison import compare

TEXTS = st.lists(st.sampled_from(["the kiln", "cools", "", "fast now", "cools fast"])).map(
    "\n".join
)


@given(TEXTS)
def test_equal_texts_do_not_differ(text):
    assert all(row.is_same for row in compare(text, text))
    assert "\n".join(row.same for row in compare(text, text)) == text


@given(TEXTS, TEXTS)
def test_every_line_of_both_is_there(left, right):
    rows = compare(left, right)
    for name, text in (("left", left), ("right", right)):
        words = " ".join(
            row.same if row.is_same else "".join(part.text for part in getattr(row, name))
            for row in rows
        )
        assert words.split() == text.split()


def test_what_differs_is_marked_by_words_on_both_sides():
    (row,) = compare("Fire the old kiln now.", "Fire the new kiln now.")
    assert [part.text for part in row.left if part.differs] == ["old"]
    assert [part.text for part in row.right if part.differs] == ["new"]


def test_line_that_one_side_lacks_stands_alone():
    rows = compare("a\nb\nc", "a\nc")
    assert [(row.lines, row.is_same) for row in rows] == [(1, True), (1, False), (1, True)]
    assert "".join(part.text for part in rows[1].left) == "b"
    assert "".join(part.text for part in rows[1].right) == ""


def test_equal_lines_far_from_a_difference_are_folded():
    same = "\n".join(f"line {n}" for n in range(40))
    rows = compare(f"{same}\nold", f"{same}\nnew")
    assert [(row.lines, row.is_folded) for row in rows] == [(37, True), (3, False), (1, False)]


def test_texts_with_little_in_common_differ_as_a_whole():
    (row,) = compare("Fire the kiln.", "Sell the house, and the garden.")
    assert [(part.text, part.differs) for part in row.left] == [("Fire the kiln.", True)]


def test_blanks_at_the_end_of_a_line_do_not_count():
    (row,) = compare("Fire the kiln.  \nWait.", "Fire the kiln.\nWait.")
    assert row.is_same


def test_hidden_characters_are_shown():
    (row,) = compare("fire\u202e the kiln", "fire the kiln")
    assert "⟪U+202E⟫" in "".join(part.text for part in row.left)


def test_long_texts_without_a_common_word_differ_as_a_whole():
    left = " ".join(f"a{n}" for n in range(20_000))
    right = " ".join(f"b{n}" for n in range(20_000))
    (row,) = compare(left, right)
    assert [part.differs for part in row.left] == [True]
