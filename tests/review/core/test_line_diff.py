"""The comparison of two versions of a text."""

from hypothesis import given
from hypothesis import strategies as st

from review.core.line_diff import Change, Line, line_diff

SAME, REMOVED, ADDED = Change.SAME, Change.REMOVED, Change.ADDED


def test_changed_word_is_marked_within_its_line():
    lines = line_diff("one\ntake the first step\nthree", "one\ntake the last step\nthree")
    assert lines == [
        Line(SAME, ((SAME, "one"),)),
        Line(REMOVED, ((SAME, "take the "), (REMOVED, "first"), (SAME, " step"))),
        Line(ADDED, ((SAME, "take the "), (ADDED, "last"), (SAME, " step"))),
        Line(SAME, ((SAME, "three"),)),
    ]


def test_line_of_other_words_is_removed_and_added_whole():
    lines = line_diff("sell the kiln", "nothing alike here!")
    assert lines == [
        Line(REMOVED, ((REMOVED, "sell the kiln"),)),
        Line(ADDED, ((ADDED, "nothing alike here!"),)),
    ]


def test_unchanged_lines_far_from_a_change_are_left_out_and_counted():
    before = "\n".join(f"line {number}" for number in range(20))
    lines = line_diff(before, before + "\nnew")
    assert lines == [
        Line(Change.LEFT_OUT, (), 18),
        Line(SAME, ((SAME, "line 18"),)),
        Line(SAME, ((SAME, "line 19"),)),
        Line(ADDED, ((ADDED, "new"),)),
    ]


def test_same_texts_have_no_difference():
    assert line_diff("a\nb\n", "a\nb") == []


TEXTS = st.lists(st.text(alphabet="ab 中", max_size=8), max_size=12).map("\n".join)


@given(TEXTS, TEXTS)
def test_shown_lines_and_counts_make_up_both_texts(before, after):
    lines = line_diff(before, after)
    if not lines:
        assert before.splitlines() == after.splitlines()
        return
    for kind, text in ((REMOVED, before), (ADDED, after)):
        rest = text.splitlines()
        for line in lines:
            if line.kind == Change.LEFT_OUT:
                rest = rest[line.count :]
            elif line.kind in {SAME, kind}:
                assert "".join(piece for _change, piece in line.pieces) == rest.pop(0)
        assert rest == []
