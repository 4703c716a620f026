"""A number over time with its interval as a band, and marks where something changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from review.core.charts.drawing import ACCENT, ATTENTION, draw, rows_of

_WIDTH, _HEIGHT = 460, 160


@dataclass(frozen=True, slots=True)
class Moment:
    """A value at an ISO date (``2026-11-30``) with the ends of its interval, None where undefined."""

    date: str
    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened at an ISO date and may explain a change."""

    date: str
    label: str


def over_time(
    moments: Sequence[Moment],
    *,
    title: str,
    marks: Sequence[Mark] = (),
    top: float | None = 1.0,
) -> str:
    """Return the SVG of a line with a band; ``top`` is the least upper end of the axis.

    Raises:
        ValueError: there are no moments.
    """
    import altair

    if not moments:
        msg = "a chart over time needs at least one moment"
        raise ValueError(msg)
    data = [
        {"date": m.date, "value": m.value, "low": m.low, "high": m.high}
        for m in moments
        if m.value is not None
    ]
    scale = altair.Scale(domainMax=top) if top is not None else altair.Scale(zero=True)
    x = altair.X(
        "date:T",
        title=None,
        scale=altair.Scale(type="utc"),
        axis=altair.Axis(format="%m-%d", labelOverlap=True),
    )
    base = altair.Chart(rows_of(data)).encode(x=x)
    band = base.mark_area(color=ACCENT, opacity=0.18).encode(
        y=altair.Y("low:Q", scale=scale, title=title), y2="high:Q"
    )
    line = base.mark_line(color=ACCENT, strokeWidth=2).encode(y="value:Q")
    points = base.mark_point(filled=True, color=ACCENT, size=40, opacity=1).encode(y="value:Q")
    layers: list[altair.Chart] = [band, line, points]
    if marks:
        noted = altair.Chart(rows_of([{"date": m.date, "label": m.label} for m in marks])).encode(
            x="date:T"
        )
        layers.append(noted.mark_rule(color=ATTENTION, strokeDash=[4, 3]))
        layers.append(
            noted.mark_text(align="left", dx=4, color=ATTENTION, fontSize=11).encode(
                y=altair.value(8), text="label:N"
            )
        )
    return draw(layers, width=_WIDTH, height=_HEIGHT)
