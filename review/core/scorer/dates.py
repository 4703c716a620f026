"""Dates written in English, Chinese or figures, as ISO text."""

import re
from datetime import date

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun",
            "july jul", "august aug", "september sep sept", "october oct", "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "(?P<name>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? )?(?:the )?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_WEEKDAY}{_MONTH} {_DAY},? {_YEAR}",
        rf"{_WEEKDAY}{_DAY} (?:of )?{_MONTH},? {_YEAR}",
        r"(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})",
        rf"{_YEAR} ?年 ?(?P<month>\d{{1,2}}) ?月 ?(?P<day>\d{{1,2}}) ?[日号]",
        r"(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})",
        rf"{_MONTH},? (?:of )?{_YEAR}",
        r"(?P<year>\d{4})-(?P<month>\d{2})",
        rf"{_YEAR} ?年 ?(?P<month>\d{{1,2}}) ?月",
        rf"{_YEAR} ?年?",
    )
)
_CHINESE_DIGITS = str.maketrans("〇零○一二三四五六七八九", "000123456789")
_CHINESE_TENS = re.compile(r"([二三])?十([一二三四五六七八九])?(?=[月日号])")
LONGEST = 60


def iso_date(text: str) -> str | None:
    """Return YYYY-MM-DD, YYYY-MM or YYYY where ``text`` is one date and nothing else, else None.

    ``text`` is lower-cased with single blanks. A day and month in figures with the year last
    count only where one of them is over 12 or both are equal: else nobody can tell which is which.
    """
    if not 4 <= len(text) <= LONGEST:
        return None
    if "年" in text:
        tens = _CHINESE_TENS.sub(_tens_in_figures, text)
        text = tens.translate(_CHINESE_DIGITS)
    for form in _FORMS:
        match = form.fullmatch(text)
        if match:
            return _iso(match.groupdict())
    return None


def _tens_in_figures(match: re.Match[str]) -> str:
    tens, ones = match.groups()
    return f"{tens or '一'}{ones or '零'}"


def _iso(found: dict[str, str | None]) -> str | None:
    year = int(found.get("year") or 0)
    month, day = _month_and_day(found)
    if month is None:
        return f"{year:04d}" if "first" not in found else None
    try:
        checked = date(year, month, day or 1)
    except ValueError:
        return None
    return checked.isoformat() if day is not None else checked.isoformat()[:7]


def _month_and_day(found: dict[str, str | None]) -> tuple[int | None, int | None]:
    first, second = found.get("first"), found.get("second")
    if first and second:
        one, two = int(first), int(second)
        if one == two or (one > 12 >= two):
            return two, one
        return (one, two) if two > 12 >= one else (None, None)
    name, month, day = found.get("name"), found.get("month"), found.get("day")
    number = _MONTHS[name] if name else int(month) if month else None
    return number, int(day) if day else None
