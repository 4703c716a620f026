from hypothesis import given
from hypothesis import strategies as st

from review.core.json_syntax import Syntax
from review.core.marks import Mark, Run, Segment, segments

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


def test_mark_that_cuts_through_syntax_is_one_segment_with_its_runs():
    text = '{"a":"kiln"}'
    syntax = (Syntax(0, 6), Syntax(10, 12))
    assert segments(text, [Mark(4, 8, 7)], syntax=syntax) == (
        Segment('{"a"', None, (Run('{"a"', is_quiet=True),)),
        Segment(':"ki', 7, (Run(':"', is_quiet=True), Run("ki"))),
        Segment('ln"}', None, (Run("ln"), Run('"}', is_quiet=True))),
    )


def test_line_starts_where_its_run_starts_and_not_again_after_a_mark():
    found = segments("ab", [Mark(1, 2, 7)], syntax=[Syntax(0, 2, starts_line=True)])
    assert [run.starts_line for segment in found for run in segment.runs] == [True, False]


@given(st.text(st.sampled_from("abc\n"), max_size=35), MARKS)
def test_segments_together_are_the_text(text, marks):
    assert "".join(segment.text for segment in segments(text, marks)) == text
