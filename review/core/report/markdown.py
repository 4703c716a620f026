"""Writes a report as Markdown (the tables are GitHub's), with pictures beside it as files."""

from collections.abc import Iterator

from review.core.report.sections import Report, Section, Table


def as_markdown(report: Report) -> str:
    """Return the report; pictures are referred to as ``figures/NAME.svg``."""
    parts = [f"# {report.title}", _plain(report.about)]
    for section in report.sections:
        parts += _section(section)
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> Iterator[str]:
    yield f"## {section.title}"
    yield from map(_plain, section.words)
    for figure in section.figures:
        yield f"![{_plain(figure.caption)}](figures/{figure.name}.svg)"
    for table in section.tables:
        yield _table(table)
    if section.commands:
        yield "```\n" + "\n".join(section.commands) + "\n```"


def _table(table: Table) -> str:
    lines = [
        _row(table.head),
        "|" + " --- |" * len(table.head),
        *map(_row, table.rows),
    ]
    return f"**{_plain(table.title)}**\n\n" + "\n".join(lines)


def _row(cells: object) -> str:
    assert isinstance(cells, list | tuple)
    return "| " + " | ".join(_plain(str(cell)) for cell in cells) + " |"


def _plain(text: str) -> str:
    r"""Return a text that Markdown shows letter by letter: its marks escaped, on one line."""
    one_line = " ".join(text.split())
    for mark in "\\`*_[]<>|#":
        one_line = one_line.replace(mark, f"\\{mark}")
    return one_line
