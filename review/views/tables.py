"""Tables that sort by their heads and come as files; the address says how, so that a link keeps it.

``sort-NAME=key`` sorts the table NAME upwards, ``-key`` downwards; ``file-NAME=csv`` (or jsonl) sends
it. What has no value comes last either way.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from django.http import QueryDict, StreamingHttpResponse

from review.views.downloads import SUFFIXES, table_file

SORT, FILE = "sort-", "file-"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name in addresses and files, its head, and what a row has there.

    A number is sorted from the highest down first. ``in_file`` is what a file has instead, as a
    pseudonym for a name; ``title`` says more of the head. A column without a value can't be sorted.
    """

    key: str
    word: Any
    value: Callable[[Any], Any] | None = None
    is_number: bool = False
    title: Any = ""
    in_file: Callable[[Any], Any] | None = None
    is_sortable: bool = True


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column as a page shows it: where a click leads, and how it is sorted now."""

    word: Any
    title: Any
    is_number: bool
    address: str
    direction: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A table on a page: heads, rows in order, the addresses of its files by their suffix."""

    heads: Sequence[Head]
    rows: Sequence[Any]
    files: Sequence[tuple[str, str]] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Table:
    """The table NAME of a page; ``anchor`` is the id of its title, so that a click stays there."""

    name: str
    columns: Sequence[Column]
    anchor: str = ""

    def chosen(self, asked: QueryDict) -> str:
        """Return the column that the address sorts by, downwards after a minus; "" for none."""
        given = asked.get(SORT + self.name, "")
        sortable = {column.key for column in self.columns if column.is_sortable and column.value}
        return given if given.removeprefix("-") in sortable else ""

    def shown(self, asked: QueryDict, rows: Iterable[Any]) -> Shown:
        """Return what the page shows of the rows, in the order that the address asks for."""
        return self.page(asked, self.ordered(self.chosen(asked), rows))

    def page(self, asked: QueryDict, rows: Sequence[Any] = ()) -> Shown:
        """Return heads and files around rows that are in order already, as a page of many has."""
        chosen = self.chosen(asked)
        place = f"#{self.anchor}" if self.anchor else ""
        heads = heads_of(asked, self.columns, chosen, parameter=SORT + self.name, place=place)
        files = [
            (suffix, _address(asked, {FILE + self.name: suffix}, leave_out=FILE))
            for suffix in SUFFIXES
        ]
        return Shown(heads, rows, files)

    def ordered(self, chosen: str, rows: Iterable[Any]) -> list[Any]:
        """Return the rows sorted by a column; as they come where there is no such column."""
        listed = list(rows)
        by = {column.key: column.value for column in self.columns}
        value = by.get(chosen.removeprefix("-"))
        if value is None:
            return listed
        known = [(value(row), row) for row in listed]
        there = [(_comparable(found), row) for found, row in known if found is not None]
        there.sort(key=lambda pair: pair[0], reverse=chosen.startswith("-"))
        return [row for _found, row in there] + [row for found, row in known if found is None]

    def file(self, asked: QueryDict, rows: Iterable[Any]) -> StreamingHttpResponse | None:
        """Return the file of the table where the address asks for one, else None.

        Raises:
            Http404: there is no file of that kind.
        """
        suffix = asked.get(FILE + self.name)
        if suffix is None:
            return None
        ordered = self.ordered(self.chosen(asked), rows)
        columns = [column for column in self.columns if column.in_file or column.value]
        lines = ({column.key: _cell(column, row) for column in columns} for row in ordered)
        return table_file(lines, [column.key for column in columns], name=self.name, suffix=suffix)


def heads_of(
    asked: QueryDict,
    columns: Iterable[Column],
    chosen: str,
    *,
    parameter: str,
    place: str = "",
) -> list[Head]:
    """Return the heads of a table that is sorted by ``chosen``, as the address says or by itself."""
    heads = []
    for column in columns:
        direction = ""
        if chosen.removeprefix("-") == column.key:
            direction = "descending" if chosen.startswith("-") else "ascending"
        first, second = column.key, f"-{column.key}"
        if column.is_number:
            first, second = second, first
        follows = second if chosen == first else first
        address = _address(asked, {parameter: follows}, leave_out=FILE) + place
        is_link = column.is_sortable
        heads.append(
            Head(column.word, column.title, column.is_number, address if is_link else "", direction)
        )
    return heads


def _address(asked: QueryDict, changes: Mapping[str, str], *, leave_out: str) -> str:
    """Return the address with changed parameters, from its first page, without files asked for."""
    query = asked.copy()
    for name in [name for name in query if name.startswith(leave_out) or name == "page"]:
        del query[name]
    for name, value in changes.items():
        query[name] = value
    return f"?{query.urlencode()}"


def _comparable(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _cell(column: Column, row: Any) -> Any:
    read = column.in_file or column.value
    value = read(row) if read else None
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    if isinstance(value, Decimal):
        return str(value)
    return value.isoformat() if isinstance(value, date) else value
