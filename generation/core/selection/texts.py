"""Texts as option selection compares them: normalised, as tokens, as names they speak of."""

import re
import unicodedata
from collections.abc import Iterator

_TOKEN = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_QUOTED = re.compile(r"`([^`\n]{2,80})`")
_NAME = re.compile(
    r"(?:[A-Za-z_][\w.-]{0,60}/[\w./-]{1,120}"  # a path
    r"|[A-Za-z]\w{0,60}\.(?:py|md|txt|toml|cfg|json|ya?ml|csv|rs|js|ts|c|h|sh)\b"  # a file
    r"|[A-Za-z_]\w{0,60}_\w{1,60}"  # snake_case
    r"|(?<!\w)[A-Z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40})+)"  # CamelCase
)
_TOPIC = re.compile(r"[A-Z][\w'-]{2,}|\d[\d.:-]*\d|\d")
GRAM = 8
"""Consecutive tokens that count as a quotation, after the leakage rules."""


def normalise(text: str) -> str:
    """Return ``text`` with case, compatibility forms, marks and runs of blanks made equal."""
    return " ".join(tokens(text))


def tokens(text: str) -> list[str]:
    """Return the words and numbers of ``text``, case-folded; a run of CJK characters is one.

    Known results of attacks on official rows were measured with these.
    """
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def words(text: str) -> list[str]:
    """Return the words and numbers of ``text``, case-folded, and each CJK character by itself."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def names(text: str) -> frozenset[str]:
    """Return what ``text`` names: quoted code, paths, files, identifiers; case-folded."""
    found = {match.group(1) for match in _QUOTED.finditer(text)}
    found.update(match.group() for match in _NAME.finditer(text))
    return frozenset(name.strip("().,:").casefold() for name in found) - {""}


def topics(text: str) -> frozenset[str]:
    """Return the capitalised words and the numbers of ``text``, case-folded."""
    return frozenset(word.casefold() for word in _TOPIC.findall(text))


def grams(text: str) -> Iterator[tuple[str, ...]]:
    """Yield every run of ``GRAM`` consecutive tokens of ``text``."""
    words = tokens(text)
    yield from zip(*(words[offset:] for offset in range(GRAM)), strict=False)


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the Jaccard overlap of two token sets, 0 to 1; two empty sets share nothing."""
    union = len(left | right)
    return len(left & right) / union if union else 0.0
