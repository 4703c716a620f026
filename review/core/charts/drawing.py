"""Draws a chart as SVG in the page's own tokens: one picture fits both themes and print.

What draws takes 40 MB: it is loaded with the first chart, so that web processes that show none
stay small.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair

INK = "#1d1f23"
QUIET = "#585d66"
LINE = "#dfdfda"
ACCENT = "#2450b2"
ATTENTION = "#7d4b00"

_TOKENS = {
    INK: "var(--ink)",
    QUIET: "var(--quiet)",
    LINE: "var(--line)",
    ACCENT: "var(--accent)",
    ATTENTION: "var(--attention)",
}
# A browser's letters are wider than those the picture was measured with.
_PADDING = {"left": 24, "right": 24, "top": 4, "bottom": 4}
_FONT = "system-ui, Noto Sans, Noto Sans CJK SC, sans-serif"
_CONFIG: dict[str, Any] = {
    "background": None,
    "font": _FONT,
    "view": {"stroke": None},
    "axis": {
        "domainColor": LINE,
        "gridColor": LINE,
        "tickColor": LINE,
        "labelColor": QUIET,
        "titleColor": QUIET,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 280,
    },
    "text": {"color": INK, "fontSize": 12},
}


def rows_of(values: Iterable[Mapping[str, Any]]) -> "altair.InlineData":
    """Return rows as the data of a chart."""
    import altair

    return altair.InlineData(values=[dict(row) for row in values])


def draw(layers: "Sequence[altair.Chart]", *, width: int, height: int) -> str:
    """Return the layers over each other as SVG text, in the light theme's colours."""
    import altair
    import vl_convert

    chart = altair.layer(*layers).properties(width=width, height=height, padding=_PADDING)
    spec = chart.to_dict()
    svg: str = vl_convert.vegalite_to_svg({**spec, "config": _CONFIG}, allowed_base_urls=[])
    return svg


def in_tokens(svg: str) -> str:
    """Return an SVG of ``draw`` with the page's custom properties in place of fixed colours.

    Shown inside a page it then follows the theme; in a file of its own it would have no colour.
    """
    for colour, token in _TOKENS.items():
        svg = svg.replace(f'"{colour}"', f'"{token}"')
    return svg
