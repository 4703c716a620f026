"""Facts that one short text carries whole: addresses, hashes, dates, numbers, paths, versions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_ATOM = re.compile(
    rf"(?<!\w)(?=[a-z]*[^a-z\s]|{_MONTH}\s)"  # plain words are passed over at once
    r"(?:(?P<url>(?:https?|ftp)://[^\s<>\"'`|\\^{}。，、；：！？（）【】「」『』《》“”]{3,2000})"
    r"|(?<![\w./-])(?P<date>(?:1[0-9]|20)\d\d[-/.](?:0?[1-9]|1[0-2])[-/.](?:[12]\d|3[01]|0?[1-9])(?!\d)"
    r"|(?:1[0-9]|20)\d\d\s?年\s?\d{1,2}\s?月(?:\s?\d{1,2}\s?日)?"
    rf"|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?,?\s(?:1[0-9]|20)\d\d(?!\d)"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?\s{_MONTH},?\s(?:1[0-9]|20)\d\d(?!\d))"
    r"|(?<![\w-])(?P<hash>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64})(?![\w-])"
    r"|(?<![\w.])(?P<version>v?\d{1,4}(?:\.\d{1,6}){2,4}(?:[.-]?(?:rc|dev|a|b|post|alpha|beta)\.?\d{0,6})?)(?![\w])"
    r"|(?<![\w.+~/-])(?P<path>[\w.+~-]*(?:/[\w.+@-]+)+)"
    r"|(?<![\w.,])(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d{1,12})?|\d{1,18}(?:\.\d{1,18})?)(?![\w]*[_]|\d)"
    r"|(?<![\w.])(?P<identifier>[a-z][a-z0-9]{0,80}(?:[._-][a-z0-9_]{1,80})+)(?!\w))",
    re.ASCII,  # a Chinese character beside a number is no part of it
)
_PATH = re.compile(r"[\w.+~-]*(?:/[\w.+@-]+)+/?")
_URL_TAIL = ".,;:!?)]*'\"。，；：！？）】"
_COMMON_ROOTS = ("/usr/", "/etc/", "/dev/", "/bin/", "/proc/", "/sys/", "/lib/", "/opt/", "/sbin/")
_COMMON_PARTS = frozenset(
    [
        "src",
        "lib",
        "libs",
        "test",
        "tests",
        "testing",
        "doc",
        "docs",
        "main",
        "index",
        "setup",
        "init",
        "bin",
        "build",
        "dist",
        "data",
        "app",
        "apps",
        "core",
        "example",
        "examples",
        "script",
        "scripts",
        "tool",
        "tools",
        "common",
        "config",
        "conf",
        "conftest",
        "readme",
        "license",
        "changelog",
        "requirements",
        "utils",
        "util",
        "helpers",
        "package",
        "packages",
        "module",
        "modules",
        "api",
        "cli",
        "server",
        "client",
        "public",
        "static",
        "assets",
        "home",
        "user",
        "root",
        "tmp",
        "testbed",
        "workspace",
        "repo",
        "project",
        "path",
        "to",
        "file",
        "your",
        "my",
        "some",
        "dir",
        "folder",
        "input",
        "output",
        "result",
        "results",
        "log",
        "logs",
        "var",
        "local",
        "python",
        "python3",
        "node",
        "node_modules",
        "site-packages",
        "venv",
        "makefile",
        "dockerfile",
        "pyproject",
        "manage",
        "run",
        "base",
        "types",
        "models",
        "views",
        "urls",
        "settings",
        "version",
        "versions",
        "constants",
        "errors",
        "exceptions",
        "__init__",
        "__main__",
        "com",
        "org",
        "and",
        "or",
        "yes",
        "no",
        "true",
        "false",
        "on",
        "off",
        "he",
        "she",
        "his",
        "her",
        "him",
        "pass",
        "fail",
        "n",
        "a",
        "b",
        "c",
        "d",
        "e",
        "f",
        "i",
        "x",
        "y",
    ]
)
_COMMON_NUMBERS = frozenset(
    [
        "0.01",
        "0.05",
        "0.10",
        "0.25",
        "0.50",
        "0.75",
        "0.80",
        "0.90",
        "0.95",
        "0.99",
        "3.10",
        "3.11",
        "3.12",
        "3.13",
        "3.14",
        "2.71",
        "1.00",
        "99.9",
        "12345",
        "123456",
        "1234",
        "65535",
        "65536",
        "8000",
        "8080",
        "8888",
        "5000",
        "5432",
        "6379",
        "3000",
        "3306",
    ]
)
_FILE_NAME = re.compile(
    r"[\w-]+\.(?:py|pyx|js|jsx|ts|tsx|c|cc|cpp|h|hpp|rs|go|java|rb|php|sh|md|rst|txt|json|ya?ml|toml|cfg|ini|html|css|sql|csv|ipynb|log)$"
)


@dataclass(frozen=True, slots=True)
class Atom:
    """A fact: its class, normalised offsets, and the text that is looked for elsewhere."""

    kind: str
    start: int
    end: int
    text: str


def unusual_atoms(text: str, start: int, end: int) -> Iterator[Atom]:
    """Yield the atoms within ``text[start:end]`` that are worth looking for.

    ``text`` is normalised. Left out is what any text may hold: small and round numbers, years,
    usual ports and versions of Python, paths of the system or made of usual names only.
    ``kind`` is url, date, hash, version, path, number or identifier.
    """
    for match in _ATOM.finditer(text, start, end):
        kind = match.lastgroup or ""
        found = match.group()
        if kind == "url":
            found = found.rstrip(_URL_TAIL)
        elif kind in {"path", "identifier"}:
            found = found.rstrip(".-+")
        if _UNUSUAL[kind](found):
            yield Atom(kind, match.start(), match.start() + len(found), found)


def _always(_: str) -> bool:
    return True


def _unusual_number(found: str) -> bool:
    plain = found.replace(",", "")
    if plain in _COMMON_NUMBERS:
        return False
    whole, _, fraction = plain.partition(".")
    if fraction:
        digits = (whole + fraction).lstrip("0")
        return len(digits) >= 3 or (len(digits) == 2 and len(fraction) >= 2)
    value = int(plain)
    is_power_of_two = value & (value - 1) == 0
    return value >= 1000 and value % 100 != 0 and not 1900 <= value < 2100 and not is_power_of_two


def _unusual_path(found: str) -> bool:
    if found.startswith(_COMMON_ROOTS):
        return False
    parts = [part for part in found.split("/") if part not in {"", ".", "..", "~"}]
    stems = [part.split(".")[0] for part in parts if not part.isdigit()]
    if len(parts) < 2 or all(stem in _COMMON_PARTS or len(stem) < 2 for stem in stems):
        return False
    named = "." in parts[-1] or "_" in found or any(c.isdigit() for c in found)
    return named or found.startswith(("/", "~", "./", "../")) or len(parts) >= 3


def is_usual_path(text: str) -> bool:
    """Return whether the normalised text is nothing but a path that any system may have."""
    return _PATH.fullmatch(text) is not None and not _unusual_path(text)


def _unusual_identifier(found: str) -> bool:
    if _FILE_NAME.match(found):
        return found.split(".")[0] not in _COMMON_PARTS
    inner = found.strip("_")
    return len(inner) >= 8 and "_" in inner


_UNUSUAL = {
    "url": _always,
    "date": _always,
    "version": _always,
    "hash": _always,
    "number": _unusual_number,
    "path": _unusual_path,
    "identifier": _unusual_identifier,
}


def holds_whole(text: str, atom: Atom, start: int, end: int) -> int:
    """Return the first offset in ``text[start:end]`` at which the atom stands whole, or -1.

    Whole: not inside a longer word or number. A hash may stand for the beginning of a longer one,
    a long address too, a path may be the end of a longer one.
    """
    place = text.find(atom.text, start, end)
    for _ in range(_MOST_PLACES):
        if place < 0 or _is_whole(text, atom, place):
            return place
        place = text.find(atom.text, place + 1, end)
    return -1


_MOST_PLACES = 200
_CUT_URL = 24


def _is_whole(text: str, atom: Atom, place: int) -> bool:
    after = place + len(atom.text)
    previous = text[place - 1] if place else " "
    following = text[after] if after < len(text) else " "
    if atom.kind == "number":
        joined = following in ".," and text[after + 1 : after + 2].isdigit()
        return not (previous.isdigit() or previous in "._" or following.isdigit() or joined)
    if atom.kind == "hash":
        return not (previous.isalnum() or previous == "_")
    first, last = atom.text[0], atom.text[-1]
    starts_inside = _in_word(first) and _in_word(previous)
    if atom.kind == "url" and len(atom.text) >= _CUT_URL:
        return not starts_inside
    return not (starts_inside or (_in_word(last) and _in_word(following)))


def _in_word(character: str) -> bool:
    return character == "_" or (character.isascii() and character.isalnum())
