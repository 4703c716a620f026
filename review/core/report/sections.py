"""What a report is made of."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Table:
    """A table: ``head`` names the columns, every row has as many cells; cells are shown as given."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture: an SVG in fixed colours, its name without an ending, and what it shows."""

    name: str
    caption: str
    svg: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report with its title; ``commands`` are what reproduces its numbers."""

    title: str
    words: Sequence[str] = ()
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    commands: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The whole: a title, a line on when and from what, and the sections in their order."""

    title: str
    about: str
    sections: Sequence[Section] = field(default_factory=tuple)


def number(value: float | None, places: int = 2) -> str:
    """Return a number with that many decimals, a dash where it is undefined."""
    return "–" if value is None else f"{value:.{places}f}"


def within(value: float | None, low: float | None, high: float | None) -> str:
    """Return a number with its interval in brackets; a dash where it is undefined."""
    if value is None or low is None or high is None:
        return number(value)
    return f"{number(value)} ({number(low)} to {number(high)})"
