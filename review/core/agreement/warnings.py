"""What must be said beside the numbers so that they are not misread."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from review.core.agreement import words
from review.core.agreement.bootstrap import Interval
from review.core.agreement.coefficients import label_shares
from review.core.agreement.table import RatingTable
from review.core.agreement.value import Value

DOMINANT = 0.8
FAR_APART = 0.2
ENOUGH_ITEMS = 30
WIDEST = 0.4


class Kind(StrEnum):
    """What a warning is about."""

    NO_LABELS = "no_labels"
    NOT_PAIRABLE = "not_pairable"
    ONE_LABEL = "one_label"
    PREVALENCE = "prevalence"
    TOO_FEW = "too_few"
    CONSTANT_RATER = "constant_rater"


@dataclass(frozen=True, slots=True)
class Warned:
    """One warning: its kind, a sentence for people, and the rater it names, if any."""

    kind: Kind
    text: str
    rater: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """The numbers that warnings look at; ``plain_alpha`` is nominal, as AC1 is."""

    n_pairable: int
    plain_alpha: Value
    ac1: Value
    ac1_by_chance: Value
    interval: Interval | None


def warnings_of(table: RatingTable, seen: Seen) -> tuple[Warned, ...]:
    """Return the warnings in the order in which they matter."""
    if not len(table.label):
        return (Warned(Kind.NO_LABELS, words.NO_LABELS),)
    if not seen.n_pairable:
        return (Warned(Kind.NOT_PAIRABLE, words.NOT_PAIRABLE),)
    return tuple(_all_warnings(table, seen))


def _all_warnings(table: RatingTable, seen: Seen) -> Iterator[Warned]:
    used = np.unique(table.label[table.pairable()[table.unit]])
    if len(used) == 1:
        only = words.shown(table.labels[int(used[0])])
        text = f"100 % raw; alpha and kappa undefined: {words.ONE_LABEL} ({only})"
        yield Warned(Kind.ONE_LABEL, text)
    yield from _prevalence(table, seen)
    if seen.n_pairable < ENOUGH_ITEMS:
        items = _items(seen.n_pairable, "with 2 or more labels")
        yield Warned(Kind.TOO_FEW, f"too few to conclude: {items}, {ENOUGH_ITEMS} are needed")
    elif seen.interval and seen.interval.width is not None and seen.interval.width > WIDEST:
        wide = f"the 95 % interval of alpha is {seen.interval.width:.2f} wide"
        yield Warned(Kind.TOO_FEW, f"too few to conclude: {wide}, more than {WIDEST}")
    if len(np.unique(table.label)) > 1:
        for rater, label, given in constant_raters(table):
            text = f"{rater} always says {words.shown(label)} ({_items(given, 'labelled')})"
            yield Warned(Kind.CONSTANT_RATER, text, rater)


def _prevalence(table: RatingTable, seen: Seen) -> Iterator[Warned]:
    shares = label_shares(table.counts())
    top = int(shares.argmax())
    said = []
    if shares[top] >= DOMINANT:
        said.append(f"{100 * shares[top]:.0f} % of labels are {words.shown(table.labels[top])}")
    plain, ac1 = seen.plain_alpha.number, seen.ac1.number
    if plain is not None and ac1 is not None and abs(ac1 - plain) >= FAR_APART:
        said.append(f"AC1 {ac1:.2f} and nominal alpha {plain:.2f} are far apart")
    if not said:
        return
    if seen.ac1_by_chance.number is not None:
        said.append(
            "two independent raters with these shares of labels would reach AC1 "
            f"{seen.ac1_by_chance.number:.2f}"
        )
    yield Warned(Kind.PREVALENCE, "prevalence: " + "; ".join(said))


def constant_raters(table: RatingTable) -> Iterator[tuple[str, Hashable, int]]:
    """Yield raters with two or more labels that are all the same: name, label, how many."""
    width = len(table.labels)
    flat = np.bincount(table.rater * width + table.label, minlength=len(table.raters) * width)
    for name, row in zip(table.raters, flat.reshape(-1, width), strict=True):
        if row.max() == row.sum() >= 2:
            yield name, table.labels[int(row.argmax())], int(row.sum())


def _items(number: int, what: str) -> str:
    return f"{number} item{'' if number == 1 else 's'} {what}"
