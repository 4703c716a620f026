"""The project's settings: what holds where nothing was set, and how leads change it."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from generation.core.registry import SUBTASKS
from generation.services import audit
from review.models import Control, ControlUse, Project
from review.services.refusals import FieldsRefused
from review.services.settlement import settle_complete

MOST_REVIEWS = 9
MOST_CONTROL_PERCENT = 10
MOST_QUALIFICATION_ITEMS = 50
_NAMES = (
    "reviews_wanted",
    "overlap",
    "control_percent",
    "qualification_items",
    "qualification_bar",
)


class ProjectRefused(FieldsRefused):
    """Settings that can't hold; ``problems`` has a sentence by field."""


def project() -> Project:
    """Return the project's settings, the defaults where none were set; in one query."""
    return Project.objects.filter(pk=1).first() or Project(pk=1)


def wanted_by_default(settings_now: Project) -> int:
    """Return how many independent reviews a revision needs where its subtask asks for no other."""
    by_environment: int = settings.REVIEWS_WANTED
    return settings_now.reviews_wanted or by_environment


def wanted_in(settings_now: Project, subtask: str) -> int:
    """Return how many independent reviews a revision of ``subtask`` needs under these settings."""
    own: int | None = settings_now.overlap.get(subtask)
    return own or wanted_by_default(settings_now)


def reviews_wanted(subtask: str) -> int:
    """Return how many independent reviews a revision of ``subtask`` needs now; in one query."""
    return wanted_in(project(), subtask)


def change_project(
    *,
    actor: User,
    reviews_wanted: int | None,
    overlap: Mapping[str, int],
    control_percent: int,
    qualification_items: int,
    qualification_bar: int,
) -> Project:
    """Store all settings of the project and return them.

    ``reviews_wanted`` None takes the environment's figure; ``overlap`` names the subtasks that
    ask for another number of reviews, all others follow the project's. Items that have enough
    reviews by the new numbers are settled at once, each in a transaction of its own.

    Raises:
        ProjectRefused: a number is out of range, a subtask is unknown, or there are fewer
            qualification items than the round needs.
    """
    new: dict[str, Any] = {
        "reviews_wanted": reviews_wanted,
        "overlap": dict(sorted(overlap.items())),
        "control_percent": control_percent,
        "qualification_items": qualification_items,
        "qualification_bar": qualification_bar,
    }
    if found := _problems(**new):
        raise ProjectRefused(found)
    changed = _store(new, actor=actor)
    for subtask in SUBTASKS:
        settle_complete(subtask=subtask, wanted=wanted_in(changed, subtask))
    return changed


@transaction.atomic
def _store(new: Mapping[str, Any], *, actor: User) -> Project:
    stored, _is_new = Project.objects.select_for_update().get_or_create(pk=1)
    before = {name: getattr(stored, name) for name in _NAMES}
    if before == new:
        return stored
    for name, value in new.items():
        setattr(stored, name, value)
    stored.save()
    changed = ", ".join(name for name in _NAMES if before[name] != new[name])
    audit.record("project.changed", stored, actor=actor, before=before, after=new, detail=changed)
    return stored


def _problems(
    *,
    reviews_wanted: int | None,
    overlap: Mapping[str, int],
    control_percent: int,
    qualification_items: int,
    qualification_bar: int,
) -> dict[str, str]:
    """Return what is wrong with settings, a sentence by field; empty when they can be stored."""
    found: dict[str, str] = {}
    if reviews_wanted is not None and not 1 <= reviews_wanted <= MOST_REVIEWS:
        found["reviews_wanted"] = "Give a number of reviews from 1 to 9."
    unknown = sorted(set(overlap) - set(SUBTASKS))
    if unknown:
        found["overlap"] = f"There is no subtask {', '.join(unknown)}."
    elif not all(1 <= wanted <= MOST_REVIEWS for wanted in overlap.values()):
        found["overlap"] = "Give each subtask a number of reviews from 1 to 9."
    if not 0 <= control_percent <= MOST_CONTROL_PERCENT:
        found["control_percent"] = "Give a share of control items from 0 to 10 percent."
    if not 0 <= qualification_bar <= 100:
        found["qualification_bar"] = "Give the bar as a percentage from 0 to 100."
    if not 0 <= qualification_items <= MOST_QUALIFICATION_ITEMS:
        found["qualification_items"] = "Give a number of items from 0 to 50."
    elif qualification_items:
        there = Control.objects.filter(use=ControlUse.QUALIFICATION, retired_at=None).count()
        if there < qualification_items:
            found["qualification_items"] = (
                f"The round needs {qualification_items} qualification items; there are {there}."
            )
    return found
