"""Finds what a report cites: each marked statement with the address that it points to.

Five styles, as research agents write them: a bare number after a statement (``text 15``), numbers
in brackets (``[15]``, ``[1][2]``, ``[1, 3]``), with a place (``[15†L10]``), links (``[title](url)``)
and numbered links (``[[15]](url)``). Numbers are looked up in the list of references at the end.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

_URL_TEXT = r"https?://[^\s()\[\]<>\"'，。；）】]+(?:\([^\s()<>]*\)[^\s()\[\]<>\"'，。；）】]*)*"
_URL = re.compile(_URL_TEXT)
_REFERENCE = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?(?:\[\^?(\d{1,3})\]|【(\d{1,3})】|(\d{1,3})[.)、:])[:：]?[ \t]*(\S.*)"
)
_LIST_TITLE = re.compile(
    r"[ \t#*_]*(?:references?|sources?|citations?|bibliography|works cited|notes?|参考文献|参考资料|参考来源|引用来源"
    r"|资料来源|来源|引用|文献)[ \t:：*_]*",
    re.IGNORECASE,
)
_RULE = re.compile(r"[ \t]*(?:[-*_=][ \t]*){3,}")
_PATTERNS = (
    ("numbered_link", re.compile(rf"\[\[(?P<n>\d{{1,3}})\]\]\((?P<url>{_URL_TEXT})\)")),
    ("place", re.compile(r"[\[【](?P<n>\d{1,3})†[^\]】\n]{0,40}[\]】]")),
    (
        "number",
        re.compile(r"[\[【]\^?(?P<n>\d{1,3}(?:\s{0,2}[,，、–-]\s{0,2}\d{1,3}){0,20})[\]】](?!\()"),
    ),
    ("link", re.compile(rf"(?<!!)\[(?P<title>[^\[\]\n]{{1,300}})\]\((?P<url>{_URL_TEXT})\)")),
)
_BARE_SPACED = re.compile(r"(?<=[^\s\d,:;/$€¥-]) (?P<n>[1-9]\d{0,2})(?=[.。;；]?[ \t]*(?:\n|\Z))")
_SENTENCE_END = re.compile(r"(?:[.!?](?=\s)|[。！？；]|\n)")
_MARKERS_BEFORE = re.compile(
    rf"(?:\s|[,，、]|\[\[\d{{1,3}}\]\]\({_URL_TEXT}\)|[\[【]\^?\d{{1,3}}[^\]】\n]{{0,40}}[\]】])*\Z"
)
_BULLET = re.compile(r"^[ \t>]*(?:[-*+•]|\d{1,3}[.)、]|#{1,6})[ \t]+")
MOST_CITATIONS = 2_000
"""Citations of one report that are read."""
_LONGEST_STATEMENT = 1_500


class Style(StrEnum):
    """How a report marks what it cites."""

    BARE = "bare"
    NUMBER = "number"
    PLACE = "place"
    LINK = "link"
    NUMBERED_LINK = "numbered_link"


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of the list of references."""

    number: int
    url: str
    title: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A statement and the address it cites; ``start`` and ``end`` are the mark's place in the text.

    ``url`` is empty where the list of references does not hold ``number`` (None for plain links).
    """

    statement: str
    url: str
    style: Style
    number: int | None
    start: int
    end: int


def read_references(report: str) -> tuple[tuple[Reference, ...], int]:
    """Return the list of references at a report's end, and the offset where it begins.

    Where there is none, the offset is the report's length.
    """
    lines = report.splitlines(keepends=True)
    found: list[Reference] = []
    start = len(lines)
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index].rstrip("\n")
        entry = _entry(line)
        if entry is not None:
            found.append(entry)
            start = index
        elif _LIST_TITLE.fullmatch(line):
            start = index if found else start
            break
        elif line.strip() and not _RULE.fullmatch(line):
            break
    if not found:
        return (), len(report)
    return tuple(reversed(found)), sum(map(len, lines[:start]))


def _entry(line: str) -> Reference | None:
    numbered = _REFERENCE.fullmatch(line)
    url = _URL.search(numbered[4]) if numbered else None
    if numbered is None or url is None:
        return None
    number = int(numbered[1] or numbered[2] or numbered[3])
    rest = f"{numbered[4][: url.start()]} {numbered[4][url.end() :]}"
    title = " ".join(rest.replace("[", " ").replace("](", " ").replace("]", " ").split())
    return Reference(number, _clean(url.group()), title.strip(" -–—:：.()*"))


def read_citations(report: str) -> tuple[Citation, ...]:
    """Return the first ``MOST_CITATIONS`` citations of a report in order.

    Those of its list of references are none.
    """
    references, end = read_references(report)
    urls = {reference.number: reference.url for reference in references}
    body = report[:end]
    marks = sorted(_marks(body, urls), key=lambda mark: mark[0].start())[:MOST_CITATIONS]
    found = (
        _citation(body, mark, style, number, url)
        for mark, style in marks
        for number, url in _cited(mark, urls)
    )
    return tuple(citation for citation in found if citation.statement)[:MOST_CITATIONS]


def _marks(body: str, urls: dict[int, str]) -> Iterator[tuple[re.Match[str], Style]]:
    taken = bytearray(len(body))
    any_found = False
    for name, pattern in _PATTERNS:
        for found in pattern.finditer(body):
            if any(taken[found.start() : found.end()]):
                continue
            if name == "number" and not any(url for _n, url in _cited(found, urls)):
                continue  # a number in brackets that no list explains may be anything
            any_found = True
            taken[found.start() : found.end()] = b"\1" * (found.end() - found.start())
            yield found, Style(name)
    if not any_found and urls:
        for found in _BARE_SPACED.finditer(body):
            if int(found["n"]) in urls:
                yield found, Style.BARE


def _cited(found: re.Match[str], urls: dict[int, str]) -> Iterator[tuple[int | None, str]]:
    groups = found.groupdict()
    if groups.get("url"):
        number = groups.get("n")
        yield (int(number) if number else None, _clean(groups["url"]))
        return
    for number in _numbers(groups["n"]):
        yield number, urls.get(number, "")


def _numbers(text: str) -> list[int]:
    """Return the numbers of ``1, 3-5``: a range counts as all of it, up to twenty."""
    numbers: list[int] = []
    for part in re.split(r"\s*[,，、]\s*", text):
        first, *rest = (int(each) for each in re.findall(r"\d+", part))
        last = rest[0] if rest else first
        numbers += range(first, last + 1) if first <= last <= first + 20 else [first, last]
    return numbers


def _citation(
    body: str, found: re.Match[str], style: Style, number: int | None, url: str
) -> Citation:
    inside = found.groupdict().get("title") if style is Style.LINK else ""
    return Citation(
        statement=_statement(body, found.start(), linked=inside or ""),
        url=url,
        style=style,
        number=number,
        start=found.start(),
        end=found.end(),
    )


def _statement(body: str, at: int, *, linked: str) -> str:
    """Return the sentence that a mark stands in or after, without marks and bullets."""
    window_start = max(0, at - _LONGEST_STATEMENT)
    before = body[window_start:at]
    before = before[: _last_word(before)]
    ends = [
        found.end()
        for found in _SENTENCE_END.finditer(before.rstrip(), 0, len(before.rstrip()) - 1)
    ]
    sentence = before[ends[-1] if ends else 0 :]
    plain = _without_marks(sentence)
    return _BULLET.sub("", f"{plain} {linked}".strip() if linked else plain).strip(" *_")


def _last_word(before: str) -> int:
    """Return where the text before a mark ends once other marks and blanks are left out."""
    marks = _MARKERS_BEFORE.search(before)
    return marks.start() if marks else len(before)


def _without_marks(sentence: str) -> str:
    text = sentence
    for name, pattern in _PATTERNS:
        text = pattern.sub(r"\g<title>" if name == "link" else "", text)
    return " ".join(text.replace("**", "").split())


def _clean(url: str) -> str:
    return url.rstrip(".,;:!?")


def styles_of(citations: Sequence[Citation]) -> tuple[str, ...]:
    """Return the names of the styles that occur, sorted."""
    return tuple(sorted({citation.style.value for citation in citations}))
