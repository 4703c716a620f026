"""A statement made false in one place: a number of the same report, or a relation turned round."""

import re
from collections.abc import Sequence
from random import Random

from generation.core.operators.operator import Unfit, Wrong

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\d.,]*\d)(?!th\b|st\b|nd\b|rd\b)"
)
_PAIRS = (
    ("before", "after"),
    ("first", "last"),
    ("largest", "smallest"),
    ("highest", "lowest"),
    ("oldest", "newest"),
    ("longest", "shortest"),
    ("more", "fewer"),
    ("higher", "lower"),
    ("increased", "decreased"),
    ("rose", "fell"),
    ("north", "south"),
    ("east", "west"),
    ("above", "below"),
    ("early", "late"),
    ("earlier", "later"),
    ("with", "without"),
    ("opened", "closed"),
    ("never", "always"),
    ("most", "least"),
    ("之前", "之后"),
    ("以前", "以后"),
    ("最早", "最晚"),
    ("最大", "最小"),
    ("最高", "最低"),
    ("最长", "最短"),
    ("增加", "减少"),
    ("上升", "下降"),
    ("高于", "低于"),
    ("东", "西"),
    ("南", "北"),
    ("夏", "冬"),
    ("春", "秋"),
    ("首次", "末次"),
    ("以上", "以下"),
)
_NEAREST = 3
"""Numbers nearest in size among which one is drawn, so that it could well be so."""
_WORD_BOUND = r"(?<![A-Za-z]){}(?![A-Za-z])"


def numbers_in(text: str) -> list[str]:
    """Return the numbers of a text, each once, in order."""
    return list(dict.fromkeys(_NUMBER.findall(text)))


def false_statement(statement: str, numbers: Sequence[str], random: Random) -> Wrong | Unfit:
    """Return the statement with one number or relation changed.

    ``numbers`` are those that may come in, of which the nearest in form are taken: as many digits,
    a year for a year.
    """
    ways = [_of_number(statement, match, numbers, random) for match in _NUMBER.finditer(statement)]
    ways += [
        (match.start(), match.group(), new)
        for one, other in _PAIRS
        for old, new in ((one, other), (other, one))
        for match in _found(old, statement)
    ]
    usable = [way for way in ways if way is not None]
    if not usable:
        return Unfit("the statement has no number and no relation that could be changed")
    start, old, new = random.choice(usable)
    text = f"{statement[:start]}{new}{statement[start + len(old) :]}"
    return Wrong(text, f"It says {new} where the report had {old}.")


def _of_number(
    statement: str, match: re.Match[str], numbers: Sequence[str], random: Random
) -> tuple[int, str, str] | None:
    old = match.group()
    own = set(numbers_in(statement))
    alike = [
        number
        for number in numbers
        if number not in own and len(number) == len(old) and _is_year(number) == _is_year(old)
    ]
    if not alike:
        return None
    nearest = sorted(alike, key=lambda number: (abs(_value(number) - _value(old)), number))
    return match.start(), old, random.choice(nearest[:_NEAREST])


def _value(number: str) -> float:
    return float(number.replace(",", ""))


def _is_year(number: str) -> bool:
    return len(number) == 4 and number.isdigit() and "1000" <= number <= "2100"


def _found(word: str, statement: str) -> list[re.Match[str]]:
    pattern = _WORD_BOUND.format(word) if word.isascii() else re.escape(word)
    return list(re.finditer(pattern, statement))
