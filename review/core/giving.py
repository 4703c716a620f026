"""Spreads items over people: each to whoever may take it and has the fewest so far."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Giveable:
    """An item: how many places it has free, and why it can't go to a person, by their key."""

    key: int
    places: int
    refusals: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Plan:
    """Who gets which item, and why the others go to nobody; both by the item's key."""

    given: Mapping[int, int]
    left: Mapping[int, str]


def spread(
    items: Iterable[Giveable],
    people: Sequence[int],
    *,
    load: Mapping[int, int],
    full: str,
    nobody: str,
) -> Plan:
    """Return who of ``people`` gets each item: of those who may, whoever has the least so far.

    ``load`` is what each has already, 0 where it says nothing; of people with the same load the
    first named gets the item. ``full`` is said of an item without a free place, ``nobody`` of one
    that none of several may take; one person's own reason is said as it is.
    """
    held = {person: load.get(person, 0) for person in people}
    given: dict[int, int] = {}
    left: dict[int, str] = {}
    for item in items:
        may = [person for person in people if person not in item.refusals]
        if not may:
            left[item.key] = item.refusals[people[0]] if len(people) == 1 else nobody
        elif item.places < 1:
            left[item.key] = full
        else:
            person = min(may, key=held.__getitem__)
            given[item.key] = person
            held[person] += 1
    return Plan(given, left)
