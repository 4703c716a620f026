from hypothesis import given
from hypothesis import strategies as st

from review.core.marks import Mark, Segment, segments

MARKS = st.lists(st.builds(Mark, st.integers(0, 30), st.integers(0, 40), st.integers(1, 5)))


def test_text_is_cut_at_its_marks():
    assert segments("sell the kiln", [Mark(9, 13, 7), Mark(0, 4, 5)]) == (
        Segment("sell", 5),
        Segment(" the "),
        Segment("kiln", 7),
    )


def test_offsets_are_those_of_the_text_as_it_was():
    text = "\x1b[1mbold\x1b[0m\u200b end"
    assert segments(text, [Mark(text.index("end"), len(text), 1)])[-1] == Segment("end", 1)


def test_overlapping_marks_do_not_repeat_text():
    assert segments("abcdef", [Mark(0, 4, 1), Mark(2, 6, 2)]) == (
        Segment("abcd", 1),
        Segment("ef", 2),
    )


def test_mark_beyond_the_text_or_empty_marks_nothing():
    assert segments("abc", [Mark(5, 9, 1), Mark(1, 1, 2)]) == (Segment("abc"),)
    assert segments("", []) == ()


@given(st.text(st.sampled_from("abc\n"), max_size=35), MARKS)
def test_segments_together_are_the_text(text, marks):
    assert "".join(segment.text for segment in segments(text, marks)) == text
