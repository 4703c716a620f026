import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.question_view import Labels, excerpts, hold_code, need_room, read_gold

SEEDS = st.integers(1, 10_000)


def labels(count=4, **fields):
    return Labels.for_reader(
        **{"revision": 1, "reviewer": 2, "count": count, "secret": "s"} | fields
    )


@given(SEEDS, SEEDS, st.integers(1, 26))
def test_labels_and_positions_are_each_others_inverse(revision, reviewer, count):
    order = labels(revision=revision, reviewer=reviewer, count=count)
    for position in range(count):
        assert order.position_of(order.label_at(position)) == position


def test_readers_see_different_orders():
    orders = {labels(count=6, reviewer=reviewer).order for reviewer in range(40)}
    assert len(orders) > 30


def test_order_depends_on_the_secret():
    orders = {labels(count=6, secret=str(secret)).order for secret in range(40)}
    assert len(orders) > 30


def test_syntax_of_a_call_is_quiet_in_an_option_and_its_text_is_whole():
    (option,) = labels(count=1).shown(['{"planning":"look","execution":{}}'])
    (segment,) = option.text
    assert "".join(run.text for run in segment.runs) == segment.text
    assert [run.text for run in segment.runs if not run.is_quiet] == ["look"]
    assert [run.text for run in segment.runs if run.starts_line] == ['"execution":{}}']


def test_shown_options_are_the_texts_in_displayed_order():
    order = labels()
    shown = order.shown(["w", "x", "y", "z"])
    assert [option.label for option in shown] == ["A", "B", "C", "D"]
    texts = [option.text[0].text for option in shown]
    assert texts == [["w", "x", "y", "z"][position] for position in order.order]


@pytest.mark.parametrize("label", ["E", "a", "", "AB", "1"])
def test_label_that_is_not_shown_is_refused(label):
    with pytest.raises(ValueError, match="option"):
        labels().position_of(label)


def test_gold_that_names_no_option_is_told_apart():
    assert read_gold(["B", "F", "?", "A"], 4) == ((1, 0), ("F", "?"))


@pytest.mark.parametrize(
    ("text", "reads_as_code"),
    [
        ("def f():\n    return 1", True),
        ('{"planning": "look"}', True),
        ("diff --git a/x b/x", True),
        ("Look at the kiln.\nThen wait.", False),
        ("1. Read\n\n2. Write", False),
        ("1. Read\n  - all of it\n  2. twice", False),
    ],
)
def test_what_reads_as_code(text, reads_as_code):
    assert hold_code(["Wait.", text]) is reads_as_code


def test_options_need_room_where_one_is_long_or_code_of_many_lines():
    assert not need_room(["Wait.", "Go."])
    assert need_room(["Wait.", "x" * 1_001])
    assert need_room(["Wait.", "def f():\n" + "    pass\n" * 7])
    assert not need_room(["Wait.", "One.\n" * 7])


def test_excerpts_begin_where_the_options_first_differ():
    texts = ["# Kilns\n\nHot ones.", "# Kilns\n\nCold ones."]
    assert excerpts(texts) == ("… Hot ones.", "… Cold ones.")
    assert excerpts(["same", "same"]) == ("same", "same")
    assert excerpts(["    a = 1\n    b = 2", "c"]) == ("a = 1\nb = 2", "c")
    assert len(excerpts(["x" * 5_000, "y"])[0]) == 400
