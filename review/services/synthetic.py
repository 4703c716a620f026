"""Fills a database with a made-up project of any size, for measurements; in one transaction."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from django.contrib.auth.models import User
from django.db import transaction

from generation.core.registry import SUBTASKS
from generation.core.subtask import AnswerFormat
from generation.models import Candidate, Source
from generation.services import audit
from review.core.synthetic import texts
from review.core.synthetic.history import control_history, made_history
from review.core.synthetic.judging import MadePerson, made_people, made_question
from review.core.synthetic.made import MadeItem
from review.core.synthetic.texts import made_source
from review.models import GuidelineVersion, Profile, Project, Role
from review.services.guidelines import default_text
from review.services.project import MOST_REVIEWS
from review.services.synthetic_reviews import ReviewRows
from review.services.synthetic_rows import PLACE, ItemRows, SourceRows

WEEKS = 12
_AT_ONCE = 1_000
_REVIEWED = 0.85
_LEADS = 2
_ONE_CONTROL_IN = 150
_CONTROL_PERCENT = 5
_SET = ("reviews_wanted", "control_percent")
_CUTS = range(3, 10)
_YEARS = range(1970, 3000)


class SyntheticRefused(Exception):
    """The made-up project can't be made here, or not of that size; the text says why."""


@dataclass(frozen=True, slots=True)
class Size:
    """How big the made-up project is; ``reviews`` counts them all, extra and undone ones too.

    Raises:
        SyntheticRefused: a number is out of range, or the people are too few for the reviews.
    """

    items: int
    reviewers: int
    reviews: int
    wanted: int = field(init=False)

    def __post_init__(self) -> None:
        if self.items < 1 or self.reviewers < 1 or self.reviews < 0:
            msg = "there must be an item and a reviewer at least, and no fewer than 0 reviews"
            raise SyntheticRefused(msg)
        wanted = max(2, -(-self.reviews // max(1, int(_REVIEWED * self.items))))
        most = min(MOST_REVIEWS, self.reviewers)
        if wanted > most:
            msg = (
                f"{self.reviews} reviews of {self.items} items need {wanted} of each; "
                f"{self.reviewers} reviewers give {most} at most"
            )
            raise SyntheticRefused(msg)
        object.__setattr__(self, "wanted", wanted)


def make_synthetic(
    *,
    size: Size,
    seed: int,
    now: datetime,
    beside_real: bool = False,
    done: Callable[[int], None] = lambda _n: None,
) -> dict[str, int]:
    """Store the made-up project, all or nothing; return how many rows of each kind came.

    The same size, seed and ``now`` make the same rows, their keys aside. ``done`` is told of
    every run of items that is stored. Memory does not grow with the size.

    Raises:
        SyntheticRefused: there are made-up items already, or real ones and not ``beside_real``, or
            ``now`` is in no year that history can end in.
    """
    if now.year not in _YEARS:
        msg = f"history ends in a year from {_YEARS[0]} to {_YEARS[-1]}, not in {now.year}"
        raise SyntheticRefused(msg)
    with transaction.atomic():
        _refuse(beside_real=beside_real)
        people = made_people(Random(f"{seed} people"), size.reviewers)  # noqa: S311
        reviewers = [
            _member(f"synthetic-reviewer-{n:02}", now=now) for n in range(1, len(people) + 1)
        ]
        leads = [
            _member(f"synthetic-lead-{n}", role=Role.LEAD, now=now) for n in range(1, _LEADS + 1)
        ]
        _settings(size, lead=leads[0], now=now)
        sources, items = (
            SourceRows(now=now, weeks=WEEKS),
            ItemRows(leads=leads, reviewers=reviewers),
        )
        reviews = ReviewRows(leads=leads, reviewers=reviewers, now=now)
        sources.share_texts()
        for some in _runs(_items(size, seed, people, now)):
            stored = sources.store([item.source for item in some])
            reviews.store(items.store(some, stored))
            done(len(some))
    return {**sources.counts, **items.counts, **reviews.counts}


def _refuse(*, beside_real: bool) -> None:
    if Source.objects.filter(place__startswith=PLACE).exists():
        msg = "the database holds made-up items already; they are made once"
        raise SyntheticRefused(msg)
    if not beside_real and Candidate.objects.exists():
        msg = "the database holds items that are not made up"
        raise SyntheticRefused(msg)


def _member(name: str, *, now: datetime, role: Role = Role.ANNOTATOR) -> User:
    """Return the person of that name, who can't log in until somebody sets a password."""
    user, is_new = User.objects.get_or_create(username=name)
    if is_new:
        user.set_unusable_password()
        user.save(update_fields=["password"])
        Profile.objects.create(user=user, role=role, qualified_at=now - timedelta(weeks=WEEKS))
        audit.record("member.created", user, after=role, detail="made up")
    return user


def _settings(size: Size, *, lead: User, now: datetime) -> None:
    """Want as many reviews as the items have; let the guidelines change twice."""
    kept, _is_new = Project.objects.select_for_update().get_or_create(pk=1)
    before = {name: getattr(kept, name) for name in _SET}
    kept.reviews_wanted, kept.control_percent = size.wanted, _CONTROL_PERCENT
    kept.save(update_fields=_SET)
    after = {name: getattr(kept, name) for name in _SET}
    audit.record("project.changed", kept, before=before, after=after, detail="made up")
    if GuidelineVersion.objects.exists():
        return
    body = default_text("en").body
    for number, weeks in enumerate((WEEKS - 4, WEEKS - 9), start=1):
        GuidelineVersion.objects.create(
            language="en",
            number=number,
            body=f"{body}\n\nVersion {number} of a made-up project.\n",
            note="made up",
            author=lead,
            created_at=now - timedelta(weeks=weeks),
        )


def _items(size: Size, seed: int, people: list[MadePerson], now: datetime) -> Iterator[MadeItem]:
    """Yield the items in the order in which people came to them."""
    left, number, begun = size.reviews, 0, now - timedelta(weeks=WEEKS)
    span = (now - begun - timedelta(days=10)) / size.items
    source_number = 0
    while number < size.items:
        draw = Random(f"{seed} source {source_number}")  # noqa: S311
        source = made_source(draw, source_number)
        source_number += 1
        for subtask in source.subtasks:
            for cut in draw.sample(_CUTS, 2) if source.is_run else (0,):
                if number >= size.items:
                    return
                declared = SUBTASKS[subtask]
                question = made_question(
                    draw,
                    choices=texts.option_count(declared, draw),
                    is_set=declared.answer_format is AnswerFormat.CHOICES,
                )
                is_control = number % _ONE_CONTROL_IN == _ONE_CONTROL_IN - 1
                history = (
                    control_history(draw, people, question, left=left)
                    if is_control
                    else made_history(draw, people, question, wanted=size.wanted, left=left)
                )
                left -= history.reviews
                yield MadeItem(
                    number,
                    source,
                    subtask,
                    cut,
                    question,
                    history,
                    is_control,
                    begun + span * number,
                )
                number += 1


def _runs(items: Iterator[MadeItem]) -> Iterator[list[MadeItem]]:
    """Yield the items in runs that end between two sources."""
    some: list[MadeItem] = []
    for item in items:
        if len(some) >= _AT_ONCE and item.source is not some[-1].source:
            yield some
            some = []
        some.append(item)
    if some:
        yield some
