"""A forest plot: a number with its interval for each group, one line a group."""

from collections.abc import Sequence
from dataclasses import dataclass

from review.core.charts.drawing import ACCENT, INK, QUIET, draw, rows_of

_ROW_HEIGHT = 26
_WIDTH = 460


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One group: its name, the value with the ends of its interval, and ``n`` items behind it.

    A value that is undefined, or whose interval is, has None there.
    """

    name: str
    n: int
    value: float | None
    low: float | None
    high: float | None


def forest_plot(rows: Sequence[ForestRow], *, title: str) -> str:
    """Return the SVG of the rows in their order; the axis spans -1..1 only where it must.

    Raises:
        ValueError: there are no rows.
    """
    import altair

    if not rows:
        msg = "a forest plot needs at least one row"
        raise ValueError(msg)
    lows = [row.low for row in rows if row.low is not None]
    lows += [row.value for row in rows if row.value is not None]
    start = -1.0 if any(low < -0.25 for low in lows) else -0.25 if any(x < 0 for x in lows) else 0.0
    labels = [f"{row.name}  (n {row.n})" for row in rows]
    data = [
        {
            "group": label,
            "value": row.value,
            "low": row.low,
            "high": row.high,
            "shown": "undefined" if row.value is None else f"{row.value:.2f}",
            "at": 1.0 if row.high is None else max(row.high, row.value or row.high),
        }
        for row, label in zip(rows, labels, strict=True)
    ]
    base = altair.Chart(rows_of(data)).encode(
        y=altair.Y("group:N", sort=labels, title=None, axis=altair.Axis(domain=False, ticks=False))
    )
    scale = altair.Scale(domain=[start, 1.0])
    interval = base.mark_rule(color=ACCENT, strokeWidth=2).encode(
        x=altair.X("low:Q", scale=scale, title=title), x2="high:Q"
    )
    point = base.mark_point(filled=True, color=ACCENT, size=70, opacity=1).encode(x="value:Q")
    text = base.mark_text(align="left", dx=8, color=INK).encode(x="at:Q", text="shown:N")
    zero = (
        altair.Chart(rows_of([{"x": 0}])).mark_rule(color=QUIET, strokeDash=[3, 3]).encode(x="x:Q")
    )
    layers = [interval, point, text] if start == 0.0 else [zero, interval, point, text]
    return draw(layers, width=_WIDTH, height=_ROW_HEIGHT * len(rows))
