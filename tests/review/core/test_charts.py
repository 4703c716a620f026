"""Charts are pictures of the very numbers beside them, safe to show inside a page."""

import re
from xml.etree import ElementTree

import pytest

from review.core.charts.drawing import in_tokens
from review.core.charts.forest import ForestRow, forest_plot
from review.core.charts.over_time import Mark, Moment, over_time

ROWS = [
    ForestRow("issue_fix_plan", 120, 0.62, 0.5, 0.71),
    ForestRow("<script>alert(1)</script>", 44, 0.81, 0.7, 0.9),
    ForestRow("closed_answer_zh", 3, None, None, None),
]


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.text]


def test_forest_plot_names_groups_numbers_and_what_is_undefined():
    shown = texts(forest_plot(ROWS, title="alpha"))
    assert any(re.fullmatch(r"issue_fix_plan\s+\(n 120\)", text) for text in shown)
    assert {"0.62", "0.81", "undefined", "alpha"} <= set(shown)


def test_names_of_groups_are_text_never_markup():
    svg = forest_plot(ROWS, title="alpha")
    assert "<script" not in svg
    assert any("alert(1)" in text for text in texts(svg))


def test_pictures_hold_no_inline_style_and_no_colour_but_the_tokens():
    for svg in (
        forest_plot(ROWS, title="alpha"),
        over_time([Moment("2026-10-05", 0.5, 0.3, 0.7)], title="alpha"),
    ):
        assert "style=" not in svg
        assert not re.search(r"#[0-9a-f]{6}", in_tokens(svg))


def test_axis_reaches_below_zero_only_where_a_number_does():
    assert "−0.2" not in "".join(texts(forest_plot(ROWS, title="alpha")))
    below = [*ROWS, ForestRow("low", 9, -0.1, -0.2, 0.1)]
    assert "−0.2" in "".join(texts(forest_plot(below, title="alpha")))


def test_marks_of_changes_stand_in_the_chart_over_time():
    svg = over_time(
        [Moment("2026-10-05", 0.5, 0.3, 0.7), Moment("2026-10-12", 0.6, 0.5, 0.7)],
        title="alpha",
        marks=[Mark("2026-10-10", "guidelines 2")],
    )
    assert "guidelines 2" in texts(svg)
    assert "10-05" in texts(svg)


@pytest.mark.parametrize("draw", [forest_plot, over_time])
def test_a_chart_of_nothing_is_refused(draw):
    with pytest.raises(ValueError, match="at least one"):
        draw([], title="alpha")
