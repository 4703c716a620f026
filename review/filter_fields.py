"""What filters of items are made of: a field, and the fields that reviews of an item decide."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Exists, OuterRef, Q

from review.models import Review


class WrongFilter(Exception):
    """An address asks for a filter that does not exist, or with a value that it can't have."""


@dataclass(frozen=True, slots=True)
class Field:
    """A filter: which rows match any of ``values``; ``known`` lists the values, None for any text.

    It ``biases`` where to know what matches is to know what a reviewer must not see while blind.
    Where there is ``of_review``, all such fields that are asked for must hold of one and the same
    review.
    """

    matching: Callable[[list[str]], Q | Exists]
    known: Callable[[], list[str]] | None = None
    biases: bool = False
    of_review: Callable[[list[str]], Q] | None = None


def moment_of(name: str, text: str, at: time) -> datetime:
    """Return a moment of a day; not the day, which the database would work out of every row."""
    try:
        return datetime.combine(date.fromisoformat(text), at, tzinfo=UTC)
    except ValueError as error:
        msg = f"{name}: {text!r} is no date such as 2026-11-30"
        raise WrongFilter(msg) from error


def reviews_of(*conditions: Q) -> Exists:
    """Return whether an item has a standing review of its current text that meets all conditions."""
    rows = Review.objects.filter(
        assignment__revision__candidate=OuterRef("pk"),
        assignment__revision__superseded_at=None,
        undone_at=None,
    )
    return Exists(rows.filter(*conditions))


def review_field(of_review: Callable[[list[str]], Q], *known: object) -> Field:
    """Return a field of reviews; ``known`` are its values, none where any text may be given."""
    values = [str(value) for value in known]
    return Field(
        lambda given: reviews_of(of_review(given)),
        (lambda: list(values)) if values else None,
        biases=True,
        of_review=of_review,
    )


def is_right(values: list[str]) -> Q:
    """Return whether the blind answer matches gold, by "yes" and "no"."""
    wanted = [value == "yes" for value in values]
    return Q(assignment__blind_answer__matches_gold__in=wanted)


def _end(name: str, begin: datetime, days: int) -> datetime:
    """Return the moment so many days later.

    Raises:
        WrongFilter: it is after the year 9999, which no date can say.
    """
    try:
        return begin + timedelta(days=days)
    except OverflowError as error:
        msg = f"{name}: {begin.date().isoformat()!r} is too late a date"
        raise WrongFilter(msg) from error


def reviewed_on(values: list[str]) -> Q:
    """Return whether a review is from one of the ISO dates, in UTC.

    Raises:
        WrongFilter: a value is no date.
    """
    found = Q()
    for value in values:
        begin = moment_of("on", value, time.min)
        found |= Q(created_at__gte=begin, created_at__lt=_end("on", begin, 1))
    return found


def last_in_week(values: list[str]) -> Q:
    """Return whether the last review is from the ISO week, ``2026-W09``, as agreement groups items.

    Raises:
        WrongFilter: a value is no week.
    """
    found = Q()
    for value in values:
        try:
            monday = datetime.strptime(f"{value}-1", "%G-W%V-%u").replace(tzinfo=UTC)
        except ValueError as error:
            msg = f"week: {value!r} is no week such as 2026-W09"
            raise WrongFilter(msg) from error
        end = _end("week", monday, 7)
        during = Q(created_at__gte=monday, created_at__lt=end)
        found |= Q(reviews_of(during)) & ~Q(reviews_of(Q(created_at__gte=end)))
    return found
