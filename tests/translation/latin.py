"""Finds English words of the interface on a page that is to be in Chinese.

Content is left out: what is marked as in another language (``lang``) or as not to be translated
(``translate="no"``), code, what people wrote (class ``said``), and what stands in form fields.
"""

import re
from html.parser import HTMLParser

_NOT_READ = frozenset({"script", "style", "code", "kbd", "pre", "samp", "textarea", "svg"})
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
# Attributes that people see or hear, or that scripts show.
_SPOKEN = frozenset({"aria-label", "title", "placeholder", "alt", "label"})
# Data of scripts; every other data-* attribute is taken for a text that a script shows.
_MACHINE = re.compile(
    r"data-(?:draft|owner|assignment|phase|lease|anchor|part|piece|at|length|tail|of|key|toggles"
    r"|sizes|opens|closes|timer|saved-at|moment|clock|theme-switch|address|url|kept|name|field|id"
    r"|value|kind|needs|drafts?-.*|compare|edit|remark|colours?|size|outbox.*|form)"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9'’-]+")
# Names of subtasks, kinds and the like, what a sentence quotes, numbers of versions.
_NAMED = re.compile(r"\w+(?:_\w+)+|“[^”]*”|\bv[0-9]+")
# Names, formats, units and letters that are the same in both languages.
ALLOWED = frozenset(
    [
        "APT",
        "Annotate",
        "API",
        "REST",
        "OpenAPI",
        "HTML",
        "JSON",
        "JSONL",
        "CSV",
        "Markdown",
        "SVG",
        "UTC",
        "KB",
        "MB",
        "USD",
        "Django",
        "Krippendorff",
        "Krippendorff's",
        "Cohen",
        "Cohen's",
        "kappa",
        "alpha",
        "AC1",
        "AC2",
        "Fleiss",
        "Brennan-Prediger",
        "Wilson",
        "Enter",
        "Shift",
        "Ctrl",
        "Esc",
        "Tab",
        "pytest",
        "python",
    ]
)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    @property
    def _is_interface(self) -> bool:
        return self._open[-1][1] if self._open else True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        is_interface = self._is_interface and self._stays(tag, given)
        if is_interface:
            for name, value in given.items():
                if name in _SPOKEN or (
                    name.startswith("data-") and not _MACHINE.fullmatch(name) and " " in value
                ):
                    self._read(value, f"{tag} {name}")
            if tag == "input" and given.get("type") in {"submit", "button"}:
                self._read(given.get("value", ""), "input value")
        if tag not in _VOID:
            self._open.append((tag, is_interface))

    def _stays(self, tag: str, given: dict[str, str]) -> bool:
        if tag in _NOT_READ or given.get("translate") == "no":
            return False
        if "said" in given.get("class", "").split():
            return False
        return given.get("lang", "zh").lower().startswith("zh-hans") or "lang" not in given

    def handle_endtag(self, tag: str) -> None:
        for index in range(len(self._open) - 1, -1, -1):
            if self._open[index][0] == tag:
                del self._open[index:]
                return

    def handle_data(self, data: str) -> None:
        if self._is_interface:
            self._read(data, self._open[-1][0] if self._open else "")

    def _read(self, text: str, where: str) -> None:
        words = [
            word
            for word in _WORD.findall(_NAMED.sub(" ", text))
            if word.strip("'’-") not in ALLOWED
        ]
        if words:
            self.found.append(f"{where}: {' '.join(text.split())}")


def english_in(page: str) -> list[str]:
    """Return what is English on a page, each with the element that it stands in."""
    reader = _Reader()
    reader.feed(page)
    return list(dict.fromkeys(reader.found))
