"""Counts what an importer makes of its input: for a table of sources, without a database."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from generation.core.importers.digest import content_digest
from generation.core.importers.importer import Found
from generation.core.records import PassedOver, Refusal

# Numbers, quoted words and what follows a colon differ from record to record.
_PARTICULAR = re.compile(r"'[^']{1,80}'|\d+")
_LONGEST_REASON = 70


@dataclass(slots=True)
class Tally:
    """How many records were read, how many of them are different, and why the others are none.

    ``forms`` counts the different ones by what they are (trajectory, question, document).
    """

    read: int = 0
    distinct: int = 0
    forms: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    passed_over: Counter[str] = field(default_factory=Counter)


def tally(found: Iterable[Found]) -> Tally:
    """Return the counts of what an importer yields; reasons that differ in a number are one."""
    counts = Tally()
    seen: set[str] = set()
    for each in found:
        if isinstance(each, Refusal):
            counts.refused[_reason(each.why)] += 1
            counts.read += 1
        elif isinstance(each, PassedOver):
            counts.passed_over[_reason(each.why)] += 1
        else:
            counts.read += 1
            digest = content_digest(each)
            if digest not in seen:
                seen.add(digest)
                counts.distinct += 1
                counts.forms[type(each).__name__.lower()] += 1
    return counts


def _reason(why: str) -> str:
    short = " ".join(_PARTICULAR.sub(lambda found: _kept(found[0]), why).split())
    return short if len(short) <= _LONGEST_REASON else f"{short[:_LONGEST_REASON].rstrip()}…"


def _kept(particular: str) -> str:
    return particular if particular.startswith("'") else "n"
